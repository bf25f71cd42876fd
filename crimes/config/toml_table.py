"""Tables of a TOML file, read strictly: every fault is noted with its place, and a misspelled key with the one that was meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from crimes.model.errors import ConfigError
from crimes.model.safe_parsing import TooDeep
from crimes.model.safe_parsing import parse_toml as parse_untrusted
from crimes.model.wording import closest

_MAX_FILE_BYTES = 1_000_000
MAX_INT = 2**53 - 1  # the largest integer that every JSON reader keeps exactly

COUNT, NUMBER, SWITCH, TEXT, TEXTS = int, float, bool, str, tuple[str, ...]
_EXPECTED: Mapping[Any, str] = {
    COUNT: "a positive whole number",
    NUMBER: "a number of 0 or more",
    SWITCH: "true or false",
    TEXT: "a string",
    TEXTS: "a list of strings",
}


def read_bytes(root: Path, name: str) -> bytes:
    """The bytes of a settings file; too many of them are for `parse_toml` to refuse."""
    try:
        with open(root / name, "rb") as file:
            return file.read(_MAX_FILE_BYTES + 1)
    except OSError as error:
        raise ConfigError(name, (f"cannot be read: {error.strerror}",), whole_file=True) from error


def parse_toml(name: str, data: bytes) -> dict[str, Any]:
    """The tables of a settings file. ConfigError says what is wrong with it."""
    if len(data) > _MAX_FILE_BYTES:
        raise ConfigError(name, (f"is larger than {_MAX_FILE_BYTES:,} bytes",), whole_file=True)
    try:
        return parse_untrusted(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(
            name, (f"is not UTF-8: byte {error.start} cannot be decoded",), whole_file=True
        ) from error
    except TooDeep as error:
        raise ConfigError(name, (f"is {error}",), whole_file=True) from error
    except ValueError as error:
        raise ConfigError(name, (f"is not valid TOML: {error}",), whole_file=True) from error


class Table(Struct, frozen=True):
    """A table of the file, its path in there, and the list all faults go to."""

    values: Any
    path: str
    problems: list[str]

    def keys(self, known: Iterable[str], what: str = "key") -> list[str]:
        """The known keys that are present; the others are faults, and so is a value that is no table."""
        if not isinstance(self.values, dict):
            self.problems.append(f"{self.path}: expected a table, found {describe(self.values)}")
            return []
        known = sorted(known)
        for key in self.values:
            if key not in known:
                self.problems.append(f"{self.path_of(key)}: unknown {what}{suggestion(key, known)}")
        return [key for key in self.values if key in known]

    def table(self, key: str) -> Table:
        return Table(self.values[key], self.path_of(key), self.problems)

    def value(self, key: str, kind: Any) -> Any:
        """The value as `kind`, or None after noting that it is something else."""
        value = _convert(self.values[key], kind)
        if value is None:
            self.fault(key, f"expected {_EXPECTED[kind]}, found {describe(self.values[key])}")
        return value

    def fault(self, key: str, what: str) -> None:
        """Note what is wrong with the value of a key."""
        self.problems.append(f"{self.path_of(key)}: {what}")

    def path_of(self, key: str) -> str:
        """Where a key stands in the file, as TOML names it."""
        bare = key.isascii() and key.replace("-", "_").replace("_", "a").isalnum()
        return f"{self.path}.{key if bare else repr(key)}".removeprefix(".")


def _convert(value: Any, kind: Any) -> Any:
    """The value when it is of that kind, else None. A bool is not accepted as a number."""
    if kind is SWITCH or isinstance(value, bool):
        return value if kind is SWITCH and isinstance(value, bool) else None
    if kind is COUNT:
        return value if isinstance(value, int) and 1 <= value <= MAX_INT else None
    if kind is NUMBER:
        return float(value) if isinstance(value, int | float) and 0 <= value <= MAX_INT else None
    if kind is TEXT:
        return value if isinstance(value, str) else None
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    return None


def describe(value: Any) -> str:
    """A value for a message: short, and without control characters."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else f"{value[:40]}...")
    if isinstance(value, int) and value.bit_length() > 64:
        return "a very large number"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a table"
    return "a date or time"


def suggestion(key: str, known: list[str]) -> str:
    """The end of a message about an unknown key: the one that was meant, or all there are."""
    if close := closest(key, known):
        return f"; did you mean {close}?"
    if len(known) == 1:
        return f"; expected {known[0]}"
    return f"; expected one of {', '.join(known)}" if 0 < len(known) <= 12 else ""
