"""Patterns that code hands straight to `re`, read from the source: those built around a name get one in its place."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

FUNCTIONS = frozenset(
    {"compile", "search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn"}
)
ANCHORED = frozenset({"match", "fullmatch"})
# Functions whose pattern is handed on, and asked with `fullmatch` alone.
ANCHORED_BUILDERS = frozenset({"flat_call_pattern", "dotted_name_pattern"})


class DirectPattern(NamedTuple):
    """A pattern, where it stands, and whether only the start of a text is asked."""

    place: str
    compiled: re.Pattern[Any]
    anchored: bool


class UnreadablePattern(Exception):
    """The source does not say what a pattern is: `regex()` of `crimes.model.lazy_regex` is for such."""


class _Unknown(str):
    """In place of whatever a function was given: a short name, whatever is asked of it."""

    def __getattr__(self, name: str) -> _Unknown:
        return self

    def __call__(self, *_: object, **__: object) -> _Unknown:
        return self


_STAND_INS: dict[str, Any] = {"bytes": b"name", "re.Pattern[bytes]": re.compile(b"name")}


class _Names(dict[str, Any]):
    def __missing__(self, name: str) -> Any:
        builtin = (
            getattr(__builtins__, name, None)
            if not isinstance(__builtins__, dict)
            else __builtins__.get(name)
        )
        if builtin is not None:
            return builtin
        return _Unknown("name")


def direct_patterns(file: Path, module: str) -> Iterator[DirectPattern]:
    """Every pattern in a source file that is no `regex()`. UnreadablePattern if one cannot be made out."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    scopes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
        function = call.func
        if not (isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)):
            continue
        if function.value.id != "re" or function.attr not in FUNCTIONS:
            continue
        around = [scope for scope in scopes if scope.lineno <= call.lineno <= (scope.end_lineno or 0)]
        place = f"{module}:{call.lineno}"
        try:
            names = _names_at(call, around[-1] if around else None, module)
            source = _evaluate(call.args[0], names)
            flags = _flags_of(call, function.attr, names)
            compiled = source if isinstance(source, re.Pattern) else re.compile(source, flags)
        except Exception as error:
            raise UnreadablePattern(f"{place}: {error!r}") from error
        builder = around[-1].name if around else ""
        yield DirectPattern(place, compiled, function.attr in ANCHORED or builder in ANCHORED_BUILDERS)


def _names_at(call: ast.Call, scope: ast.FunctionDef | None, module: str) -> _Names:
    """What the names around a call mean: globals of the module, then what the function assigned before."""
    names = _Names(vars(importlib.import_module(module)))
    if scope is None:
        return names
    for argument in (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs):
        kind = ast.unparse(argument.annotation) if argument.annotation is not None else ""
        names[argument.arg] = _STAND_INS.get(kind, _Unknown("name"))
    for node in ast.walk(scope):
        if (
            isinstance(node, ast.Assign)
            and node.lineno < call.lineno
            and isinstance(node.targets[0], ast.Name)
        ):
            try:
                value = _evaluate(node.value, names)
            except Exception:  # noqa: BLE001 - it needs what the function was given
                value = None
            names[node.targets[0].id] = _Unknown("name") if value is None else value
    return names


def _evaluate(node: ast.expr, names: _Names) -> Any:
    return eval(compile(ast.Expression(node), "pattern", "eval"), names)


def _flags_of(call: ast.Call, function: str, names: _Names) -> int:
    position = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(function, 2)
    stated = [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
    stated += call.args[position : position + 1]
    return int(_evaluate(stated[0], names)) if stated else 0
