"""Gemfile held against Gemfile.lock. The Gemfile is a program and is not run: only plain lines at its top level count."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from crimes.languages.linking.manifest import Asked, Pin, named, pin, text_of
from crimes.languages.linking.versions import GEM
from crimes.model.lazy_regex import regex

_GEM = regex(
    r"""^gem[ \t]+["']([\w.-]+)["']((?:[ \t]*,[ \t]*["'][^"'\n]*["'])*)[ \t]*(?:,[^\n]*)?(?:#.*)?$""",
    re.MULTILINE,
)
_VERSIONS = regex(r"""["']([^"'\n]*)["']""")
_LOCKED = regex(r"^ {4}([\w.-]+) \(([\w.]+)[^)]*\)$", re.MULTILINE)
_STATED = regex(r"^ {2}([\w.-]+)", re.MULTILINE)
_ELSEWHERE = regex(r"\b(?:path|git|github|branch)\b|\bif\b|\bunless\b")


def pins(paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    """What the Gemfile asks for, with what is locked beside it."""
    for lock in named(paths, "Gemfile.lock"):
        manifest = posixpath.join(posixpath.dirname(lock), "Gemfile")
        if manifest not in paths:
            continue
        locked: dict[str, list[str]] = {}
        text = text_of(lock, read)
        for gem, version in _LOCKED.findall(text):
            locked.setdefault(gem, []).append(version)
        for gem in _STATED.findall(text.partition("\nDEPENDENCIES\n")[2]):
            locked.setdefault(gem, [""])  # for a platform that nobody has locked
        for line in _GEM.finditer(text_of(manifest, read)) if locked else ():
            if not _ELSEWHERE.search(line[0]):
                ask = Asked(line[1], ", ".join(_VERSIONS.findall(line[2])))
                yield pin(manifest, lock, ask, locked.get(ask.name, ()), GEM)
