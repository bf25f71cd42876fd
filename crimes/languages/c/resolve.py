"""How includes find their files, and which source stands behind a header.

A quoted include is looked for beside its file, then in the folders that `compile_commands.json` names, then in folders that
other includes show to be searched (`<net/socket.h>` that can only be `src/net/socket.h`), then by its end: the file of the
tree whose path ends so, and of several the one nearest to the includer. One between angles is looked for in the same
way, but not beside its file, and never in the last two where a system header has that name.

A header stands for the source of its name: in the same folder, else where a folder of sources stands for one of headers
(`include/x.h` and `src/x.c`), else the only one of that name that is no test or benchmark. Whoever includes the header and
calls a function of the source depends on that source; where nobody is seen to call it, the header leads there. In C, a
function that one source alone defines is found without its header, as the linker finds it.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from crimes.languages.c.compile_commands import include_folders
from crimes.languages.c.paths import is_test_path, role_of_path
from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver
from crimes.model.facts import Function, Import, Role

HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++")
SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".m", ".mm")
FEWEST_VOTES = 3
_HEADER_FOLDERS = frozenset({"include", "includes", "inc", "public", "headers", "api"})
_SOURCE_FOLDERS = frozenset({"src", "source", "sources", "lib", "private"})


def c_resolver(given: ResolveInput) -> Resolver:
    """The resolver of one repository's C and C++ files."""
    return CResolver(given)


@cache
def system_headers() -> frozenset[str]:
    """Headers of the standard libraries of C and C++, of POSIX and of Windows."""
    return frozenset((Path(__file__).parent / "headers.txt").read_text(encoding="utf-8").split())


