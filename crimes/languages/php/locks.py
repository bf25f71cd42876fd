"""composer.json compared with composer.lock."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from typing import Any

from crimes.languages.linking.manifest import Pin, Requirement, check_pin, files_named
from crimes.languages.linking.versions import COMPOSER
from crimes.languages.php.manifests import read_settings, table

_SECTIONS = ("require", "require-dev")


def pins(paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    """The packages that composer.json requires, without the platform and packages that others replace or provide."""
    for lock in files_named(paths, "composer.lock"):
        manifest = posixpath.join(posixpath.dirname(lock), "composer.json")
        if manifest not in paths:
            continue
        lock_data, manifest_data = read_settings(lock, read) or {}, read_settings(manifest, read) or {}
        locked: dict[str, list[str]] = {}
        provided: set[str] = set()
        for package in (*_list(lock_data, "packages"), *_list(lock_data, "packages-dev")):
            locked.setdefault(str(package.get("name", "")).lower(), []).append(
                str(package.get("version", ""))
            )
            for key in ("replace", "provide"):
                provided.update(table(package, key))
        for section in _SECTIONS if locked else ():
            for name, versions in table(manifest_data, section).items():
                name = name.lower()
                if "/" in name and name not in provided and isinstance(versions, str):
                    yield check_pin(
                        manifest, lock, Requirement(name, versions), locked.get(name, ()), COMPOSER
                    )


def _list(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    value = data.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
