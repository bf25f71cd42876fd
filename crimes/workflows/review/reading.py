"""Records from JSON, read strictly: every fault of every record is reported, with its record and field."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from math import inf
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from msgspec import Struct

from crimes.model.errors import UsageError
from crimes.model.lazy_regex import regex
from crimes.model.severity import Severity
from crimes.workflows.review.record import Evidence, Kind, Record, ReviewVerdict, Visibility

MAX_INPUT_BYTES = 20_000_000
MAX_LINE_NUMBER = 2**31 - 1
MAX_CHARS = {"file": 4_000, "id": 200, "title": 300, "message": 20_000}

ENUMS: Mapping[str, type[StrEnum]] = {
    "category": Kind,
    "verdict": ReviewVerdict,
    "evidence_strength": Evidence,
    "context_completeness": Visibility,
    "drafter_severity": Severity,
    "verifier_severity": Severity,
}
FLAGS = ("in_diff", "in_changed_code")
REQUIRED = ("file", "line", *ENUMS, *FLAGS)
TEXTS = ("id", "title", "message")

_NUMBER = regex("[0-9]{1,10}")
_SURROGATE = regex("[\ud800-\udfff]")
_MAX_EXACT_DIGITS = 20  # converting thousands of digits takes long
_MAX_SHOWN_CHARS = 40  # of a wrong value in a message


class Refused(Struct, frozen=True):
    """A record that is not valid, and all its faults."""

    number: int
    errors: tuple[str, ...]


class Input(Struct, frozen=True):
    """The valid records in their order, and the refused ones."""

    records: tuple[Record, ...]
    refused: tuple[Refused, ...]


class _Object(dict[str, Any]):
    """A JSON object that remembers its repeated keys."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(key for key, _ in pairs)
        self.repeated = tuple(key for key, times in counts.items() if times > 1)


def read_records(data: bytes, name: str) -> Input:
    """The records in a JSON text. UsageError when it is not JSON, or not an array."""
    items = _parse_json(data, name)
    if not isinstance(items, list):
        raise UsageError(f"{name}: the top level must be an array of records, found {describe(items)}")
    records, refused = [], []
    for number, item in enumerate(items):
        errors = faults(number, item)
        if errors:
            refused.append(Refused(number, tuple(errors)))
        else:
            records.append(_record(number, item))
    return Input(tuple(records), tuple(refused))


def _parse_json(data: bytes, name: str) -> Any:
    if len(data) > MAX_INPUT_BYTES:
        raise UsageError(f"{name} is larger than {MAX_INPUT_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=_Object, parse_int=_parse_int, parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not UTF-8: byte {error.start} cannot be decoded") from error
    except RecursionError as error:
        raise UsageError(f"{name} is nested too deeply") from error
    except ValueError as error:
        raise UsageError(f"{name} is not valid JSON: {error}") from error


def _parse_int(digits: str) -> int | float:
    return int(digits) if len(digits) < _MAX_EXACT_DIGITS else float(digits)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not a JSON value")


def faults(number: int, item: Any) -> list[str]:
    """Everything that is wrong with a record."""
    record = f"finding[{number}]"
    if not isinstance(item, dict):
        return [f"{record} must be an object, found {describe(item)}"]
    errors = [
        f"{record} field {_quoted(key)} is given more than once" for key in getattr(item, "repeated", ())
    ]
    errors += [f'{record} is missing required field "{name}"' for name in REQUIRED if item.get(name) is None]
    for name, kind in ENUMS.items():
        value = item.get(name)
        if value is not None and not (isinstance(value, str) and value in list(kind)):
            errors.append(f"{record} invalid {name}: expected {_alternatives(kind)}, found {describe(value)}")
    for name in FLAGS:
        if item.get(name) is not None and _flag(item[name]) is None:
            errors.append(f'{record} field "{name}" must be a boolean, found {describe(item[name])}')
    if item.get("line") is not None and _line(item["line"]) is None:
        errors.append(f'{record} field "line" must be a positive integer, found {describe(item["line"])}')
    for name in ("file", *TEXTS):
        value = item.get(name)
        if value is not None and (fault := _text_fault(name, value)):
            errors.append(f'{record} field "{name}" {fault}')
    return errors


def _record(number: int, item: Mapping[str, Any]) -> Record:
    """A record from a valid item. Unknown keys are named, not dropped in silence."""
    unknown = [key for key in item if key not in (*REQUIRED, *TEXTS)]
    return Record(
        file=str(PurePosixPath(item["file"])),
        line=_line(item["line"]) or 0,
        category=Kind(item["category"]),
        verdict=ReviewVerdict(item["verdict"]),
        evidence=Evidence(item["evidence_strength"]),
        context=Visibility(item["context_completeness"]),
        drafter=Severity(item["drafter_severity"]),
        verifier=Severity(item["verifier_severity"]),
        in_diff=bool(_flag(item["in_diff"])),
        in_changed_code=bool(_flag(item["in_changed_code"])),
        number=number,
        checks=tuple(f"field {_quoted(key)} is unknown and was ignored" for key in unknown),
        **{name: item[name] for name in TEXTS if item.get(name) is not None},
    )


def _flag(value: Any) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.lower())
    return value if isinstance(value, bool) else None


def _line(value: Any) -> int | None:
    """A positive integer, or the digits of one. True is 1 in Python, but not a line number."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = int(value)
    is_integer = isinstance(value, int) and not isinstance(value, bool)
    return value if is_integer and 1 <= value <= MAX_LINE_NUMBER else None


def _text_fault(name: str, value: Any) -> str:
    if not isinstance(value, str):
        return f"must be a string, found {describe(value)}"
    if len(value) > MAX_CHARS[name]:
        return f"has {len(value):,} characters; at most {MAX_CHARS[name]:,} are allowed"
    if _SURROGATE.search(value):
        return "contains half a character (a lone surrogate)"
    return _path_fault(value) if name == "file" else ""


def _path_fault(path: str) -> str:
    windows = PureWindowsPath(path)
    if not path.strip() or "\0" in path or str(PurePosixPath(path)) == ".":
        return "must be a file name"
    if path.startswith(("/", "~")) or windows.anchor:
        return f"must be relative to the repository, found {describe(path)}"
    if ".." in windows.parts:
        return f'must not contain "..", found {describe(path)}'
    return ""


def describe(value: Any) -> str:
    """A wrong value in a message: short, on one line."""
    if isinstance(value, str):
        return _quoted(value if len(value) <= _MAX_SHOWN_CHARS else f"{value[:_MAX_SHOWN_CHARS]}...")
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "an array"
    if value in (inf, -inf):
        return "a very large number"
    return json.dumps(value)


def _quoted(text: str) -> str:
    return json.dumps(text[:200])


def _alternatives(kind: type[StrEnum]) -> str:
    *first, last = (str(member) for member in kind)
    return f"{', '.join(first)} or {last}"
