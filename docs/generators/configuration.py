"""The JSON Schema of crimes.toml, from the types that hold the settings.

The schema is strict: a key the loader refuses is refused here too. What it cannot state is left to the loader: that weights
have two decimals and sum to 1, that a pattern is one git understands, that a layer is defined.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, get_type_hints

import msgspec

from crimes.config.claims.kinds import Kind
from crimes.config.claims.phrases import PHRASES
from crimes.config.claims.settings import PRESETS, Settings
from crimes.config.claims.settings import Weights as ClaimWeights
from crimes.config.schema import Config, DetectorConfig
from crimes.config.toml_table import MAX_INT
from crimes.detection.detector import Detector
from crimes.model.layers import Forbidden, Layers
from crimes.model.scores import COMPONENTS
from docs.generators.field_comments import as_sentence, field_comments

Schema = dict[str, Any]

# Relative, with `/`, below the repository, and not empty.
_ROOT = r"^(?!\s*$)(?!~|/|[A-Za-z]:)(?!(?:.*/)?\.\.(?:/|$))[^\\\u0000]+$"
# Neither empty, nor a comment, nor one that matches nothing; few wildcards, as many take hours to match.
_PATTERN = r"^(?!#|!?/?\s*$)(?!.*\*[^/]*\*[^/]*\*[^/]*\*)(?!(?:.*?\*\*){4}).+$"


def configuration_schema(detectors: Mapping[str, Detector], address: str) -> Schema:
    """The schema; draft-07, the newest that editors of TOML files support."""
    comments, defaults = field_comments(Config), Config()
    patterns = {name: _texts(comments[name], pattern=_PATTERN) for name in ("include", "exclude", "tests")}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": address,
        "title": "crimes.toml",
        **_table(
            "Settings of crimes for one repository.",
            {
                "roots": _texts(comments["roots"], pattern=_ROOT),
                **patterns,
                "max_file_bytes": {**_count(comments["max_file_bytes"]), "default": defaults.max_file_bytes},
                "detectors": _table(
                    comments["detectors"], {id_: _detector(detector) for id_, detector in detectors.items()}
                ),
                "scoring": _table(
                    "How findings are ranked.", {"weights": _table(comments["weights"], _score_weights())}
                ),
                "claims": _claims(comments["claims"]),
                "layers": _layers(comments["layers"]),
            },
        ),
    }


def configuration_schema_text(detectors: Mapping[str, Detector], address: str) -> str:
    """The schema as the text of its file."""
    return json.dumps(configuration_schema(detectors, address), indent=2) + "\n"


def _detector(detector: Detector) -> Schema:
    kinds = get_type_hints(detector.options)
    options = {
        field.name: {
            **_option(kinds[field.name], as_sentence(field.metadata["help"])),
            "default": list(field.default) if isinstance(field.default, tuple) else field.default,
        }
        for field in dataclasses.fields(detector.options)
    }
    enabled = _typed("boolean", field_comments(DetectorConfig)["enabled"], default=detector.default)
    return _table(as_sentence(detector.title), {"enabled": enabled, **options})


def _option(kind: Any, description: str) -> Schema:
    """The schema of an option of a detector, by its type."""
    if kind is bool:
        return _typed("boolean", description)
    if kind is int:
        return _count(description)
    if kind is float:
        return _typed("number", description, minimum=0, maximum=MAX_INT)
    return _typed("string", description) if kind is str else _texts(description)


def _score_weights() -> dict[str, Schema]:
    return {
        component.name: {**_share(as_sentence(component.about)), "default": component.weight / 100}
        for component in COMPONENTS
    }


def _claims(description: str) -> Schema:
    comments, defaults = field_comments(Settings), Settings()
    weights = {
        field.name: {
            **_share(field_comments(ClaimWeights)[field.name]),
            "default": getattr(defaults.weights, field.name) / 100,
        }
        for field in msgspec.structs.fields(ClaimWeights)
    }
    kinds = {str(kind): {**_share(comments["kinds"]), "default": defaults.kinds[kind] / 100} for kind in Kind}
    phrases = {
        phrase.name: {
            **_share(comments["phrases"]),
            "default": defaults.strength(phrase.name, phrase.kind) / 100,
        }
        for phrase in sorted(PHRASES, key=lambda phrase: phrase.name)
    }
    return _table(
        description,
        {
            "preset": _typed("string", comments["preset"], default=defaults.preset, enum=[*PRESETS]),
            "threshold": _typed(
                "integer", comments["threshold"], default=defaults.threshold, minimum=0, maximum=100
            ),
            "weights": _table(comments["weights"], weights),
            "strengths": _table("How doubtful a phrase is, by phrase or by kind.", {**kinds, **phrases}),
        },
    )


def _layers(description: str) -> Schema:
    comments, rule = field_comments(Layers), field_comments(Forbidden)
    files = {"type": "object", "description": comments["files"]}
    forbidden = _table(
        Forbidden.__doc__ or "",
        {
            "from": _typed("string", rule["importer"]),
            "to": _typed("string", rule["imported"]),
            "reason": _typed("string", rule["reason"], default=""),
        },
    )
    return _table(
        description,
        {
            "order": _texts(comments["order"]),
            "files": {**files, "additionalProperties": _texts("Files of this layer.", pattern=_PATTERN)},
            "forbidden": {
                "type": "array",
                "description": comments["forbidden"],
                "items": {**forbidden, "required": ["from", "to"]},
                "default": [],
            },
        },
    )


def _table(description: str, properties: Mapping[str, Schema]) -> Schema:
    return {
        "type": "object",
        "description": description,
        "additionalProperties": False,
        "properties": dict(properties),
    }


def _typed(type_: str, description: str, **more: Any) -> Schema:
    return {"type": type_, "description": description, **more}


def _count(description: str) -> Schema:
    return _typed("integer", description, minimum=1, maximum=MAX_INT)


def _share(description: str) -> Schema:
    return _typed("number", description, minimum=0, maximum=1)


def _texts(description: str, *, pattern: str = "") -> Schema:
    items = {"type": "string", "pattern": pattern} if pattern else {"type": "string"}
    return {"type": "array", "description": description, "items": items, "default": []}
