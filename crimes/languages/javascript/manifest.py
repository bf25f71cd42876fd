"""One package.json: what it depends on, and which files it gives under which names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from msgspec import Struct

DEPENDENCY_FIELDS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")

# Conditions that name one platform, or declarations, stand behind those any reader would take; the rest keep
# the order they are written in, so that a repository's own condition for its sources is among the first.
LATE_CONDITIONS = {
    "types": 1,
    **dict.fromkeys(("browser", "bun", "deno", "edge-light", "electron", "production", "react-native"), 2),
    **dict.fromkeys(("react-server", "script", "style", "worker", "workerd", "netlify", "workerd-node"), 2),
}


class Package(Struct, frozen=True, dict=True):
    """A folder with a package.json."""

    folder: str
    manifest: dict[str, Any]

    @property
    def name(self) -> str:
        name = self.manifest.get("name")
        return name if isinstance(name, str) else ""

    @cached_property
    def asks(self) -> dict[str, str]:
        """All dependencies with the versions asked for."""
        return self.asked(DEPENDENCY_FIELDS)

    def asked(self, sections: tuple[str, ...]) -> dict[str, str]:
        """The dependencies of some sections; of a name in two of them the first counts."""
        found: dict[str, str] = {}
        for section in sections:
            listed = self.manifest.get(section)
            for name, version in listed.items() if isinstance(listed, dict) else ():
                if isinstance(version, str):
                    found.setdefault(name, version)
        return found

    def dependency(self, name: str) -> str | None:
        """The version asked for of a dependency; None when it is not one."""
        return self.asks.get(name)

    def exports(self, subpath: str) -> list[str] | None:
        """Targets `exports` gives for "." or "./sub/path"; None when it says nothing of it."""
        exports = self.manifest.get("exports")
        if isinstance(exports, dict) and any(key.startswith(".") for key in exports):
            return _choose(exports, subpath)
        return _targets(exports, "") if exports is not None and subpath == "." else None

    def imports(self, specifier: str) -> list[str] | None:
        """Targets `imports` gives for "#name"; None when it says nothing of it."""
        imports = self.manifest.get("imports")
        return _choose(imports, specifier) if isinstance(imports, dict) else None


def _choose(table: dict[str, Any], key: str) -> list[str] | None:
    """The entry for a key: exact, else the pattern with the longest text before its star."""
    if key in table and "*" not in key:
        return _targets(table[key], "")
    for pattern in sorted(table, key=lambda one: (-len(one.partition("*")[0]), -len(one), one)):
        before, star, after = pattern.partition("*")
        if not star and not pattern.endswith("/"):
            continue
        fits = key.startswith(before) and key.endswith(after) and len(key) > len(before) + len(after)
        if fits:
            middle = key[len(before) : len(key) - len(after)]
            return _targets(table[pattern], middle, folder=not star)
    return None


def _targets(value: object, middle: str, folder: bool = False) -> list[str]:
    """Every target below nested conditions and lists, the most general first."""
    found = sorted(_leaves(value, 0), key=lambda leaf: leaf[0])
    return [target + middle if folder else target.replace("*", middle) for _, target in found]


def _leaves(value: object, late: int, depth: int = 0) -> Iterator[tuple[int, str]]:
    if isinstance(value, str):
        yield late, value
    elif isinstance(value, list) and depth < 20:
        for item in value:
            yield from _leaves(item, late, depth + 1)
    elif isinstance(value, dict) and depth < 20:
        for condition, item in value.items():
            yield from _leaves(item, max(late, LATE_CONDITIONS.get(condition, 0)), depth + 1)
