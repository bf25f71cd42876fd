"""An entry added to a list or an object in a JSON text, and removed again, with every other byte left as it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from crimes.model.lazy_regex import regex

_SPACE = regex(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class Malformed(ValueError):
    """The text is not JSON, or a value on the way to the list is something else."""


def with_entry(text: str, keys: Sequence[str], entry: dict[str, Any], *, in_list: bool = True) -> str:
    """The text with the entry first in the list at these keys, or as the value of the last key.

    Missing keys on the way are added. Another value of the last key is left alone: Malformed.
    """
    missing = list(keys)
    inner: Any = _parse(text)
    path: list[str] = []
    for key in keys:
        if not isinstance(inner, dict):
            raise Malformed(f"{'.'.join(path) or 'the top level'} is not an object")
        if key not in inner:
            break
        inner = inner[key]
        path.append(key)
        missing.pop(0)
    if missing and not isinstance(inner, dict):
        raise Malformed(f"{'.'.join(path) or 'the top level'} is not an object")
    if not missing:
        if in_list and not isinstance(inner, list):
            raise Malformed(f"{'.'.join(path)} is not a list")
        if not in_list and inner != entry:
            raise Malformed(f"{'.'.join(path)} is already set to something else")
        if not in_list or entry in inner:
            return text
    at = _opening(text, path) + 1
    value = [entry] if in_list and missing else entry
    return text[:at] + _insertion(value, missing, len(path), empty=not inner) + text[at:]


def without_entry(text: str, keys: Sequence[str], entry: dict[str, Any], *, in_list: bool = True) -> str:
    """The text without the entry: as before `with_entry`, unless it was reformatted since."""
    for depth in range(len(keys) + in_list):
        missing = list(keys[depth:])
        for empty in (False, True):
            inserted = _insertion([entry] if in_list and missing else entry, missing, depth, empty=empty)
            if inserted in text:
                return text.replace(inserted, "", 1)
    document = inner = _parse(text)
    for key in keys if in_list else keys[:-1]:
        inner = inner.get(key) if isinstance(inner, dict) else None
    if in_list and isinstance(inner, list) and entry in inner:
        inner.remove(entry)
    elif not in_list and isinstance(inner, dict) and inner.get(keys[-1]) == entry:
        del inner[keys[-1]]
    else:
        return text
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _insertion(value: Any, missing: list[str], depth: int, *, empty: bool) -> str:
    """What is written after an opening bracket at this depth: one line, which can be recognised later."""
    for key in reversed(missing[1:]):
        value = {key: value}
    name = f"{json.dumps(missing[0])}: " if missing else ""
    end = "\n" + "  " * depth if empty else ","
    return "\n" + "  " * (depth + 1) + name + json.dumps(value) + end


def _parse(text: str) -> Any:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"it is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise Malformed("the top level is not an object")
    return document


def _opening(text: str, path: Sequence[str]) -> int:
    """Where the bracket of the value at this path opens. The text is known to be JSON."""
    at = _skip(text, 0)
    for key in path:
        at = _member(text, at, key)
    return at


def _member(text: str, at: int, wanted: str) -> int:
    """Where the value of a member begins, in an object that opens at `at`; of repeated keys the last counts."""
    value_at = -1
    at = _skip(text, at + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)
        if key == wanted:
            value_at = at
        at = _skip(text, _DECODER.raw_decode(text, at)[1])
        at = _skip(text, at + 1) if text[at] == "," else at
    return value_at


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
