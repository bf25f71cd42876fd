"""`crimes claims` as a user runs it: what it reads, what it checks in the repository, what it refuses."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from crimes import __version__
from crimes.analyses.claims.lookup import DefinedNames, Names
from crimes.config.loader import load_config
from crimes.model.errors import ConfigError
from crimes.workflows.last_scan import load_names, save_names
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT

CODE = "class Cart:\n    def total(self):\n        return 1\n\n\nLIMIT = 3\n"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    GitRepo(tmp_path / "shop").commit({"src/cart.py": CODE, "docs/guide.md": "I think so.\n"}, "Begin")
    return tmp_path / "shop"


def run_crimes(cwd: Path, *arguments: str, text: str | bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "crimes", *arguments],
        cwd=cwd,
        input=text if isinstance(text, bytes) else text.encode(),
        capture_output=True,
        check=False,
        timeout=60,
    )


def claims(cwd: Path, text: str, *arguments: str) -> dict[str, Any]:
    done = run_crimes(cwd, "claims", "--format", "json", *arguments, text=text)
    assert done.returncode == 0, done.stderr
    made: dict[str, Any] = json.loads(done.stdout)
    jsonschema.validate(made, json.loads((ROOT / "docs" / "claims.schema.json").read_text("utf-8")))
    return made


def test_text_from_standard_input_is_audited(repo: Path) -> None:
    done = run_crimes(repo, "claims", text="I think the cache is stale.\n\nIt may be.\n")
    assert done.stdout.decode().splitlines() == [
        'standard input:1: high 75 speculation_language "I think"',
        "    I think the cache is stale.",
        "1 unverified claim in standard input: 1 high. 1 low-confidence claim hidden: show it with --verbose.",
        "Paths and lines were checked against shop; symbols were not checked (run `crimes scan` first).",
    ]
    assert done.returncode == 0


def test_verbose_shows_suppressed_claims_and_the_arithmetic(repo: Path) -> None:
    shown = run_crimes(repo, "claims", "-", "--verbose", text="It may be.\n").stdout.decode()
    assert 'standard input:1: suppressed 48 speculation_language "may"' in shown
    assert "48 = 100 x (0.60 x 0.30 strength + 0.20 x 1.00 evidence + " in shown
    assert "0 unverified claims in standard input. 1 low-confidence claim shown too." in shown


def test_threshold_decides_what_is_shown(repo: Path) -> None:
    text = "It may be.\n"
    assert b"1 unverified claim in" in run_crimes(repo, "claims", "-", "--threshold", "40", text=text).stdout
    assert b"0 unverified claims in" in run_crimes(repo, "claims", "-", "--threshold", "49", text=text).stdout
    assert run_crimes(repo, "claims", "-", "--threshold", "101", text=text).returncode == 2


def test_a_sum_over_its_limit_says_so(repo: Path) -> None:
    text = "I think it is definitely caused by the cache, probably because nothing ever fails.\n"
    shown = run_crimes(repo, "claims", "-", "--verbose", text=text).stdout.decode()
    assert "100 = 100 x (" in shown
    assert "), at most 100\n" in shown


def test_file_is_named_relative_to_the_repository(repo: Path) -> None:
    for cwd, name in (
        (repo, "docs/guide.md"),
        (repo / "docs", "guide.md"),
        (repo, str(repo / "docs/guide.md")),
    ):
        done = run_crimes(cwd, "claims", name)
        assert done.stdout.startswith(b"docs/guide.md:1: high 75 ")


def test_json_counts_suppressed_claims(repo: Path) -> None:
    text = "I think it is caused by a race.\n\nIt may be.\n"
    made = claims(repo, text)
    assert [(claim["kind"], claim["confidence"]) for claim in made["claims"]] == [
        ("speculation_language", 92),
        ("causality_language", 100),
    ]
    assert made["claims"][1]["factors"] == {
        "pattern_strength": 0.95,
        "evidence_proximity": 1.0,
        "category_stacking": 0.7,
        "context_density": 0.3,
        "text_length": 1.0,
    }
    assert made["hidden"] == []
    assert made["summary"]["hidden_low_confidence"] == 1
    assert made["summary"]["by_band"] == {"very_high": 2, "high": 0, "moderate": 0, "suppressed": 0}
    assert [claim["confidence"] for claim in claims(repo, text, "--verbose")["hidden"]] == [48]


def confidence(cwd: Path, marker: str, *arguments: str) -> int:
    made = claims(cwd, f"I think so, see {marker}\n", *arguments)
    (claim,) = made["claims"]
    return int(claim["confidence"])


@pytest.mark.parametrize(
    ("marker", "expected"),
    [
        ("src/cart.py", 55),
        ("src/cart.py:6", 55),
        ("src/cart.py:7", 65),  # it has six lines
        ("src/cat.py", 65),
        ("src/", 75),  # not even sure to be a path: no folder below it
        ("../shop/src/cart.py", 65),
        ("/etc/hosts.txt", 65),
        ("src/link.txt", 65),  # a link out of the repository
    ],
)
def test_paths_and_lines_are_looked_up(repo: Path, tmp_path: Path, marker: str, expected: int) -> None:
    (tmp_path / "outside.txt").write_text("secret\n")
    (repo / "src" / "link.txt").symlink_to(tmp_path / "outside.txt")
    assert confidence(repo, marker) == expected


def test_an_absolute_path_into_the_repository_counts(repo: Path) -> None:
    assert confidence(repo, f"{repo.resolve()}/src/cart.py:2") == 55


def test_another_repository_can_be_named(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    assert confidence(tmp_path / "elsewhere", "src/cart.py") == 65
    assert confidence(tmp_path / "elsewhere", "src/cart.py", "--root", str(repo)) == 55


def test_symbols_and_bare_names_are_known_from_the_last_scan(repo: Path) -> None:
    names = (
        "`Cart`",
        "`Cart.total`",
        "`cart.LIMIT`",
        "`self.total()`",
        "cart.py:6",
        "`Cart.missing`",
        "other.py",
    )
    assert [confidence(repo, name) for name in names] == [65] * 7
    assert run_crimes(repo, "scan").returncode == 0
    assert [confidence(repo, name) for name in names] == [55] * 5 + [65] * 2
    shown = run_crimes(repo, "claims", text="I think so.").stdout.decode()
    assert shown.endswith("Paths and lines were checked against shop, symbols against its last scan.\n")


def test_names_survive_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    paths = frozenset({"a.py", "a\nb.py", os.fsdecode(b"caf\xe9.py")})
    defined = {"a.py": (("b", "A.b"),), os.fsdecode(b"caf\xe9.py"): (("c\n", "c\n"),)}
    names = Names(paths - {"a\nb.py"}, frozenset({"b", "A.b", "a.A.b"}))
    assert load_names(tmp_path) is None
    save_names(tmp_path, lambda: DefinedNames(paths, defined), b"1")
    assert load_names(tmp_path) == names
    save_names(tmp_path, lambda: pytest.fail("they were made of the same"), b"1")
    assert load_names(tmp_path) == names
    save_names(tmp_path, lambda: DefinedNames(frozenset({"b.py"}), {}), b"2")
    assert load_names(tmp_path) == Names(frozenset({"b.py"}))
    (kept,) = (tmp_path / "cache").rglob("*.names")
    kept.write_text("0.0.0\na.py\n\nA")
    assert load_names(tmp_path) is None
    kept.write_text(f"{__version__} 00\na.py\n\nA")
    assert load_names(tmp_path) is None


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("missing.md", None, "no such file: missing.md"),
        ("docs", None, "docs is a folder"),
        ("a.bin", b"I think\0", "a.bin is not text: it contains a zero byte"),
        ("a.txt", b"I think \xff", "a.txt is not UTF-8: byte 8 cannot be decoded"),
        ("a.txt", "I think".encode("utf-16"), "a.txt is not text"),
        ("a.txt", b"a " * 250_001, "a.txt is larger than 500,000 bytes"),
    ],
)
def test_bad_input_is_refused(repo: Path, name: str, data: bytes | None, message: str) -> None:
    if data is not None:
        (repo / name).write_bytes(data)
    done = run_crimes(repo, "claims", name)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert done.stdout == b""
    assert b"Traceback" not in done.stderr


def test_bad_standard_input_is_refused(repo: Path) -> None:
    done = run_crimes(repo, "claims", "-", text=b"\xfe\xfa")
    assert done.returncode == 2
    assert b"standard input is not UTF-8: byte 0" in done.stderr


def test_control_characters_of_the_text_are_escaped(repo: Path) -> None:
    shown = run_crimes(repo, "claims", text="I think \x1b[31m\u202eso\u200b.\n").stdout.decode()
    assert "\\x1b[31m\\u202eso\\u200b." in shown
    assert shown.isascii()


SETTINGS = """
[claims]
preset = "reference"
threshold = 60

