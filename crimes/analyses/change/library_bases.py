"""Bases that come with a language: which members they bring is known by name (see outside_members)."""

from __future__ import annotations

import builtins
import sys

from crimes.analyses.change.state import State, last_word, words_of
from crimes.languages import by_id
from crimes.languages.ruby.constants import core_constants

_JAVASCRIPT = frozenset({
    "Array", "Error", "EvalError", "Event", "EventEmitter", "EventTarget", "Map", "Object", "Promise", "RangeError", "Set",
    "SyntaxError", "TypeError", "WeakMap", "WeakSet",
})  # fmt: skip
_SWIFT = frozenset({
    "AnyObject", "CaseIterable", "Codable", "CustomDebugStringConvertible", "CustomStringConvertible", "Decodable", "Encodable", "Equatable",
    "Error", "Hashable", "Identifiable", "LocalizedError", "NSObject", "Sendable",
})  # fmt: skip
_PHP = frozenset({
    "ArrayAccess", "ArrayIterator", "ArrayObject", "BackedEnum", "Countable", "DateTime", "DateTimeImmutable", "DateTimeInterface",
    "Iterator", "IteratorAggregate", "JsonSerializable", "Serializable", "SplObjectStorage", "Stringable", "Throwable", "Traversable",
    "UnitEnum",
})  # fmt: skip
_PHP_ENDINGS = ("Exception", "Error")


def is_library_base(state: State, path: str, base: str) -> bool:
    """Whether a base, as a class writes it, comes with the language."""
    facts = state.facts(path)
    family = by_id[facts.language].family if facts else ""
    plain = base.partition("[")[0].partition("<")[0]
    name = last_word(plain).rpartition(" ")[2]  # without an attribute
    if family == "python":
        return _is_of_python(state, path, plain)
    if family == "ruby":
        return base.lstrip(":") in core_constants()
    if family == "javascript":
        return name in _JAVASCRIPT
    if family == "swift":
        return name in _SWIFT
    if family == "go":
        return _is_of_go(state, path, plain)
    is_known = name in _PHP or name.endswith(_PHP_ENDINGS)
    return family == "php" and is_known and _is_global_in_php(state, path, base)


def _is_global_in_php(state: State, path: str, base: str) -> bool:
    """Whether a name stands for a class outside of all namespaces: `\\Exception`, or imported as that."""
    facts = state.files[path].facts
    if base.startswith("\\"):
        return base.count("\\") == 1
    bound = [(item, name) for item in facts.imports for name in item.names if name.alias == base]
    if bound:
        return all(not item.target and name.name == base for item, name in bound)
    return "\\" not in base and not facts.packages


def _is_of_go(state: State, path: str, base: str) -> bool:
    """Whether an embedded type is one of a standard package: no domain stands before its path."""
    package, dot, _ = base.lstrip("*").partition(".")
    imported = [
        item.target
        for item in state.files[path].facts.imports
        if package == (item.alias or last_word(item.target))
    ]
    return bool(dot) and bool(imported) and all("." not in target.partition("/")[0] for target in imported)


def _is_of_python(state: State, path: str, base: str) -> bool:
    root = words_of(base)[0]
    imported = [
        item
        for item in state.files[path].facts.imports
        if root in (item.alias or item.target, *(bound.alias or bound.name for bound in item.names))
    ]
    if imported:
        return all(item.target.partition(".")[0] in sys.stdlib_module_names for item in imported)
    return hasattr(builtins, base)
