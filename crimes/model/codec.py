"""A report, or any of our structs, as JSON bytes, and a report back from them."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from crimes.model.lazy_regex import regex
from crimes.model.report import SCHEMA_VERSION, Report

_SURROGATE = regex("[\ud800-\udfff]")
_COMMAND = regex(r"##(?=\[|vso\[)", re.IGNORECASE)  # of GitHub's and Azure's runners
_NOT_ASCII = regex("[^\\x00-\\x7e]")


def encode(value: Any) -> bytes:
    r"""Indented JSON, newline at the end. Bytes of a file name that are not UTF-8 become the text \xNN."""
    return _printable(msgspec.json.format(_encoded(value), indent=2))


def encode_line(value: Any) -> bytes:
    """The same on one line."""
    return _printable(_encoded(value))


def _encoded(value: Any) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(_writable(msgspec.to_builtins(value)))


def _printable(data: bytes) -> bytes:
    """What acts on a terminal, or on a runner that reads its log, as the JSON escape of it."""
    text = _NOT_ASCII.sub(_escape, data.decode())
    return _COMMAND.sub(r"#\\u0023", text).encode() + b"\n"


def decode(data: bytes) -> Report:
    """A report written by `encode`; ValueError says in what way it is none, or of which other version."""
    try:
        version = msgspec.json.decode(data, type=_Versioned).schema_version
        if version.split(".")[0] != SCHEMA_VERSION.split(".")[0]:
            raise ValueError(f"it has schema version {version}, this crimes reads {SCHEMA_VERSION}")
        return msgspec.json.decode(data, type=Report)
    except msgspec.MsgspecError as error:
        raise ValueError(f"it is not a report of crimes: {error}") from error


class _Versioned(msgspec.Struct):
    schema_version: str


def _escape(match: re.Match[str]) -> str:
    """What would act on a terminal, as the JSON escape of it: to a reader of JSON the same character."""
    if match[0].isprintable():
        return match[0]
    units = match[0].encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _writable(value: Any) -> Any:
    """The same plain data with surrogates written out; only file names of other encodings hold them."""
    match value:
        case str():
            return _SURROGATE.sub(_byte, value)
        case dict():
            return {_writable(key): _writable(item) for key, item in value.items()}
        case list() | tuple():
            return [_writable(item) for item in value]
        case _:
            return value


def _byte(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"
