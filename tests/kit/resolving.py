"""Small repositories given as data, and where the imports and names of their files lead."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from crimes.discovery.discover import extensions_of
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.reading import Unreadable
from crimes.languages.spec import Language, Resolution, ResolveInput, Resolver
from crimes.model.facts import EdgeKind, FileFacts, Import, ImportedName

EXTERNAL, KNOWN, UNRESOLVED = "external", "known", "unresolved"
Files = Mapping[str, Any]  # by path: text, bytes, an OSError that reading raises, or a value to write as JSON


def facts_of(files: Files) -> dict[str, FileFacts]:
    """The facts of all files that are code and can be read."""
    facts = {}
    for path, language in _languages(files).items():
        with suppress(OSError, Unreadable):
            facts[path] = read_facts(language, _read(files, path))
    return facts


def resolver_of(files: Files, path: str, roots: tuple[str, ...] = ()) -> Resolver:
    """The resolver of the language of `path`, over all files."""
    languages = _languages(files)
    language = languages[path]
    facts = {
        other: each for other, each in facts_of(files).items() if languages[other].family == language.family
    }
    assert language.resolver is not None
    return language.resolver(ResolveInput(frozenset(files), facts, roots, lambda other: _read(files, other)))


def resolutions(files: Files, path: str, roots: tuple[str, ...] = ()) -> list[Resolution]:
    """One for each import of the file."""
    resolver = resolver_of(files, path, roots)
    return [resolver.resolve(path, item) for item in facts_of({path: files[path]})[path].imports]


def import_targets(files: Files, path: str, roots: tuple[str, ...] = ()) -> list[str]:
    """One text for each import of the file: the files it leads to, or why it leads nowhere."""
    return [
        " ".join(target.path for target in resolution.targets) or _reason(resolution)
        for resolution in resolutions(files, path, roots)
    ]


def import_targets_with_names(files: Files, path: str) -> list[str]:
    """As `import_targets`, with the names found in each file, and the package of what is external."""
    return [
        " ".join(f"{target.path}({','.join(target.names)})" for target in resolution.targets)
        or _reason_with_package(resolution)
        for resolution in resolutions(files, path)
    ]


def target_of(files: Files, path: str, specifier: str, roots: tuple[str, ...] = ()) -> str:
    """The file that an import of `specifier` leads to, "external package", or "unresolved"."""
    resolution = resolver_of(files, path, roots).resolve(path, import_of(specifier))
    return " ".join(target.path for target in resolution.targets) or _reason_with_package(resolution)


def import_of(specifier: str, *names: str, kind: EdgeKind = EdgeKind.RUNTIME) -> Import:
    pairs = tuple(ImportedName(name, name) for name in names)
    return Import(specifier, 1, kind, pairs, "", -1, False)


def implicit_uses(files: Files, path: str) -> dict[str, tuple[str, ...]]:
    """The files that `path` uses without an import, and by which names."""
    uses = list(resolver_of(files, path).uses(path))
    paths = [use.path for use in uses]
    assert paths == sorted(set(paths)), "each file once, in order"
    return {use.path: use.names for use in uses}


def _reason(resolution: Resolution) -> str:
    return EXTERNAL if resolution.external else KNOWN if resolution.known else UNRESOLVED


def _reason_with_package(resolution: Resolution) -> str:
    return f"{EXTERNAL} {resolution.package}" if resolution.external else _reason(resolution)


def _languages(files: Files) -> dict[str, Language]:
    by_extension = extensions_of(by_id, files)
    languages = {path: by_extension.get(os.path.splitext(path)[1]) for path in files}
    return {path: language for path, language in languages.items() if language and language.reads(path)}


def _read(files: Files, path: str) -> bytes:
    content = files[path]
    if isinstance(content, OSError):
        raise content
    if isinstance(content, bytes):
        return content
    return (content if isinstance(content, str) else json.dumps(content)).encode("utf-8", "surrogateescape")
