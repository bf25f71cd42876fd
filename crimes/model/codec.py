"""A report, or any of our structs, as JSON bytes, and a report back from them."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from crimes.model.lazy_regex import regex
from crimes.model.report import SCHEMA_VERSION, Report

_SURROGATE = regex("[\ud800-\udfff]")
_RUNNER_COMMAND = regex(r"##(?=\[|vso\[)", re.IGNORECASE)  # a log command of GitHub's and Azure's runners
_BYTE = regex(r"\(byte (\d+)\)")
_NOT_ASCII = regex("[^\\x00-\\x7e]")


def encode(value: Any) -> bytes:
    r"""Indented JSON, newline at the end. Bytes of a file name that are not UTF-8 become the text \xNN."""
    return _escape_controls(msgspec.json.format(_to_json(value), indent=2))


def encode_line(value: Any) -> bytes:
    """The same on one line."""
    return _escape_controls(_to_json(value))


def _to_json(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(_without_surrogates(msgspec.to_builtins(value)))


def _escape_controls(data: bytes) -> bytes:
    """The same JSON with everything escaped that acts on a terminal, or on a CI runner that reads the log."""
    text = _NOT_ASCII.sub(_escape, data.decode())
    return _RUNNER_COMMAND.sub(r"#\\u0023", text).encode() + b"\n"


def decode(data: bytes) -> Report:
    """A report written by `encode`. ValueError says why the data are no report, or of which other version."""
    try:
        version = msgspec.json.decode(data, type=_Versioned).schema_version
        if version.split(".")[0] != SCHEMA_VERSION.split(".")[0]:
            raise ValueError(f"has schema version {version}, but this crimes reads {SCHEMA_VERSION}")
        return msgspec.json.decode(data, type=Report)
    except msgspec.ValidationError as error:
        raise ValueError(f"is not a crimes report ({error})") from error
    except msgspec.DecodeError as error:
        raise ValueError(f"is not a crimes report ({_syntax_fault(error)})") from error


def _syntax_fault(error: msgspec.DecodeError) -> str:
    """Where data stop being JSON, in few words."""
    position = _BYTE.search(str(error))
    return f"invalid JSON at byte {position[1]}" if position else "incomplete JSON"


class _Versioned(msgspec.Struct):
    schema_version: str


def _escape(match: re.Match[str]) -> str:
    """The JSON escape of a character that is not printable; JSON readers decode it to the same character."""
    if match[0].isprintable():
        return match[0]
    units = match[0].encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _without_surrogates(value: Any) -> Any:
    """The same plain data with surrogates escaped; only file names in other encodings hold them."""
    match value:
        case str():
            return _SURROGATE.sub(_escape_surrogate, value)
        case dict():
            return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
        case list() | tuple():
            return [_without_surrogates(item) for item in value]
        case _:
            return value


def _escape_surrogate(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"
