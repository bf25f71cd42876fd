"""Gemfile compared with Gemfile.lock. The Gemfile is a program and never run: only plain top-level lines count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from crimes.languages.linking.manifest import Pin, Requirement, check_pin
from crimes.languages.linking.manifest_files import lock_pairs, manifest_text
from crimes.languages.linking.versions import GEM
from crimes.model.lazy_regex import regex

_GEM = regex(
    r"""^gem[ \t]+["']([\w.-]+)["']((?:[ \t]*,[ \t]*["'][^"'\n]*["'])*)[ \t]*(?:,[^\n]*)?(?:#.*)?$""",
    re.MULTILINE,
)
_VERSIONS = regex(r"""["']([^"'\n]*)["']""")
_LOCKED = regex(r"^ {4}([\w.-]++) \(([\w.]++)[^)\n]*+\)$", re.MULTILINE)
_DEPENDENCY = regex(r"^ {2}([\w.-]+)", re.MULTILINE)
_ELSEWHERE = regex(r"\b(?:path|git|github|branch)\b|\bif\b|\bunless\b")


def pins(paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    """The gems that each Gemfile requires, with the locked versions."""
    for lock, manifest in lock_pairs(paths, "Gemfile.lock", "Gemfile"):
        locked: dict[str, list[str]] = {}
        text = manifest_text(lock, read)
        for gem, version in _LOCKED.findall(text):
            locked.setdefault(gem, []).append(version)
        for gem in _DEPENDENCY.findall(text.partition("\nDEPENDENCIES\n")[2]):
            locked.setdefault(gem, [""])  # for a platform without locked versions
        for line in _GEM.finditer(manifest_text(manifest, read)) if locked else ():
            if not _ELSEWHERE.search(line[0]):
                requirement = Requirement(line[1], ", ".join(_VERSIONS.findall(line[2])))
                yield check_pin(manifest, lock, requirement, locked.get(requirement.name, ()), GEM)
