"""Reading crimes.toml, or [tool.crimes] in pyproject.toml."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, get_type_hints

from msgspec.structs import fields, replace

from crimes.config.claims.kinds import Kind
from crimes.config.claims.phrases import PHRASES
from crimes.config.claims.settings import PRESETS, Settings, Weights
from crimes.config.schema import Config, DetectorConfig
from crimes.config.toml_table import (
    COUNT,
    SWITCH,
    TEXT,
    TEXTS,
    Table,
    describe,
    parse_toml,
    read_bytes,
    suggestion,
)
from crimes.model.errors import ConfigError
from crimes.model.layers import Forbidden, Layers, faults
from crimes.model.scores import COMPONENTS, WeightsConfig

_KEYS = ("roots", "include", "exclude", "tests", "max_file_bytes", "detectors", "scoring", "claims", "layers")


def load_config(root: Path, known: Mapping[str, type[Any]] | None, file: Path | None = None) -> Config:
    """The configuration of the repository at `root`; `known` maps a detector's id to its options dataclass.

    None, for commands that run no detector, leaves the detectors' tables unread. crimes.toml wins over pyproject.toml, and a
    `file` that was named wins over both. ConfigError holds every fault.
    """
    source, prefix, table = _find_table(root) if file is None else _named_table(file)
    if table is None:
        return Config()
    problems: list[str] = []
    config = read_config(Table(table, prefix, problems), source, known)
    if problems:
        raise ConfigError(source, tuple(problems))
    return config


def _find_table(root: Path) -> tuple[str, str, Any]:
    """The file with the configuration, the path of its table in there, and the table or None."""
    if os.path.lexists(root / "crimes.toml"):
        if not _is_inside(root, "crimes.toml"):
            raise ConfigError(
                "crimes.toml", ("is not a regular file inside the repository",), whole_file=True
            )
        return "crimes.toml", "", parse_toml("crimes.toml", read_bytes(root, "crimes.toml"))
    if _is_inside(root, "pyproject.toml"):
        data = read_bytes(root, "pyproject.toml")
        if b"crimes" in data:  # otherwise it has no table of ours, and its faults do not matter
            tool = parse_toml("pyproject.toml", data).get("tool")
            return "pyproject.toml", "tool.crimes", tool.get("crimes") if isinstance(tool, dict) else None
    return "", "", None


def _named_table(file: Path) -> tuple[str, str, Any]:
    """The same of a file that was named: a crimes.toml under any name, or a pyproject.toml with a table of ours."""
    table: Any = parse_toml(str(file), read_bytes(Path(), str(file)))
    if file.name != "pyproject.toml":
        return str(file), "", table
    tool = table.get("tool")
    table = tool.get("crimes") if isinstance(tool, dict) else None
    if table is None:
        raise ConfigError(str(file), ("has no [tool.crimes] table",), whole_file=True)
    return str(file), "tool.crimes", table


def _is_inside(root: Path, name: str) -> bool:
    real = os.path.realpath(root / name)
    return os.path.isfile(real) and Path(real).is_relative_to(os.path.realpath(root))


def read_config(table: Table, source: str, known: Mapping[str, type[Any]] | None) -> Config:
    """The configuration in a table; faults go to the table's list."""
    read: dict[str, Any] = {}
    for key in table.keys(_KEYS):
        if key == "detectors":
            read[key] = {} if known is None else _read_detectors(table.table(key), known)
        elif key == "claims":
            read[key] = _read_claims(table.table(key))
        elif key == "layers":
            read[key] = _read_layers(table.table(key))
        elif key == "scoring":
            scoring = table.table(key)
            if scoring.keys(("weights",)):
                read["weights"] = _read_weights(scoring.table("weights"))
        elif key == "max_file_bytes":
            read[key] = table.value(key, COUNT)
        else:
            texts = table.value(key, TEXTS) or ()
            _check_texts(table, key, texts, _root_fault if key == "roots" else pattern_fault)
            read[key] = tuple(str(PurePosixPath(text)) for text in texts) if key == "roots" else texts
    return Config(source=source, **read)


def _read_detectors(table: Table, known: Mapping[str, type[Any]]) -> dict[str, DetectorConfig]:
    detectors = {}
    for name in table.keys(known, "detector"):
        entry = table.table(name)
        kinds = get_type_hints(known[name])
        keys = entry.keys(("enabled", *kinds), "option")
        enabled = entry.value("enabled", SWITCH) if "enabled" in keys else None
        options = {key: entry.value(key, kinds[key]) for key in keys if key != "enabled"}
        detectors[name] = DetectorConfig(enabled, options)
    return detectors


def _read_weights(table: Table) -> WeightsConfig:
    names = tuple(component.name for component in COMPONENTS)
    before = len(table.problems)
    weights = WeightsConfig(**_read_hundredths(table, names))
    total = sum(getattr(weights, name) for name in names)
    if total != 100 and len(table.problems) == before:
        parts = ", ".join(f"{name} {getattr(weights, name) / 100:.2f}" for name in names)
        table.problems.append(f"{table.path}: weights must sum to 1, but sum to {total / 100:.2f} ({parts})")
    return weights