class CResolver:
    """Looks includes up in the tree; what was asked once is remembered."""

    def __init__(self, given: ResolveInput) -> None:
        self._paths = given.paths
        self._folders = include_folders(given.paths, given.read)
        self._roots = tuple(root.strip("/") for root in given.roots)
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._names = {part for path in given.paths for part in path.split("/")[:-1]}
        for path in sorted(given.paths):
            self._by_name[posixpath.basename(path)].append(path)
        self._sources: dict[str, list[str]] = defaultdict(list)
        for path in sorted(given.facts):
            stem, end = posixpath.splitext(posixpath.basename(path))
            if end.lower() in SOURCES:
                self._sources[stem].append(path)
        self._facts = given.facts
        self._definers: dict[str, list[str]] = defaultdict(list)
        for path in sorted(given.facts):
            if path.endswith(".c") and not is_test_path(path):
                for name in {one.name for one in given.facts[path].functions if _is_plain(one)}:
                    self._definers[name].append(path)
        self._function_names: dict[str, frozenset[str]] = {}
        self._uses: dict[str, tuple[ImplicitUse, ...]] = {}
        self._reached: frozenset[str] | None = None
        self._found: dict[tuple[str, str], str] = {}
        self._searched: dict[str, int] = self._search_roots()

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where one include leads."""
        angled = item.target.startswith("<")
        target = item.target.strip("<>").strip().replace("\\", "/")
        asked = (
            path if path in self._folders.of or not angled else posixpath.dirname(path) + "/",
            item.target,
        )
        if asked not in self._found:
            self._found[asked] = self._look(path, target, angled)
        found = self._found[asked]
        if found:
            return Resolution((Resolved(found),))
        return Resolution(external=angled or self._is_outside(target), package=target.partition("/")[0])

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """The sources of the functions a file calls; and the source behind a header, where nobody is seen to call it."""
        if path not in self._uses:
            self._uses[path] = tuple(self._called(path))
        yield from self._uses[path]
        for source in self._behind(path):
            if source not in self._all_called():
                yield ImplicitUse(source, (), 1)

    def _called(self, path: str) -> Iterator[ImplicitUse]:
        facts = self._facts[path]
        called = {call.dotted.rpartition(".")[2]: call for call in reversed(facts.calls)}
        behind = {
            source
            for item in facts.imports
            for found in self.resolve(path, item).targets
            for source in self._behind(found.path)
        }
        for source in sorted(behind - {path}):
            names = called.keys() & self._functions_of(source)
            if names:
                yield ImplicitUse(source, tuple(sorted(names)), min(called[name].line for name in names))
        if facts.language != "c":
            return
        known = behind | {path}
        for name in sorted(called.keys() - self._functions_of(path)):
            definers = self._definers.get(name, ())
            if called[name].target == name and len(definers) == 1 and definers[0] not in known:
                yield ImplicitUse(definers[0], (name,), called[name].line)

    def _all_called(self) -> frozenset[str]:
        """Sources with a function that some other file calls."""
        if self._reached is None:
            for path in self._facts:
                self._uses.setdefault(path, tuple(self._called(path)))
            self._reached = frozenset(use.path for uses in self._uses.values() for use in uses)
        return self._reached

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """Strings load nothing."""
        return ()

    def _look(self, path: str, target: str, angled: bool) -> str:
        if not target or target.startswith("/"):
            return ""
        folders = [*self._folders.for_file(path), *self._roots]
        if not angled:
            folders.insert(0, posixpath.dirname(path))
        for folder in folders:
            candidate = posixpath.normpath(posixpath.join(folder, target))
            if candidate in self._paths:
                return candidate
        if angled and target in system_headers():
            return ""
        for root in sorted(
            self._searched, key=lambda root: (-_shared(path, f"{root}/"), -self._searched[root])
        ):
            candidate = posixpath.normpath(posixpath.join(root, target))
            if candidate in self._paths:
                return candidate
        return self._by_end(path, posixpath.normpath(target))

    def _search_roots(self) -> dict[str, int]:
        """Folders that includes with a folder in their name begin at, where only one file can be meant; and how often."""
        votes: Counter[str] = Counter()
        for facts in self._facts.values():
            for item in facts.imports:
                target = item.target.strip("<>")
                if "/" in target and not target.startswith("."):
                    ending = self._ending(target)
                    if len(ending) == 1:
                        votes[ending[0][: -len(target)].rstrip("/")] += 1
        return {root: count for root, count in votes.items() if count >= FEWEST_VOTES}

    def _ending(self, target: str) -> list[str]:
        named = self._by_name.get(posixpath.basename(target), ())
        return [one for one in named if f"/{one}".endswith(f"/{target}")]

    def _by_end(self, path: str, target: str) -> str:
        """The file that ends so; of several the one that shares the most folders with the includer."""
        while target.startswith("../"):
            target = target[3:]
        ending = self._ending(target)
        if len(ending) > 1:
            near = max(_shared(path, one) for one in ending)
            ending = [one for one in ending if _shared(path, one) == near]
        return ending[0] if len(ending) == 1 else ""

    def _is_outside(self, target: str) -> bool:
        """A quoted name that nothing here explains: of the system, of a library, or written by the build."""
        first, slash, _ = target.partition("/")
        made = {
            f"{posixpath.basename(target)}{end}"
            for end in (".in", ".cmake", ".in.cmake", ".cmakein", ".tmpl")
        }
        return (
            target in system_headers()
            or not made.isdisjoint(self._by_name)
            or (bool(slash) and first not in self._names and first not in (".", ".."))
        )

    def _functions_of(self, path: str) -> frozenset[str]:
        if path not in self._function_names:
            self._function_names[path] = frozenset(one.name for one in self._facts[path].functions)
        return self._function_names[path]

    def _behind(self, header: str) -> tuple[str, ...]:
        """The sources a header stands for; none for a file that is no header."""
        stem, end = posixpath.splitext(posixpath.basename(header))
        sources = self._sources.get(stem, ()) if end.lower() in HEADERS else ()
        folder = posixpath.dirname(header)
        beside = tuple(one for one in sources if posixpath.dirname(one) == folder)
        if beside:
            return beside
        twins = tuple(one for one in sources if _are_twins(folder, posixpath.dirname(one)))
        if twins:
            return twins
        if not _is_about_others(header):
            sources = [one for one in sources if not _is_about_others(one)]
        return tuple(sources) if len(sources) == 1 else ()


def _is_about_others(path: str) -> bool:
    """Whether it is a test or a benchmark: such a file is called after what it tries, and is not behind its header."""
    return is_test_path(path) or role_of_path(path) in (Role.TEST, Role.SCRIPT)


def _is_plain(function: Function) -> bool:
    return (
        function.class_index < 0
        and function.parent < 0
        and not function.is_anonymous
        and not function.is_test
    )


def _shared(one: str, other: str) -> int:
    """How many folders two paths have in common from the top."""
    count = 0
    for a, b in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if a != b:
            break
        count += 1
    return count


def _are_twins(headers: str, sources: str) -> bool:
    """Whether one folder holds the sources of the other's headers: `a/include/p/x` and `a/src/x` or `a/src/p/x`."""
    up, down = headers.split("/"), sources.split("/")
    for at, part in enumerate(up):
        if part in _HEADER_FOLDERS and up[:at] == down[:at]:
            rest = down[at:]
            if rest and rest[0] in _SOURCE_FOLDERS:
                rest = rest[1:]
            return rest == up[at + 1 :] or rest == up[at + 2 :]
    return False
