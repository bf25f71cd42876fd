"""The native reader, where it is installed: the same table as the Python walk, and facts in the encoding the cache stores.

The Python walk is the reference. A language whose hooks have no native twin, and a file that the native reader declines, are
read by it. `CRIMES_READER=python` leaves the native reader out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.msgpack import Encoder
from msgspec.structs import replace

from crimes.discovery.roles import copied_marker, generated_marker
from crimes.incremental.code_version import is_installed
from crimes.languages.engine.facts import as_utf8, is_document, read_facts
from crimes.languages.engine.flat_lists import dotted_name_pattern, flat_call_pattern, own_attribute_pattern
from crimes.languages.engine.lines import Lines
from crimes.languages.engine.table import table_for
from crimes.languages.spec import Language, Syntax, no_exports, no_imports

if TYPE_CHECKING:
    from types import ModuleType

READER = "CRIMES_READER"  # set to `python`, the native reader is left out
NATIVE_MODULE = "crimes_native"
_HERE = "crimes.languages"
_encode = Encoder().encode


@cache
def native_module() -> ModuleType | None:
    """The module of the native reader; None where it is not installed, or not wanted, or made for another tree-sitter."""
    if os.environ.get(READER, "") == "python":
        return None
    try:
        module = import_module(NATIVE_MODULE)
    except ImportError:
        return None
    return module if is_installed("tree_sitter", module.TREE_SITTER) else None


def reader_name() -> str:
    """What reads files here: `native` or `python`."""
    return "python" if native_module() is None else "native"


class Job(Struct, frozen=True):
    """A file to read: UTF-8 source of a language with a grammar, and what its facts say of the file around it."""

    language: Language
    source: bytes
    file_language: str  # the id that the facts name
    generated: str  # the words that say that a program wrote it
    lines: int | None = None  # of the file, where the source is only a part of it


def job_of(language: Language, source: bytes) -> Job | None:
    """What the native reader is asked to read of a file; None for a file that has a reader of its own. Raises Unreadable."""
    source = as_utf8(source)
    if language.read is not None or language.syntax is None or is_document(language, source):
        return None
    if language.inner is not None:
        inner, code = language.inner(source)
        job = job_of(inner, code)
        return job and replace(job, file_language=language.id, lines=Lines(source).count)
    return Job(language, source, language.id, generated_marker(source) or copied_marker(source))


def encoded_facts(language: Language, source: bytes, seconds: Callable[[int], float]) -> bytes:
    """The facts of one file as the cache stores them, from whichever reader can. Raises Unreadable."""
    job = job_of(language, source) if native_module() is not None else None
    encoded = read_natively([job], seconds)[0] if job is not None else None
    return encoded or _encode(read_facts(language, source))


def read_natively(jobs: Sequence[Job], seconds: Callable[[int], float]) -> list[bytes | None]:
    """Encoded facts of each; None for one that the Python reader has to read."""
    return start_natively(jobs, seconds, threads=0)()


def start_natively(
    jobs: Sequence[Job], seconds: Callable[[int], float], threads: int
) -> Callable[[], list[bytes | None]]:
    """Start to read; what is returned waits for the facts, and reads what the threads have not come to.

    `seconds` is how long a source of so many bytes may take to parse. The threads are none of Python's and need no lock.
    """
    native = native_module()
    results: list[bytes | None] = [None] * len(jobs)
    rows: list[tuple[int, tuple[Any, ...]]] = []
    for at, job in enumerate(jobs):
        table = table_of(job.language)
        if table is not None:
            allowance = seconds(len(job.source))
            rows.append((at, (table, job.source, job.file_language, job.generated, job.lines, allowance)))
    if native is None or not rows:
        return lambda: results
    reading = native.Reading([row for _, row in rows], threads)

    def wait() -> list[bytes | None]:
        for (at, _), answer in zip(rows, reading.result(), strict=True):
            results[at] = answer if isinstance(answer, bytes) else None
        return results

    return wait


_tables: dict[str, Any] = {}


def table_of(language: Language) -> Any:
    """The native table of a language; None if it needs something that only Python has."""
    if language.id not in _tables:
        native, syntax = native_module(), language.syntax
        is_native = native is not None and syntax is not None and not missing_hooks(language)
        _tables[language.id] = (
            native.Table(_shared(), syntax.grammar(), _description(syntax))
            if is_native and native is not None and syntax is not None
            else None
        )
    return _tables[language.id]


def missing_hooks(language: Language) -> list[str]:
    """The hooks of a language that have no native twin."""
    native, syntax = native_module(), language.syntax
    known = {name for name, _ in native.HOOKS} if native is not None else set()
    return sorted(set(_hooks(syntax).values()) - known) if syntax is not None else []


@cache
def _shared() -> Any:
    from crimes.languages.engine.words import EMPTY_VALUES

    native = native_module()
    assert native is not None
    return native.Shared({"patterns": _patterns(native.PATTERNS), "empty_values": set(EMPTY_VALUES)})


def _patterns(paths: Sequence[str]) -> dict[str, Any]:
    """Patterns by where they stand: `engine.words:_GROUPS`."""
    from crimes.languages.engine.native_patterns import pack

    packed = {}
    for path in paths:
        module, _, name = path.partition(":")
        packed[path] = pack(getattr(import_module(f"{_HERE}.{module}"), name))
    return packed


def _hooks(syntax: Syntax) -> dict[str, str]:
    """What a syntax leaves to functions: the field, and the name of the function below `crimes.languages`."""
    default = Syntax(grammar=syntax.grammar, queries=syntax.queries)
    hooks: dict[str, tuple[Any, Any]] = {
        "imports.statements": (syntax.imports.statements, no_imports),
        "imports.exports": (syntax.imports.exports, no_exports),
        "imports.call_draft": (syntax.imports.call_draft, None),
        "imports.refine": (syntax.imports.refine, None),
        "imports.relative": (syntax.imports.relative, None),
        "errors.handler": (syntax.errors.handler, default.errors.handler),
        "errors.branch": (syntax.errors.branch, None),
        "errors.discards": (syntax.errors.discards, None),
        "functions.declarator": (syntax.functions.declarator, None),
        "tokens": (syntax.tokens, None),
    }
    return {
        field: f"{hook.__module__}.{hook.__qualname__}".removeprefix(f"{_HERE}.")
        for field, (hook, usual) in hooks.items()
        if hook is not usual
    }


def _description(syntax: Syntax) -> dict[str, Any]:
    """A syntax in the words of the native reader. Every field that reading a file depends on is here."""
    from crimes.languages.engine.native_patterns import pack

    native = native_module()
    assert native is not None
    imports, errors, tests = syntax.imports, syntax.errors, syntax.tests
    names, functions = syntax.names, syntax.functions
    hooks = _hooks(syntax)
    needed = [path for name, paths in native.HOOKS if name in hooks.values() for path in paths]
    entries = table_for(syntax.queries, syntax.grammar).entries

    def packed(pattern: Any) -> Any:
        return None if pattern is None else pack(pattern)

    return {
        "entries": [
            (
                kind,
                entry.role,
                entry.parts,
                [(part, sorted(tokens) if tokens else None) for part, tokens in entry.guards],
            )
            for kind, entry in entries.items()
        ],
        "hooks": hooks,
        "hook_patterns": _patterns(needed),
        "flat": _flat_patterns(syntax),
        "repair": syntax.repair,  # called back for a source that does not parse
        "operators_nest_right": syntax.operators_nest_right,
        "brackets_hold_types": syntax.brackets_hold_types,
        "import_kind": str(imports.kind),
        "import_calls": {call: str(kind) for call, kind in imports.calls.items()},
        "import_conditions": {text: str(kind) for text, kind in imports.conditions.items()},
        "file_decorator": packed(imports.file_decorator),
        "export_list": imports.export_list,
        "export_prefixes": list(imports.export_prefixes),
        "exports_all_public": imports.exports_all_public,
        "handler_calls": set(errors.handler_calls),
        "raising_calls": set(errors.raising_calls),
        "test_names": packed(tests.names),
        "test_calls": packed(tests.calls),
        "test_decorators": packed(tests.decorators),
        "test_macros": packed(tests.macros),
        "test_scopes": packed(tests.scopes),
        "compiler_conditions": packed(tests.compiler_conditions),
        "test_conditions": set(tests.conditions),
        "self_prefix": names.self_prefix,
        "implicit_self": names.implicit_self,
        "environment": names.environment,
        "free_names": names.free_names,
        "bare_calls": names.bare_calls,
        "declared_name": packed(names.declared_name),
        "reopens": names.reopens,
        "packages_chain": names.packages_chain,
        "namespaces_are_packages": names.namespaces_are_packages,
        "async_words": list(functions.async_words),
        "receiver": packed(functions.receiver),
        "blocks_are_values": functions.blocks_are_values,
        "results_are_returned": functions.results_are_returned,
        "wrappers_are_flat": functions.wrappers_are_flat,
        "decorators_inside": functions.decorators_inside,
        "whole_decorators": functions.whole_decorators,
        "callback": functions.callback,
        "anonymous": functions.anonymous,
        "labels": set(functions.labels),
    }


def _flat_patterns(syntax: Syntax) -> dict[str, Any] | None:
    from crimes.languages.engine import flat_lists
    from crimes.languages.engine.native_patterns import pack

    if syntax.flat_list is None:
        return None
    prefix = syntax.names.self_prefix
    return {
        "list": pack(syntax.flat_list),
        "call": pack(flat_call_pattern(syntax.flat_list)),
        "dotted": pack(dotted_name_pattern(prefix)),
        "own": pack(own_attribute_pattern(prefix)),
        "callee": pack(flat_lists.CALLEE),
    }
