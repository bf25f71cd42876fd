"""One package.json: what it depends on, and which files it exports under which names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from msgspec import Struct

_MAX_CONDITION_DEPTH = 20
DEPENDENCY_FIELDS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")

# Conditions for one platform or for declarations come after the general ones; the rest keep their written
# order, so that a repository's own condition for its sources is among the first.
CONDITION_RANKS = {
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
    def dependencies(self) -> dict[str, str]:
        """All dependencies with the versions they ask for."""
        return self.dependencies_in(DEPENDENCY_FIELDS)

    def dependencies_in(self, sections: tuple[str, ...]) -> dict[str, str]:
        """The dependencies of some sections; the first section with a name decides its version."""
        versions: dict[str, str] = {}
        for section in sections:
            listed = self.manifest.get(section)
            for name, version in listed.items() if isinstance(listed, dict) else ():
                if isinstance(version, str):
                    versions.setdefault(name, version)
        return versions

    def dependency(self, name: str) -> str | None:
        """The version a dependency asks for; None when there is no such dependency."""
        return self.dependencies.get(name)

    def exports(self, subpath: str) -> list[str] | None:
        """Targets of "." or "./sub/path" in `exports`; None when it has no entry for it."""
        exports = self.manifest.get("exports")
        if isinstance(exports, dict) and any(key.startswith(".") for key in exports):
            return _choose(exports, subpath)
        return _targets(exports, "") if exports is not None and subpath == "." else None

    def imports(self, specifier: str) -> list[str] | None:
        """Targets of "#name" in `imports`; None when it has no entry for it."""
        imports = self.manifest.get("imports")
        return _choose(imports, specifier) if isinstance(imports, dict) else None


def _choose(table: dict[str, Any], key: str) -> list[str] | None:
    """Targets of the entry for a key: exact, else the pattern with the longest text before its star."""
    if key in table and "*" not in key:
        return _targets(table[key], "")
    for pattern in sorted(table, key=lambda text: (-len(text.partition("*")[0]), -len(text), text)):
        before, star, after = pattern.partition("*")
        if not star and not pattern.endswith("/"):
            continue
        if key.startswith(before) and key.endswith(after) and len(key) > len(before) + len(after):
            middle = key[len(before) : len(key) - len(after)]
            return _targets(table[pattern], middle, folder=not star)
    return None


def _targets(value: object, middle: str, folder: bool = False) -> list[str]:
    """Every target below nested conditions and lists, the most general first."""
    ranked = sorted(_ranked_targets(value, 0), key=lambda item: item[0])
    return [target + middle if folder else target.replace("*", middle) for _, target in ranked]


def _ranked_targets(value: object, rank: int, depth: int = 0) -> Iterator[tuple[int, str]]:
    if isinstance(value, str):
        yield rank, value
    elif isinstance(value, list) and depth < _MAX_CONDITION_DEPTH:
        for item in value:
            yield from _ranked_targets(item, rank, depth + 1)
    elif isinstance(value, dict) and depth < _MAX_CONDITION_DEPTH:
        for condition, item in value.items():
            yield from _ranked_targets(item, max(rank, CONDITION_RANKS.get(condition, 0)), depth + 1)
