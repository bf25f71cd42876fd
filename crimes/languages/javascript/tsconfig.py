"""tsconfig.json and jsconfig.json: which of them apply to a file, and where they map the names it imports."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from crimes.languages.javascript.globs import matches_at_or_above
from crimes.languages.javascript.jsonc import texts
from crimes.languages.javascript.packages import Packages
from crimes.languages.javascript.tree import Tree
from crimes.languages.linking.tree_paths import join_inside

NAMES = ("tsconfig.json", "jsconfig.json")
FILE_LISTS = ("files", "include", "exclude")
CONFIG_DIR = "${configDir}"


class Config(Struct, frozen=True):
    """The settings of one file with all it extends, as paths from the root of the tree; none leaves it."""

    path: str
    base_url: str | None
    paths: tuple[tuple[str, tuple[str, ...]], ...]  # pattern, targets
    root_dirs: tuple[str, ...]
    files: tuple[str, ...] | None  # None: not given
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    references: tuple[str, ...]

    def covers(self, path: str) -> bool:
        if path in (self.files or ()):
            return True
        return any(matches_at_or_above(pattern, path) for pattern in self.include) and not any(
            matches_at_or_above(pattern, path) for pattern in self.exclude
        )

    def targets(self, specifier: str) -> tuple[str, tuple[str, ...]] | None:
        """The pattern of `paths` that matches a specifier, and its targets; the longest prefix wins."""
        best: tuple[str, tuple[str, ...]] | None = None
        length = -1
        for pattern, targets in self.paths:
            before, star, after = pattern.partition("*")
            if not star and pattern == specifier:
                return pattern, targets
            fits = star and specifier.startswith(before) and specifier.endswith(after)
            if fits and len(before) > length and len(specifier) >= len(before) + len(after):
                middle = specifier[len(before) : len(specifier) - len(after)]
                length = len(before)
                best = pattern, tuple(target.replace("*", middle) for target in targets)
        return best


class Configs(Struct, frozen=True):
    """All configurations of the tree, read on first use."""

    tree: Tree
    packages: Packages
    _read: dict[str, Config] = field(default_factory=dict)
    _by_folder: dict[str, Config | None] = field(default_factory=dict)

    def configs_for(self, path: str) -> tuple[Config, ...]:
        """The configurations that apply to a file: the next one upwards that covers it, then the nearest.

        Files that the nearest leaves out (often tests) mostly run with its settings all the same.
        """
        nearest = config = self._nearest(path.rpartition("/")[0])
        covering = None
        while config is not None and covering is None:
            covering = next((known for known in self._with_references(config) if known.covers(path)), None)
            folder = config.path.rpartition("/")[0]
            config = self._nearest(folder.rpartition("/")[0]) if folder else None
        if nearest is None or covering is None or covering is nearest:
            return (nearest,) if nearest else ()
        return (covering, nearest)

    def _nearest(self, folder: str) -> Config | None:
        """The configuration in a folder or the nearest one above it."""
        passed = []
        config = None
        while folder not in self._by_folder:
            passed.append(folder)
            name = next((name for name in NAMES if posixpath.join(folder, name) in self.tree.paths), None)
            if name:
                config = self._config(posixpath.join(folder, name))
            if name or not folder:
                break
            folder = folder.rpartition("/")[0]
        else:
            config = self._by_folder[folder]
        self._by_folder.update(dict.fromkeys(passed, config))
        return config

    def _with_references(self, config: Config) -> Iterator[Config]:
        """A configuration, then all that it references, directly or not."""
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
        """One configuration out of a chain: the last file with a setting decides its value and its base folder."""
        own = path.rpartition("/")[0]
        options: dict[str, tuple[str, Any]] = {}
        top: dict[str, tuple[str, Any]] = {}
        for name in self._chain(path):
            folder, settings = name.rpartition("/")[0], self.tree.settings(name)
            compiler = settings.get("compilerOptions")
            if isinstance(compiler, dict):
                options |= {key: (folder, value) for key, value in compiler.items()}
            top |= {key: (folder, value) for key, value in settings.items() if key in FILE_LISTS}

        def resolve(folder: str, value: str) -> str | None:
            if value.startswith(CONFIG_DIR):
                return join_inside(own, "." + value.removeprefix(CONFIG_DIR))
            return join_inside(folder, value)

        def resolve_all(setting: tuple[str, Any] | None) -> tuple[str, ...]:
            folder, value = setting or ("", None)
            paths = (resolve(folder, text) for text in texts(value))
            return tuple(path for path in paths if path is not None)

        base = next(iter(resolve_all(options.get("baseUrl"))), None)
        folder, mapped = options.get("paths", ("", None))
        start = folder if base is None else base
        listed = mapped.items() if isinstance(mapped, dict) else ()
        files = resolve_all(top["files"]) if "files" in top else None
        default = () if files is not None else (own,)
        excluded = top.get("exclude", (own, ["node_modules"]))
        return Config(
            path=path,
            base_url=base,
            paths=tuple((pattern, resolve_all((start, targets))) for pattern, targets in listed),
            root_dirs=resolve_all(options.get("rootDirs")),
            files=files,
            include=resolve_all(top["include"]) if "include" in top else default,
            exclude=resolve_all(excluded) + resolve_all(options.get("outDir")),
            references=tuple(self._references(own, self.tree.settings(path).get("references"))),
        )

    def _references(self, folder: str, value: object) -> Iterator[str]:
        for item in value if isinstance(value, list) else ():
            named = item.get("path") if isinstance(item, dict) else None
            path = join_inside(folder, named) if isinstance(named, str) else None
            if path is not None:
                candidates = (path, posixpath.join(path, NAMES[0]))
                yield from (candidate for candidate in candidates if candidate in self.tree.paths)

    def _chain(self, path: str) -> list[str]:
        """Everything a file extends, then the file. Each file comes once: that ends circles."""
        ordered: list[str] = []
        seen: set[str] = set()
        stack = [(path, False)]
        while stack:
            name, expanded = stack.pop()
            if expanded:
                ordered.append(name)
            elif name not in seen:
                seen.add(name)
                stack.append((name, True))
                extends = texts(self.tree.settings(name).get("extends"))
                bases = (self._find_extended(name, specifier) for specifier in extends)
                stack += [(base, False) for base in bases if base][::-1]
        return ordered

    def _find_extended(self, path: str, specifier: str) -> str | None:
        """The file `extends` names: relative, or in a package of the repository."""
        folder = path.rpartition("/")[0]
        if specifier.startswith("."):
            base = join_inside(folder, specifier)
        else:
            name, _, rest = specifier.partition("/")
            if name.startswith("@"):
                scoped, _, rest = rest.partition("/")
                name += "/" + scoped
            package = self.packages.find(name, folder)
            base = join_inside(package.folder, rest) if package else None
        if base is None:
            return None
        candidates = (base, base + ".json", posixpath.join(base, NAMES[0]))
        return next((path for path in candidates if path in self.tree.paths), None)
