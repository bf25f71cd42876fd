"""The reference of crimes.toml: its JSON Schema as tables, with an example of every key."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from docs.generators.configuration import Schema
from docs.generators.markdown import banner, cell, code, table, toml

EXAMPLE = Path(__file__).parent / "example.toml"
_HEAD = ("key", "type", "default", "meaning", "example")
_INTRODUCTION = """# Configuration

crimes needs no configuration. `crimes.toml` in the root of the repository may change what it reads and how it ranks; so may
`[tool.crimes]` in `pyproject.toml`, with the same keys. If both are there, `crimes.toml` counts. `crimes init` writes one that fits the
repository.

Unknown keys and wrong values are refused, all at once, each with a suggestion. Editors that know JSON Schema for TOML (taplo, Even
Better TOML) complete and check the file by its first line:

```toml
#:schema {address}
```

The schema is [crimes.schema.json](crimes.schema.json). It knows the detectors of this project, not those of [plugins](plugins.md).

## Example

Every key but most options of detectors:

```toml
{example}```
"""
_DETECTORS = """Turn a detector off with `enabled = false`, or change its limits. A link leads to what the detector reports.
"""


def configuration_page(schema: Schema) -> str:
    """The page, as text."""
    text = EXAMPLE.read_text("utf-8")
    example, top = tomllib.loads(text), schema["properties"]
    plain = {key: value for key, value in top.items() if value["type"] != "object"}
    lines = [
        banner("crimes/config/ and the detectors"),
        "",
        _INTRODUCTION.format(address=schema["$id"], example=text),
        *("## Files", ""),
        *table(_HEAD, _rows(plain, example)),
        *_section("scoring.weights", top["scoring"]["properties"]["weights"], example["scoring"]["weights"]),
        *_claims(top["claims"], example["claims"]),
        *_layers(top["layers"], example["layers"]),
        *("## `[detectors.ID]`", "", _DETECTORS),
        *table(("key", "type", "default", "meaning"), _detector_rows(top["detectors"]["properties"])),
    ]
    return "\n".join(lines)


def _section(name: str, schema: Schema, example: Any) -> Iterator[str]:
    plain = {key: value for key, value in schema["properties"].items() if value["type"] != "object"}
    yield from (f"## `[{name}]`", "", schema["description"], "")
    yield from table(_HEAD, _rows(plain, example))


def _claims(schema: Schema, example: Any) -> Iterator[str]:
    yield from _section("claims", schema, example)
    yield from _section("claims.weights", schema["properties"]["weights"], example["weights"])
    strengths = schema["properties"]["strengths"]
    yield from ("## `[claims.strengths]`", "", f"{strengths['description']} Numbers from 0 to 1.", "")
    rows = [
        (code(_name(key)), code(toml(value["default"]))) for key, value in strengths["properties"].items()
    ]
    yield from table(("phrase or kind", "default"), rows)


def _layers(schema: Schema, example: Any) -> Iterator[str]:
    properties = schema["properties"]
    lists = {key: value for key, value in properties.items() if key != "forbidden"}
    yield from ("## `[layers]`", "", f"{schema['description']} [More on layers](layers.md).", "")
    yield from table(_HEAD, _rows(lists, example))
    yield from ("## `[[layers.forbidden]]`", "", properties["forbidden"]["description"], "")
    yield from table(_HEAD, _rows(properties["forbidden"]["items"]["properties"], example["forbidden"][0]))


def _rows(properties: dict[str, Schema], example: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for key, schema in properties.items():
        value = example.get(key, schema.get("default"))
        shown = next(iter(value.items())) if isinstance(value, dict) else (key, value)
        yield (
            code(key),
            _type(schema),
            code(toml(schema["default"])) if "default" in schema else "",
            cell(schema["description"]),
            code(f"{shown[0]} = {toml(shown[1])}"),
        )


def _name(key: str) -> str:
    """The key as a TOML file has it."""
    return key if key.replace("_", "").isalnum() else f'"{key}"'


def _detector_rows(detectors: dict[str, Schema]) -> Iterator[tuple[str, ...]]:
    for id_, detector in detectors.items():
        for key, schema in detector["properties"].items():
            name = f"[`{id_}.{key}`](detectors/{id_}.md)"
            yield name, _type(schema), code(toml(schema["default"])), cell(schema["description"])


def _type(schema: Schema) -> str:
    """The type in words."""
    if "enum" in schema:
        return " or ".join(code(toml(value)) for value in schema["enum"])
    if schema["type"] == "object":
        return "table of lists"
    limits = {"integer": "whole number", "number": "number", "boolean": "true or false", "string": "string"}
    if schema["type"] not in limits:
        return "list of strings"
    word, low, high = limits[schema["type"]], schema.get("minimum"), schema.get("maximum", 0)
    if low is None:
        return word
    return f"{word} from {low} to {high}" if high <= 100 else f"{word} from {low}"