[claims.weights]
text_length = 0.1

[claims.strengths]
"i think" = 0.9
causality_language = 0.5
"""


def test_the_configuration_is_used(repo: Path) -> None:
    assert claims(repo, "I think so.")["claims"][0]["confidence"] == 75
    (repo / "crimes.toml").write_text(SETTINGS)
    made = claims(repo, "I think so.\n\nIt is caused by a race.\n", "--verbose")
    assert (made["preset"], made["threshold"], made["weights"]["text_length"]) == ("reference", 60, 0.1)
    assert [claim["confidence"] for claim in (*made["claims"], *made["hidden"])] == [71, 55]
    assert made["weights"]["evidence_proximity"] == 0.25


def test_the_configuration_is_refused_with_all_its_faults(repo: Path) -> None:
    (repo / "crimes.toml").write_text(
        '[claims]\npreset = "referense"\nthreshold = 101\ntreshold = 1\n[claims.weights]\nstrength = 1\n'
        'text_length = 1.5\ncontext_density = 0.123\n[claims.strengths]\n"i thnk" = 0.5\nbecause = true\n'
    )
    with pytest.raises(ConfigError) as caught:
        load_config(repo, None)
    assert sorted(caught.value.problems) == [
        "claims.preset: unknown preset 'referense'; did you mean reference?",
        "claims.strengths.'i thnk': unknown key; did you mean i think?",
        "claims.strengths.because: expected a number from 0 to 1, found true",
        "claims.threshold: expected a whole number from 0 to 100, found 101",
        "claims.treshold: unknown key; did you mean threshold?",
        "claims.weights.context_density: expected at most two decimals, found 0.123",
        "claims.weights.strength: unknown key; did you mean pattern_strength?",
        "claims.weights.text_length: expected a number from 0 to 1, found 1.5",
    ]
    done = run_crimes(repo, "claims", text="I think")
    assert done.returncode == 2
    assert b"crimes.toml is not a valid configuration" in done.stderr


def test_tables_of_detectors_are_left_to_the_commands_that_run_them(repo: Path) -> None:
    (repo / "crimes.toml").write_text("[detectors.god_function]\nmax_cognitive = 9\n")
    assert claims(repo, "I think so.")["summary"]["claims"] == 1
    (repo / "crimes.toml").write_text("[claim]\nthreshold = 9\n")
    assert b"claim: unknown key; did you mean claims?" in run_crimes(repo, "claims", text="I think").stderr


def test_example_in_the_documentation_matches_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRIMES_CACHE_DIR", str(tmp_path / "cache"))
    page = (ROOT / "docs" / "claims.md").read_text("utf-8")
    blocks = dict(re.findall(r"^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    sample = str(ROOT / "sample_repos" / "python_service")
    (tmp_path / "answer.md").write_text(blocks["markdown"])
    assert run_crimes(tmp_path, "scan", "--root", sample).returncode == 0
    assert run_crimes(tmp_path, "claims", "answer.md", "--root", sample).stdout.decode() == blocks["text"]
    (tmp_path / "crimes.toml").write_text(blocks["toml"])
    assert load_config(tmp_path, None).claims.phrases["i think"] == 50
