"""The JSON Schema of crimes.toml accepts what the loader accepts, refuses what it refuses, and knows the same keys."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from crimes.config import loader, toml_table
from crimes.detection.registry import builtin
from crimes.model.errors import ConfigError
from crimes.workflows.setup.settings import SCHEMA_ADDRESS
from docs.generators.configuration_page import EXAMPLE
from tests.kit.paths import ROOT

SCHEMA: dict[str, Any] = json.loads((ROOT / "docs/crimes.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
KNOWN = {id_: detector.options for id_, detector in builtin().items()}

GOOD = (
    "",
    'roots = ["src", "./libs/core/", "."]\nmax_file_bytes = 1000',
    'include = ["src/**"]\nexclude = ["*.gen.py", "!keep.gen.py"]\ntests = ["checks/*.py"]',
    "[detectors.god_function]\nenabled = false\nmax_cognitive = 30\n[detectors.import_cycle]",
    "[detectors.hollow_test]\ncalls_only = true",
    "[scoring.weights]\nseverity = 0.35\nchurn = 0.2",
    "[scoring]",
    '[claims]\npreset = "reference"\nthreshold = 0\n[claims.strengths]\n"i think" = 1\ncausality_language = 0.6',
    '[layers]\norder = ["a | b", "c"]\n[layers.files]\na = ["a/"]\nb = ["b/"]\nc = ["c/"]',
    EXAMPLE.read_text("utf-8"),
)
BAD = (
    'rots = ["src"]',
    'include = "src"',
    "max_file_bytes = true",
    "max_file_bytes = 0",
    "[detectors.god_functon]",
    '[detectors.god_function]\nenabled = "no"',
    "[detectors.god_function]\nmax_cognitiv = 3",
    "[detectors.god_function]\nmax_cognitive = 0",
    "[detectors.hollow_test]\ncalls_only = 1",
    "[detectors.import_cycle]\nanything = 1",
    "[scoring]\nweigths = {}",
    "scoring.weights = []",
    "detectors = 1",
    "detectors.god_function = false",
    *(f"[scoring.weights]\nseverity = {value}" for value in ("1.5", "-inf", "true", '"high"')),
    "[scoring.weights]\nagent = 0.5",
    *(
        f"roots = ['{folder}']"
        for folder in ("/etc", "../other", "src/../..", "C:/x", "C:\\x", "src\\x", "~/x", "", "  ")
    ),
    *(
        f"{key} = ['src', '{pattern}']"
        for key in ("include", "exclude", "tests")
        for pattern in ("", "!", "# a comment", "/", "*a*a*a*a*b", "**/a/**/a/**/a/**")
    ),
    '[claims]\npreset = "strict"',
    "[claims]\nthreshold = 101",
    "[claims.weights]\nlength = 0.1",
    "[claims.strengths]\nperhaps = 0.1",
    '[layers]\norder = "a"',
    '[layers.files]\na = "a/"',
    '[[layers.forbidden]]\nfrom = "a"',
    '[[layers.forbidden]]\nfrom = "a"\nto = "b"\nwhy = "c"',
)
# What only the loader can refuse: a schema cannot add, round, compile a pattern, or look a name up.
LOADER_ONLY = (
    "[scoring.weights]\nseverity = 0.5",
    "[scoring.weights]\nseverity = 0.405",
    "[scoring.weights]\nseverity = nan",
    "exclude = ['a[']",
    "exclude = ['[z-a]']",
    '[layers]\norder = ["a"]',
)


def accepted_by_the_loader(root: Path, text: str) -> bool:
    (root / "crimes.toml").write_text(text)
    try:
        loader.load_config(root, KNOWN)
    except ConfigError:
        return False
    return True


def test_the_schema_is_valid_itself() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == SCHEMA_ADDRESS


@pytest.mark.parametrize("text", GOOD)
def test_good_settings_pass_both(tmp_path: Path, text: str) -> None:
    VALIDATOR.validate(tomllib.loads(text))
    assert accepted_by_the_loader(tmp_path, text)


@pytest.mark.parametrize("text", BAD)
def test_bad_settings_fail_both(tmp_path: Path, text: str) -> None:
    assert not VALIDATOR.is_valid(tomllib.loads(text))
    assert not accepted_by_the_loader(tmp_path, text)


@pytest.mark.parametrize("text", LOADER_ONLY)
def test_what_only_the_loader_can_refuse_is_refused_there(tmp_path: Path, text: str) -> None:
    assert VALIDATOR.is_valid(tomllib.loads(text))
    assert not accepted_by_the_loader(tmp_path, text)


def tables(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, set[str]]]:
    """Every table with a fixed set of keys, by its path in the file."""
    if schema.get("type") == "array":
        schema = schema["items"]
    if "properties" in schema:
        yield path, set(schema["properties"])
        for key, value in schema["properties"].items():
            yield from tables(value, f"{path}.{key}".removeprefix("."))


def test_schema_and_loader_know_the_same_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original, asked = toml_table.Table.keys, {}

    def record(table: toml_table.Table, known: Iterable[str], what: str = "key") -> list[str]:
        names = set(known)
        if table.path != "layers.files":  # the names of layers are free
            asked[table.path] = names
        return original(table, names, what)

    monkeypatch.setattr(toml_table.Table, "keys", record)
    every_detector = "".join(f"[detectors.{id_}]\n" for id_ in KNOWN if f"[detectors.{id_}]" not in GOOD[-1])
    assert accepted_by_the_loader(tmp_path, GOOD[-1] + every_detector)
    assert asked == dict(tables(SCHEMA))


def test_every_key_is_described_and_has_an_example() -> None:
    page = (ROOT / "docs/configuration.md").read_text("utf-8")
    example = tomllib.loads(EXAMPLE.read_text("utf-8"))

    def check(schema: dict[str, Any], values: Any, path: str) -> None:
        assert schema["description"], path
        if schema.get("type") == "array" and "properties" in schema["items"]:
            schema, values = schema["items"], values[0]
        for key, value in schema.get("properties", {}).items():
            if path not in (".detectors", ".claims.strengths") and not path.startswith(".detectors."):
                assert key in values, f"example.toml lacks {path}.{key}"
            assert key in page, f"configuration.md lacks {path}.{key}"
            check(value, values.get(key, {}), f"{path}.{key}")

    check(SCHEMA, example, "")
