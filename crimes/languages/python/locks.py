"""Python manifests compared with uv.lock, poetry.lock, pdm.lock and Pipfile.lock."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from crimes.languages.linking.manifest import Pin, Requirement, check_pin
from crimes.languages.linking.manifest_files import at, files_named, manifest_text, read_toml
from crimes.languages.linking.versions import PEP440, POETRY, Dialect
from crimes.languages.python.requirements import canonical_name, pyproject_dependencies, table_dependencies
from crimes.model.lazy_regex import regex

# All three write the name first and the version next; parsing a long lockfile as TOML takes seconds.
_PACKAGE = regex(r'^\[\[package\]\]\r?\nname = "([^"]+)"\r?\n(?:version = "([^"]+)")?', re.MULTILINE)
_DIALECTS: Mapping[str, Dialect] = {"uv.lock": PEP440, "pdm.lock": PEP440, "poetry.lock": POETRY}


def pins(paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    """Dependencies of each pyproject.toml and Pipfile, with the versions locked beside it."""
    for lock in files_named(paths, *_DIALECTS, "Pipfile.lock"):
        folder, name = posixpath.split(lock)
        if name in _DIALECTS:
            yield from _pyproject(posixpath.join(folder, "pyproject.toml"), lock, paths, read)
        elif name == "Pipfile.lock":
            yield from _pipfile(posixpath.join(folder, "Pipfile"), lock, paths, read)


def _pyproject(
    manifest: str, lock: str, paths: frozenset[str], read: Callable[[str], bytes]
) -> Iterator[Pin]:
    data = read_toml(manifest, read) if manifest in paths else {}
    locked: dict[str, list[str]] = {}
    for name, version in _PACKAGE.findall(manifest_text(lock, read)):
        locked.setdefault(canonical_name(name), []).append(version)
    if not locked:
        return
    own = canonical_name(str(at(data, "project.name") or at(data, "tool.poetry.name") or ""))
    # Another source, or another version on purpose: what is locked need not fit.
    sources = {canonical_name(name) for name in at(data, "tool.uv.sources") or ()}
    overridden = sources | _constrained(data)
    dialect = _DIALECTS[posixpath.basename(lock)]
    for requirement in dict.fromkeys(pyproject_dependencies(data)):
        if requirement.name in (own, "python") or (
            requirement.conditional and requirement.name not in locked
        ):
            continue
        comparable = requirement.name not in overridden and not requirement.conditional
        yield check_pin(
            manifest, lock, requirement, locked.get(requirement.name, ()), dialect if comparable else None
        )


def _constrained(data: Any) -> set[str]:
    """Names that uv overrides or constrains."""
    lists = [at(data, "tool.uv.override-dependencies"), at(data, "tool.uv.constraint-dependencies")]
    texts = [text for items in lists if isinstance(items, list) for text in items if isinstance(text, str)]
    return {canonical_name(name[0]) for text in texts if (name := re.match(r"\s*[\w.-]+", text))}


def _pipfile(manifest: str, lock: str, paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    try:
        data: Any = json.loads(manifest_text(lock, read))
    except (ValueError, RecursionError):
        return
    pipfile = read_toml(manifest, read) if manifest in paths else {}
    for section, part in (("packages", "default"), ("dev-packages", "develop")):
        locked = at(data, part)
        if isinstance(locked, dict):
            known = {canonical_name(name): at(spec, "version") for name, spec in locked.items()}
            for requirement in table_dependencies(at(pipfile, section)):
                if not requirement.conditional or requirement.name in known:
                    yield check_pin(manifest, lock, requirement, _locked_version(known, requirement), POETRY)


def _locked_version(known: Mapping[str, Any], requirement: Requirement) -> tuple[str, ...]:
    version = known.get(requirement.name)
    return (str(version or "").removeprefix("=="),) if requirement.name in known else ()
