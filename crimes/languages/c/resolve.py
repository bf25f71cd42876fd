"""Resolve includes to files, and headers to the sources that implement them.

A quoted include is looked up beside its file, then in the folders that `compile_commands.json` names, then in folders that
other includes imply (`<net/socket.h>` that can only be `src/net/socket.h`), then by suffix: the file of the tree whose path
ends so, and of several the one nearest to the includer. An include in angle brackets is looked up in the same way, but not
beside its file, and not in the last two steps if a system header has that name.

A header belongs to the source of its name: in the same folder, else in the matching source folder (`include/x.h` and
`src/x.c`), else the only one of that name that is no test or benchmark. A file that includes the header and calls a
function of the source depends on that source; if no such call is seen, the header itself depends on it. In C, a function
that a single source defines is found without its header, as the linker finds it.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from crimes.languages.c.compile_commands import include_folders
from crimes.languages.c.paths import is_test_path, role_of_path
from crimes.languages.linking.tree_paths import nearest_paths, shared_folders
from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver
from crimes.model.facts import Function, Import, Role

HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++")
SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".m", ".mm")
MIN_ROOT_VOTES = 3
_HEADER_FOLDERS = frozenset({"include", "includes", "inc", "public", "headers", "api"})
_SOURCE_FOLDERS = frozenset({"src", "source", "sources", "lib", "private"})


@cache
def system_headers() -> frozenset[str]:
    """Headers of the standard libraries of C and C++, of POSIX and of Windows."""
    return frozenset((Path(__file__).parent / "headers.txt").read_text(encoding="utf-8").split())


class CResolver(Resolver):
    """Looks includes up in the tree, and caches the answers."""

    def __init__(self, inputs: ResolveInput) -> None:
        self._paths = inputs.paths
        self._folders = include_folders(inputs.paths, inputs.read)
        self._roots = tuple(root.strip("/") for root in inputs.roots)
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._folder_names = {part for path in inputs.paths for part in path.split("/")[:-1]}
        for path in sorted(inputs.paths):
            self._by_name[posixpath.basename(path)].append(path)
        self._sources_by_stem: dict[str, list[str]] = defaultdict(list)
        for path in sorted(inputs.facts):
            stem, end = posixpath.splitext(posixpath.basename(path))
            if end.lower() in SOURCES:
                self._sources_by_stem[stem].append(path)
        self._facts = inputs.facts
        self._definers: dict[str, list[str]] = defaultdict(list)
        for path in sorted(inputs.facts):
            if path.endswith(".c") and not is_test_path(path):
                for name in {
                    function.name for function in inputs.facts[path].functions if _is_plain(function)
                }:
                    self._definers[name].append(path)
        self._function_names: dict[str, frozenset[str]] = {}
        self._uses: dict[str, tuple[ImplicitUse, ...]] = {}
        self._called_anywhere: frozenset[str] | None = None
        self._included: dict[tuple[str, str], str] = {}
        self._implied_roots: dict[str, int] = self._count_implied_roots()

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where one include leads."""
        angled = item.target.startswith("<")
        target = item.target.strip("<>").strip().replace("\\", "/")
        # Without include folders of the file itself, an angled include means the same in all files of a folder.
        includer = path if path in self._folders.by_file or not angled else posixpath.dirname(path) + "/"
        key = (includer, item.target)
        if key not in self._included:
            self._included[key] = self._find(path, target, angled)
        file = self._included[key]
        if file:
            return Resolution((Resolved(file),))
        return Resolution(external=angled or self._is_external(target), package=target.partition("/")[0])

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """The sources of the functions a file calls; for a header also its source, if no file is seen to call it."""
        if path not in self._uses:
            self._uses[path] = tuple(self._called_sources(path))
        yield from self._uses[path]
        for source in self._sources_of(path):
            if source not in self._all_called_sources():
                yield ImplicitUse(source, (), 1)

    def _called_sources(self, path: str) -> Iterator[ImplicitUse]:
        facts = self._facts[path]
        called = {call.dotted.rpartition(".")[2]: call for call in reversed(facts.calls)}
        included_sources = {
            source
            for item in facts.imports
            for header in self.resolve(path, item).targets
            for source in self._sources_of(header.path)
        }
        for source in sorted(included_sources - {path}):
            names = called.keys() & self._functions_of(source)
            if names:
                yield ImplicitUse(source, tuple(sorted(names)), min(called[name].line for name in names))
        if facts.language != "c":
            return
        known = included_sources | {path}
        for name in sorted(called.keys() - self._functions_of(path)):
            definers = self._definers.get(name, ())
            if called[name].target == name and len(definers) == 1 and definers[0] not in known:
                yield ImplicitUse(definers[0], (name,), called[name].line)

    def _all_called_sources(self) -> frozenset[str]:
        """Sources with a function that another file calls."""
        if self._called_anywhere is None:
            for path in self._facts:
                self._uses.setdefault(path, tuple(self._called_sources(path)))
            self._called_anywhere = frozenset(use.path for uses in self._uses.values() for use in uses)
        return self._called_anywhere

    def _find(self, path: str, target: str, angled: bool) -> str:
        if not target or target.startswith("/"):
            return ""
        own = posixpath.dirname(path)
        folders = [*self._folders.for_file(path), *self._roots]
        if not angled:
            folders.insert(0, own)
        for folder in folders:
            candidate = posixpath.normpath(posixpath.join(folder, target))
            if candidate in self._paths:
                return candidate
        if angled and target in system_headers():
            return ""
        votes = self._implied_roots
        for root in sorted(votes, key=lambda root: (-shared_folders(root, own), -votes[root])):
            candidate = posixpath.normpath(posixpath.join(root, target))
            if candidate in self._paths:
                return candidate
        return self._nearest_by_suffix(own, posixpath.normpath(target))

    def _count_implied_roots(self) -> dict[str, int]:
        """Folders that includes such as `net/socket.h` must be relative to, since only one file matches; and how many say so."""
        votes: Counter[str] = Counter()
        for facts in self._facts.values():
            for item in facts.imports:
                target = item.target.strip("<>")
                if "/" in target and not target.startswith("."):
                    matches = self._files_ending(target)
                    if len(matches) == 1:
                        votes[matches[0][: -len(target)].rstrip("/")] += 1
        return {root: count for root, count in votes.items() if count >= MIN_ROOT_VOTES}

    def _files_ending(self, target: str) -> list[str]:
        candidates = self._by_name.get(posixpath.basename(target), ())
        return [path for path in candidates if f"/{path}".endswith(f"/{target}")]

    def _nearest_by_suffix(self, folder: str, target: str) -> str:
        """The file whose path ends so; of several the one that shares the most folders with the includer's."""
        while target.startswith("../"):
            target = target[3:]
        matches = nearest_paths(self._files_ending(target), folder)
        return matches[0] if len(matches) == 1 else ""

    def _is_external(self, target: str) -> bool:
        """Whether a quoted include that is not in the tree is a system header, of a library, or generated by the build."""
        first, slash, _ = target.partition("/")
        templates = {
            f"{posixpath.basename(target)}{end}"
            for end in (".in", ".cmake", ".in.cmake", ".cmakein", ".tmpl")
        }
        return (
            target in system_headers()
            or not templates.isdisjoint(self._by_name)
            or (bool(slash) and first not in self._folder_names and first not in (".", ".."))
        )

    def _functions_of(self, path: str) -> frozenset[str]:
        if path not in self._function_names:
            self._function_names[path] = frozenset(function.name for function in self._facts[path].functions)
        return self._function_names[path]

    def _sources_of(self, header: str) -> tuple[str, ...]:
        """The sources that implement a header; none if the file is no header."""
        stem, end = posixpath.splitext(posixpath.basename(header))
        sources = self._sources_by_stem.get(stem, ()) if end.lower() in HEADERS else ()
        folder = posixpath.dirname(header)
        beside = tuple(source for source in sources if posixpath.dirname(source) == folder)
        if beside:
            return beside
        twins = tuple(source for source in sources if _are_twins(folder, posixpath.dirname(source)))
        if twins:
            return twins
        if not _is_test_or_benchmark(header):
            sources = [source for source in sources if not _is_test_or_benchmark(source)]
        return tuple(sources) if len(sources) == 1 else ()


def _is_test_or_benchmark(path: str) -> bool:
    """Whether a file is a test or a benchmark: it is named after the code it exercises, and does not implement its header."""
    return is_test_path(path) or role_of_path(path) in (Role.TEST, Role.SCRIPT)


def _is_plain(function: Function) -> bool:
    return (
        function.class_index < 0
        and function.parent < 0
        and not function.is_anonymous
        and not function.is_test
    )


def _are_twins(header_folder: str, source_folder: str) -> bool:
    """Whether one folder holds the sources for the other's headers: `a/include/p/x` and `a/src/x` or `a/src/p/x`."""
    header_parts, source_parts = header_folder.split("/"), source_folder.split("/")
    for index, part in enumerate(header_parts):
        if part in _HEADER_FOLDERS and header_parts[:index] == source_parts[:index]:
            rest = source_parts[index:]
            if rest and rest[0] in _SOURCE_FOLDERS:
                rest = rest[1:]
            return rest == header_parts[index + 1 :] or rest == header_parts[index + 2 :]
    return False
