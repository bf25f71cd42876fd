"""composer.json held against composer.lock."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from typing import Any

from crimes.languages.linking.manifest import Asked, Pin, named, pin
from crimes.languages.linking.versions import COMPOSER
from crimes.languages.php.manifests import read_settings, table

_SECTIONS = ("require", "require-dev")


def pins(paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    """What composer.json asks for; the platform and what other packages stand in for need no entry."""
    for lock in named(paths, "composer.lock"):
        manifest = posixpath.join(posixpath.dirname(lock), "composer.json")
        if manifest not in paths:
            continue
        data, asked = read_settings(lock, read) or {}, read_settings(manifest, read) or {}
        locked: dict[str, list[str]] = {}
        stand_ins: set[str] = set()
        for package in (*_list(data, "packages"), *_list(data, "packages-dev")):
            locked.setdefault(str(package.get("name", "")).lower(), []).append(
                str(package.get("version", ""))
            )
            for key in ("replace", "provide"):
                stand_ins.update(table(package, key))
        for section in _SECTIONS if locked else ():
            for name, versions in table(asked, section).items():
                name = name.lower()
                if "/" in name and name not in stand_ins and isinstance(versions, str):
                    yield pin(manifest, lock, Asked(name, versions), locked.get(name, ()), COMPOSER)


def _list(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    value = data.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
