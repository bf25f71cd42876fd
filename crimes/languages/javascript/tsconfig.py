"""tsconfig.json and jsconfig.json: which one rules a file, and where it sends the names that file imports."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from crimes.languages.javascript.globs import below
from crimes.languages.javascript.jsonc import texts
from crimes.languages.javascript.packages import Packages
from crimes.languages.javascript.tree import Tree, join

NAMES = ("tsconfig.json", "jsconfig.json")
FILE_LISTS = ("files", "include", "exclude")
OWN_FOLDER = "${configDir}"


class Config(Struct, frozen=True):
    """The settings of one file with all it extends, as root-relative paths; none leaves the tree."""

    path: str
    base_url: str | None
    paths: tuple[tuple[str, tuple[str, ...]], ...]  # pattern, where to look
    root_dirs: tuple[str, ...]
    files: tuple[str, ...] | None  # None: not given
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    references: tuple[str, ...]

    def covers(self, path: str) -> bool:
        if path in (self.files or ()):
            return True
        return any(below(pattern, path) for pattern in self.include) and not any(
            below(pattern, path) for pattern in self.exclude
        )

    def places(self, specifier: str) -> tuple[str, tuple[str, ...]] | None:
        """The pattern of `paths` that rules a specifier, and where it leads; the longest beginning wins."""
        best: tuple[str, tuple[str, ...]] | None = None
        length = -1
        for pattern, places in self.paths:
            before, star, after = pattern.partition("*")
            if not star and pattern == specifier:
                return pattern, places
            fits = star and specifier.startswith(before) and specifier.endswith(after)
            if fits and len(before) > length and len(specifier) >= len(before) + len(after):
                middle = specifier[len(before) : len(specifier) - len(after)]
                best, length = (pattern, tuple(place.replace("*", middle) for place in places)), len(before)
        return best


class Configs(Struct, frozen=True):
    """All configurations of the tree, read when first asked for."""

    tree: Tree
    packages: Packages
    _read: dict[str, Config] = field(default_factory=dict)
    _by_folder: dict[str, Config | None] = field(default_factory=dict)

    def ruling(self, path: str) -> tuple[Config, ...]:
        """The configurations to ask for a file: the next upwards that covers it, then the nearest.

        What the nearest leaves out (tests, often) is mostly run with its settings all the same.
        """
        nearest = config = self._upwards(path.rpartition("/")[0])
        covering = None
        while config is not None and covering is None:
            covering = next((one for one in self._with_referred(config) if one.covers(path)), None)
            folder = config.path.rpartition("/")[0]
            config = self._upwards(folder.rpartition("/")[0]) if folder else None
        if nearest is None or covering is None or covering is nearest:
            return (nearest,) if nearest else ()
        return (covering, nearest)

    def _upwards(self, folder: str) -> Config | None:
        """The configuration in a folder or the nearest one above it."""
        passed = []
        found = None
        while folder not in self._by_folder:
            passed.append(folder)
            name = next((n for n in NAMES if posixpath.join(folder, n) in self.tree.paths), None)
            if name:
                found = self._config(posixpath.join(folder, name))
            if name or not folder:
                break
            folder = folder.rpartition("/")[0]
        else:
            found = self._by_folder[folder]
        self._by_folder.update(dict.fromkeys(passed, found))
        return found

    def _with_referred(self, config: Config) -> Iterator[Config]:
        """A configuration, then those it refers to, however far."""
        seen = set()
        waiting = [config.path]
        while waiting:
            path = waiting.pop(0)
            if path not in seen:
                seen.add(path)
                yield self._config(path)
                waiting += self._config(path).references

    def _config(self, path: str) -> Config:
        if path not in self._read:
            self._read[path] = self._merge(path)
        return self._read[path]

    def _merge(self, path: str) -> Config:
        """One configuration out of a chain: the last file with a setting decides it, and its folder."""
        own = path.rpartition("/")[0]
        options: dict[str, tuple[str, Any]] = {}
        top: dict[str, tuple[str, Any]] = {}
        for name in self._chain(path):
            folder, settings = name.rpartition("/")[0], self.tree.settings(name)
            given = settings.get("compilerOptions")
            if isinstance(given, dict):
                options |= {key: (folder, value) for key, value in given.items()}
            top |= {key: (folder, value) for key, value in settings.items() if key in FILE_LISTS}

        def place(folder: str, value: str) -> str | None:
            if value.startswith(OWN_FOLDER):
                return join(own, "." + value.removeprefix(OWN_FOLDER))
            return join(folder, value)

        def places(given: tuple[str, Any] | None) -> tuple[str, ...]:
            folder, value = given or ("", None)
            found = (place(folder, text) for text in texts(value))
            return tuple(one for one in found if one is not None)

        base = next(iter(places(options.get("baseUrl"))), None)
        folder, mapped = options.get("paths", ("", None))
        start = folder if base is None else base
        listed = mapped.items() if isinstance(mapped, dict) else ()
        files = places(top["files"]) if "files" in top else None
        return Config(
            path=path,
            base_url=base,
            paths=tuple((pattern, places((start, where))) for pattern, where in listed),
            root_dirs=places(options.get("rootDirs")),
            files=files,
            include=places(top.get("include")) if "include" in top else () if files is not None else (own,),
            exclude=places(top.get("exclude", (own, ["node_modules"]))) + places(options.get("outDir")),
            references=tuple(self._references(own, self.tree.settings(path).get("references"))),
        )

    def _references(self, folder: str, value: object) -> Iterator[str]:
        for item in value if isinstance(value, list) else ():
            named = item.get("path") if isinstance(item, dict) else None
            path = join(folder, named) if isinstance(named, str) else None
            if path is not None:
                found = (path, posixpath.join(path, NAMES[0]))
                yield from (one for one in found if one in self.tree.paths)

    def _chain(self, path: str) -> list[str]:
        """The file after everything it extends. One that is met again is left out: that ends circles."""
        ordered: list[str] = []
        seen: set[str] = set()
        stack = [(path, False)]
        while stack:
            name, extended = stack.pop()
            if extended:
                ordered.append(name)
            elif name not in seen:
                seen.add(name)
                stack.append((name, True))
                bases = (self._extended(name, one) for one in texts(self.tree.settings(name).get("extends")))
                stack += [(base, False) for base in bases if base][::-1]
        return ordered

    def _extended(self, path: str, named: str) -> str | None:
        """The file `extends` names: relative, or in a package of the repository."""
        folder = path.rpartition("/")[0]
        if named.startswith("."):
            base = join(folder, named)
        else:
            name, _, rest = named.partition("/")
            if name.startswith("@"):
                scoped, _, rest = rest.partition("/")
                name += "/" + scoped
            package = self.packages.named(name, folder)
            base = join(package.folder, rest) if package else None
        if base is None:
            return None
        found = (base, base + ".json", posixpath.join(base, NAMES[0]))
        return next((one for one in found if one in self.tree.paths), None)
