"""composer.json compared with composer.lock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from crimes.languages.linking.manifest import Pin, Requirement, check_pin
from crimes.languages.linking.manifest_files import lock_pairs
from crimes.languages.linking.versions import COMPOSER
from crimes.languages.php.manifests import read_settings, table

_SECTIONS = ("require", "require-dev")


def pins(paths: frozenset[str], read: Callable[[str], bytes]) -> Iterator[Pin]:
    """The packages that composer.json requires, without the platform and packages that others replace or provide."""
    for lock, manifest in lock_pairs(paths, "composer.lock", "composer.json"):
        lock_data, manifest_data = read_settings(lock, read) or {}, read_settings(manifest, read) or {}
        locked: dict[str, list[str]] = {}
        provided: set[str] = set()
        for package in (*_list(lock_data, "packages"), *_list(lock_data, "packages-dev")):
            name = str(package.get("name", "")).lower()
            locked.setdefault(name, []).append(str(package.get("version", "")))
            for key in ("replace", "provide"):
                provided.update(table(package, key))
        for section in _SECTIONS if locked else ():
            for name, versions in table(manifest_data, section).items():
                name = name.lower()
                if "/" in name and name not in provided and isinstance(versions, str):
                    requirement = Requirement(name, versions)
                    yield check_pin(manifest, lock, requirement, locked.get(name, ()), COMPOSER)


def _list(data: dict[str, Any], key: str) -> list[dict[str, Any]]:
    value = data.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