def _read_claims(table: Table) -> Settings:
    """A preset, and what is changed in it."""
    keys = table.keys(("preset", "strengths", "threshold", "weights"))
    settings = Settings()
    if "preset" in keys and (name := table.value("preset", TEXT)) is not None:
        if name not in PRESETS:
            table.fault("preset", f"unknown preset {describe(name)}{suggestion(name, sorted(PRESETS))}")
        settings = PRESETS.get(name, settings)
    if "threshold" in keys:
        value = table.values["threshold"]
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 100:
            table.fault("threshold", f"expected a whole number from 0 to 100, found {describe(value)}")
        else:
            settings = replace(settings, threshold=value)
    if "weights" in keys:
        names = tuple(item.name for item in fields(Weights))
        changed = _read_hundredths(table.table("weights"), names)
        settings = replace(settings, weights=replace(settings.weights, **changed))
    if "strengths" in keys:
        read = _read_hundredths(table.table("strengths"), {*Kind, *(phrase.name for phrase in PHRASES)})
        kinds: dict[str, int] = {name: read.pop(name) for name in Kind if name in read}
        phrases = {**settings.phrases, **read}
        settings = replace(settings, phrases=phrases, kinds={**settings.kinds, **kinds})
    return settings


def _read_layers(table: Table) -> Layers:
    """The order from the top down, the files of each layer, and what is forbidden besides."""
    keys = table.keys(("order", "files", "forbidden"))
    before = len(table.problems)
    steps = table.value("order", TEXTS) or () if "order" in keys else ()
    order = tuple(tuple(filter(None, map(str.strip, step.split("|")))) for step in steps)
    files: dict[str, tuple[str, ...]] = {}
    if "files" in keys:
        named = table.table("files")
        for name in named.keys(named.values if isinstance(named.values, dict) else ()):
            files[name] = named.value(name, TEXTS) or ()
            _check_texts(named, name, files[name], pattern_fault)
    rules = table.values["forbidden"] if "forbidden" in keys else []
    if not isinstance(rules, list):
        table.fault("forbidden", f"expected a list of tables, found {describe(rules)}")
        rules = []
    forbidden = tuple(
        _read_forbidden(Table(rule, table.path_of("forbidden"), table.problems)) for rule in rules
    )
    layers = Layers(order, files, forbidden)
    if len(table.problems) == before:
        for key, what in faults(layers):
            table.fault(key, what)
    return layers


def _read_forbidden(table: Table) -> Forbidden:
    keys = table.keys(("from", "to", "reason"))
    texts = {key: table.value(key, TEXT) or "" for key in keys}
    for key in ("from", "to"):
        if isinstance(table.values, dict) and key not in table.values:
            table.fault(key, "is missing; expected the name of a layer")
    return Forbidden(texts.get("from", ""), texts.get("to", ""), texts.get("reason", ""))


def _read_hundredths(table: Table, names: Iterable[str]) -> dict[str, int]:
    """The numbers from 0 to 1 under these names, in hundredths."""
    read = {}
    for name in table.keys(names):
        value = table.values[name]
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            table.fault(name, f"expected a number from 0 to 1, found {describe(value)}")
        elif round(value * 100) / 100 != value:
            table.fault(name, f"expected at most two decimals, found {describe(value)}")
        else:
            read[name] = round(value * 100)
    return read


def _check_texts(table: Table, key: str, texts: Iterable[str], fault_of: Callable[[str], str]) -> None:
    for text in texts:
        if fault := fault_of(text):
            table.fault(key, f"{describe(text)} {fault}")


def _root_fault(text: str) -> str:
    if not text.strip() or "\0" in text:
        return "is not a folder name"
    if text.startswith("~") or PurePosixPath(text).is_absolute() or PureWindowsPath(text).anchor:
        return "is absolute; use a folder relative to the repository"
    if ".." in PurePosixPath(text).parts or "\\" in text:
        return "contains `..` or a backslash; use a folder inside the repository, with forward slashes"
    return ""


def pattern_fault(text: str) -> str:
    """What is wrong with a gitignore pattern; empty when nothing is."""
    import re

    from pathspec import GitIgnoreSpec

    # Backtracking over many wildcards takes hours on a well-chosen path.
    if text.count("**") > 3 or any(part.count("*") > 3 for part in text.split("/")):
        return "has more than three wildcards in one part, or more than three `**`"
    try:
        compiled = list(GitIgnoreSpec.from_lines([text]).patterns)
    except (ValueError, re.error):
        return "is not a valid gitignore pattern"
    matches_something = compiled and compiled[0].include is not None
    return "" if matches_something else "matches nothing as a gitignore pattern"
