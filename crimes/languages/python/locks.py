"""Python manifests held against uv.lock, poetry.lock, pdm.lock and Pipfile.lock."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from crimes.languages.linking.manifest import Asked, Pin, named, pin, text_of
from crimes.languages.linking.versions import PEP440, POETRY, Dialect
from crimes.languages.python.manifests import at, parsed_toml
from crimes.languages.python.requirements import canonical, installed, tabled
from crimes.model.lazy_regex import regex

# All three write the name first and the version next. A TOML library takes seconds for a long one.
_PACKAGE = regex(r'^\[\[package\]\]\r?\nname = "([^"]+)"\r?\n(?:version = "([^"]+)")?', re.MULTILINE)
_DIALECTS: Mapping[str, Dialect] = {"uv.lock": PEP440, "pdm.lock": PEP440, "poetry.lock": POETRY}


def pins(paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    """What pyproject.toml and Pipfile ask for, with what is locked beside them."""
    for lock in named(paths, *_DIALECTS, "Pipfile.lock"):
        folder, name = posixpath.split(lock)
        if name in _DIALECTS:
            yield from _pyproject(posixpath.join(folder, "pyproject.toml"), lock, paths, read)
        elif name == "Pipfile.lock":
            yield from _pipfile(posixpath.join(folder, "Pipfile"), lock, paths, read)


def _pyproject(
    manifest: str, lock: str, paths: frozenset[str], read: Callable[[str], bytes]
) -> Iterator[Pin]:
    data = parsed_toml(manifest, read) if manifest in paths else {}
    locked: dict[str, list[str]] = {}
    for name, version in _PACKAGE.findall(text_of(lock, read)):
        locked.setdefault(canonical(name), []).append(version)
    if not locked:
        return
    own = canonical(str(at(data, "project.name") or at(data, "tool.poetry.name") or ""))
    # Taken from elsewhere, or set to another version on purpose.
    freed = {canonical(name) for name in at(data, "tool.uv.sources") or ()} | _named(data)
    dialect = _DIALECTS[posixpath.basename(lock)]
    for ask in dict.fromkeys(installed(data)):
        if ask.name in (own, "python") or (ask.conditional and ask.name not in locked):
            continue
        told = ask.name not in freed and not ask.conditional
        yield pin(manifest, lock, ask, locked.get(ask.name, ()), dialect if told else None)


def _named(data: Any) -> set[str]:
    listed = [at(data, "tool.uv.override-dependencies"), at(data, "tool.uv.constraint-dependencies")]
    texts = [text for one in listed if isinstance(one, list) for text in one if isinstance(text, str)]
    return {canonical(found[0]) for text in texts if (found := re.match(r"\s*[\w.-]+", text))}


def _pipfile(manifest: str, lock: str, paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    try:
        data: Any = json.loads(text_of(lock, read))
    except (ValueError, RecursionError):
        return
    asked = parsed_toml(manifest, read) if manifest in paths else {}
    for section, part in (("packages", "default"), ("dev-packages", "develop")):
        locked = at(data, part)
        if isinstance(locked, dict):
            known = {canonical(name): at(spec, "version") for name, spec in locked.items()}
            for ask in tabled(at(asked, section)):
                if not ask.conditional or ask.name in known:
                    yield pin(manifest, lock, ask, _exact(known, ask), POETRY)


def _exact(known: Mapping[str, Any], ask: Asked) -> tuple[str, ...]:
    version = known.get(ask.name)
    return (str(version or "").removeprefix("=="),) if ask.name in known else ()
