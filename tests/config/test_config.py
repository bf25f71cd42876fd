"""The configuration: what it may say, and every fault reported at once."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crimes.config.loader import load_config
from crimes.config.schema import Config, DetectorConfig
from crimes.detection.detector import NoOptions, option
from crimes.model.errors import ConfigError
from crimes.model.scores import WeightsConfig


@dataclass(frozen=True)
class GodOptions:
    max_cognitive: int = option(25, "Report from here.")
    share: float = option(0.5, "A share.")
    strict: bool = option(False, "A switch.")
    prefix: str = option("x", "A text.")
    names: tuple[str, ...] = option((), "Some names.")


KNOWN = {"god_function": GodOptions, "import_cycle": NoOptions}


def load(root: Path, text: str | bytes, name: str = "crimes.toml") -> Config:
    (root / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_config(root, KNOWN)


def problems(root: Path, text: str | bytes, name: str = "crimes.toml") -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        load(root, text, name)
    assert caught.value.source == name
    assert all(problem in str(caught.value) for problem in caught.value.problems)
    return caught.value.problems


FULL = """
roots = ["src", "./libs/core/", "."]
include = ["src/**"]
exclude = ["*.gen.py", "!keep.gen.py"]
tests = ["checks/*.py"]
max_file_bytes = 1000

[detectors.god_function]
enabled = false
max_cognitive = 30
share = 1
strict = true
prefix = "y"
names = ["a", "b"]

[detectors.import_cycle]

[scoring.weights]
severity = 0.35
churn = 0.2
"""
EXPECTED = Config(
    source="crimes.toml",
    roots=("src", "libs/core", "."),
    include=("src/**",),
    exclude=("*.gen.py", "!keep.gen.py"),
    tests=("checks/*.py",),
    max_file_bytes=1000,
    detectors={
        "god_function": DetectorConfig(
            False, {"max_cognitive": 30, "share": 1.0, "strict": True, "prefix": "y", "names": ("a", "b")}
        ),
        "import_cycle": DetectorConfig(),
    },
    weights=WeightsConfig(severity=35, churn=20),
)


def test_defaults_apply_without_a_configuration(tmp_path: Path) -> None:
    assert load_config(tmp_path, KNOWN) == Config()


def test_every_setting_is_read(tmp_path: Path) -> None:
    assert load(tmp_path, FULL) == EXPECTED


def test_byte_order_mark_and_crlf_are_accepted(tmp_path: Path) -> None:
    assert load(tmp_path, b"\xef\xbb\xbf" + FULL.replace("\n", "\r\n").encode()) == EXPECTED


def test_settings_are_read_from_pyproject(tmp_path: Path) -> None:
    config = load(tmp_path, "[tool.crimes]\nroots = ['src']", "pyproject.toml")
    assert config == Config(source="pyproject.toml", roots=("src",))


def test_crimes_toml_takes_precedence_over_pyproject(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.crimes]\nnonsense = 1")
    assert load(tmp_path, "") == Config(source="crimes.toml")


@pytest.mark.parametrize("text", ["[tool.ruff]\n", "tool = 'crimes'", "{{ a template }}", "\xff\xfe"])
def test_pyproject_without_our_table_is_ignored(tmp_path: Path, text: str) -> None:
    assert load(tmp_path, text.encode("latin-1"), "pyproject.toml") == Config()


def test_all_faults_are_reported_at_once(tmp_path: Path) -> None:
    text = """
    rots = ["src"]
    include = "src"
    max_file_bytes = true
    [detectors.god_functon]
    [detectors.god_function]
    enabled = "no"
    max_cognitiv = 3
    max_cognitive = 0
    names = ["a", 1]
    share = -0.5
    [detectors.import_cycle]
    anything = 1
    [scoring]
    weigths = {}
    """
    assert problems(tmp_path, text) == (
        "rots: unknown key; did you mean roots?",
        "include: expected a list of strings, found 'src'",
        "max_file_bytes: expected a positive whole number, found true",
        "detectors.god_functon: unknown detector; did you mean god_function?",
        "detectors.god_function.max_cognitiv: unknown option; did you mean max_cognitive?",
        "detectors.god_function.enabled: expected true or false, found 'no'",
        "detectors.god_function.max_cognitive: expected a positive whole number, found 0",
        "detectors.god_function.names: expected a list of strings, found a list",
        "detectors.god_function.share: expected a number of 0 or more, found -0.5",
        "detectors.import_cycle.anything: unknown option; expected enabled",
        "scoring.weigths: unknown key; did you mean weights?",
    )


def test_the_key_path_of_pyproject_is_complete(tmp_path: Path) -> None:
    text = "[tool.crimes.detectors.god_function]\nstrict = 1"
    assert problems(tmp_path, text, "pyproject.toml") == (
        "tool.crimes.detectors.god_function.strict: expected true or false, found 1",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "severity = 0.5",
            "scoring.weights: weights must sum to 1, but sum to 1.10 (severity 0.50, confidence 0.20, ",
        ),
        ("severity = 0.405", "scoring.weights.severity: expected at most two decimals, found 0.405"),
        ("severity = 1.5", "scoring.weights.severity: expected a number from 0 to 1, found 1.5"),
        ("severity = nan", "scoring.weights.severity: expected a number from 0 to 1, found nan"),
        ("severity = -inf", "scoring.weights.severity: expected a number from 0 to 1, found -inf"),
        ("severity = true", "scoring.weights.severity: expected a number from 0 to 1, found true"),
        (
            "severity = 1979-05-27",
            "scoring.weights.severity: expected a number from 0 to 1, found a date or time",
        ),
        (
            "agent = 0.5",
            "scoring.weights.agent: unknown key; expected one of blast_radius, churn, confidence, ",
        ),
    ],
)
def test_invalid_weights_are_refused(tmp_path: Path, text: str, expected: str) -> None:
    (problem,) = problems(tmp_path, f"[scoring.weights]\n{text}")
    assert problem.startswith(expected)


@pytest.mark.parametrize("share", range(61))
def test_every_weight_of_two_decimals_is_read_exactly(tmp_path: Path, share: int) -> None:
    text = f"[scoring.weights]\nseverity = {share / 100}\nconfidence = {(60 - share) / 100:.2f}"
    assert load(tmp_path, text).weights == WeightsConfig(severity=share, confidence=60 - share)


@pytest.mark.parametrize(
    "folder", ["/etc", "../other", "src/../..", "C:/x", r"C:\\x", r"src\\x", "~/x", "", "  ", r"a\u0000b"]
)
def test_roots_stay_below_the_repository(tmp_path: Path, folder: str) -> None:
    (problem,) = problems(tmp_path, f'roots = ["{folder}"]')
    assert problem.startswith("roots: ")


@pytest.mark.parametrize(
    "pattern", ["", "!", "# a comment", "a[", "[z-a]", "/", "*a*a*a*a*b", "**/a/**/a/**/a/**"]
)
@pytest.mark.parametrize("key", ["include", "exclude", "tests"])
def test_unusable_patterns_are_refused(tmp_path: Path, key: str, pattern: str) -> None:
    (problem,) = problems(tmp_path, f'{key} = ["src", "{pattern}"]')
    assert problem.startswith(f"{key}: {pattern!r} ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("roots = [", "is not valid TOML: "),
        (b"roots = ['\xff']", "is not UTF-8: byte 10 cannot be decoded"),
        ("a = " + "[" * 50_000, "is nested too deeply"),
        ("max_file_bytes = " + "9" * 5_000, "is not valid TOML: "),
        ("#" * 1_000_001, "is larger than 1,000,000 bytes"),
        (
            "max_file_bytes = 0x" + "f" * 5_000,
            "max_file_bytes: expected a positive whole number, found a very",
        ),
        ("detectors = 1", "detectors: expected a table, found 1"),
        ("detectors.god_function = false", "detectors.god_function: expected a table, found false"),
        ("scoring.weights = []", "scoring.weights: expected a table, found a list"),
        ('"a\\u001b[31m" = 1', "'a\\x1b[31m': unknown key; expected one of "),
        (f'roots = "{"x" * 100}"', f"roots: expected a list of strings, found '{'x' * 40}...'"),
    ],
)
def test_unparsable_files_are_refused_with_a_reason(tmp_path: Path, text: str | bytes, expected: str) -> None:
    (problem,) = problems(tmp_path, text)
    assert problem.startswith(expected)


def test_tool_crimes_must_be_a_table(tmp_path: Path) -> None:
    assert problems(tmp_path, "tool.crimes = 3", "pyproject.toml") == (
        "tool.crimes: expected a table, found 3",
    )


def test_links_out_of_the_repository_are_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    for name, text in (("crimes.toml", "roots = ['a']"), ("pyproject.toml", "[tool.crimes]\nroots = ['a']")):
        (tmp_path / name).write_text(text)
        (root / name).symlink_to(tmp_path / name)
    with pytest.raises(ConfigError, match="not a regular file inside the repository"):
        load_config(root, KNOWN)
    (root / "crimes.toml").unlink()
    assert load_config(root, KNOWN) == Config()


def test_links_inside_the_repository_are_followed(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_text("roots = ['a']")
    (tmp_path / "crimes.toml").symlink_to("real.toml")
    assert load_config(tmp_path, KNOWN).roots == ("a",)


@pytest.mark.parametrize("kind", ["folder", "pipe", "loop", "dangling"])
def test_configuration_that_is_no_regular_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "crimes.toml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("crimes.toml" if kind == "loop" else "gone.toml")
    with pytest.raises(ConfigError, match="not a regular file"):
        load_config(tmp_path, KNOWN)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "crimes.toml").touch(mode=0o000)
    with pytest.raises(ConfigError, match="cannot be read: Permission denied"):
        load_config(tmp_path, KNOWN)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60) | st.text(alphabet="[]{}=.\"'\n#a1,\\u", max_size=60).map(str.encode))
def test_no_bytes_escape_as_another_error(tmp_path: Path, data: bytes) -> None:
    with suppress(ConfigError):
        load(tmp_path, data)


def test_fault_of_the_whole_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "crimes.toml").write_text("roots = [")
    with pytest.raises(ConfigError, match=r"^crimes\.toml is not valid TOML: [^\n]+$"):
        load_config(tmp_path, {})
