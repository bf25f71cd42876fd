"""How Rust paths find their files.

An edge leads to the file that defines the name, through any number of `use` and `pub use` on the way; what is made by a
macro counts for the module it is looked up in. A name of another crate of the repository also leads to the file that
crate begins with, its public face. A file depends on what it passes on (`pub use`) only where it uses it itself: whoever
takes a name from there is led to its file anyway. `mod name;` only puts a file into the tree: it is an edge for files that nothing
else names (blocks of `impl`, say), where it is the only sign of use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from crimes.languages.rust.cargo import STANDARD, Package, holder, packages
from crimes.languages.rust.modules import Place, is_declaration, is_inclusion, trees
from crimes.languages.rust.paths import is_test_path
from crimes.languages.rust.scope import Scope, scope_of
from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver
from crimes.model.facts import FileFacts, Import
from crimes.model.lazy_regex import regex
from crimes.model.repository import Undeclared

DEPTH = 20  # a name is followed through so many declarations and no more
_CRATE = regex(r"(?!(?:crate|self|super)$)[a-z][a-z0-9_]*")
_NO_SCOPE = Scope()
_Seen = frozenset[tuple[Place, str]]


class Answer(Struct, frozen=True):
    """Where a path leads: files here, with the crate it entered if that is another; or a crate outside.

    `weak` is the last module on the way, where the name itself is not to be seen: a macro makes it, or it comes from
    outside and is passed on.
    """

    files: tuple[str, ...] = ()
    entered: str = ""
    outside: str = ""
    weak: bool = False


NOTHING = Answer()


def rust_resolver(given: ResolveInput) -> Resolver:
    """The resolver of one repository's Rust files."""
    return RustResolver(given)


class RustResolver:
    """Follows paths through module trees, declarations and manifests; what was asked once is remembered."""

    def __init__(self, given: ResolveInput) -> None:
        self._facts = given.facts
        self._packages = packages(given.paths, given.read)
        self._trees = trees(given.facts, self._packages)
        self._scopes: Mapping[str, Scope] = {path: scope_of(known) for path, known in given.facts.items()}
        self._macros = self._macro_table()
        self._package_of: dict[str, Package | None] = {}
        self._answers: dict[tuple[Place, tuple[str, ...]], Answer] = {}
        self._uses: dict[str, tuple[ImplicitUse, ...]] = {}
        self._named: frozenset[str] | None = None

    # What the engine asks.

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where one declaration leads."""
        if is_declaration(item):
            return self._declaration(path, item)
        if is_inclusion(item):
            folder = path.rpartition("/")[0]
            file = f"{folder}/{item.target}".lstrip("/")
            return Resolution((Resolved(file),)) if file in self._facts else Resolution(external=True)
        return self._use(path, item)

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Files whose names stand in a path, or come by a star or as a macro."""
        if path not in self._uses:
            self._uses[path] = tuple(self._used(path))
        return self._uses[path]

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """Strings load nothing."""
        return ()

    # Declarations.

    def _declaration(self, path: str, item: Import) -> Resolution:
        files = self._trees.declared.get((path, item.target), ())
        if not files:
            return Resolution()
        alone = tuple(
            Resolved(file) for file in files if file not in self._all_named() and not is_test_path(file)
        )
        return Resolution(alone, known=True)

    def _all_named(self) -> frozenset[str]:
        """Files that others name in some other way than `mod name;`."""
        if self._named is None:
            named: set[str] = set()
            for path, known in self._facts.items():
                for item in known.imports:
                    if not is_declaration(item):
                        named.update(one.path for one in self.resolve(path, item).targets if one.path != path)
                named.update(use.path for use in self.uses(path) if use.path != path)
            self._named = frozenset(named)
        return self._named

    def _use(self, path: str, item: Import) -> Resolution:
        target = tuple(item.target.split("::"))
        found: dict[str, list[str]] = {}
        outside = ""
        for name in [imported.name for imported in item.names] or [""]:
            answer = self._from(path, (*target, name) if name not in ("", "*") else target)
            outside = outside or answer.outside
            if answer.outside and answer.files == (path,):
                continue  # `use Poll::Ready` of a `Poll` from outside
            for file in answer.files:
                found.setdefault(file, []).extend([name] if name else [])
            if answer.entered and answer.files:
                found.setdefault(answer.entered, [])
        targets = tuple(Resolved(file, tuple(sorted(names))) for file, names in sorted(found.items()))
        if targets or outside:
            return Resolution(targets, not targets, outside if not targets else "")
        return Resolution(package=target[0], undeclared=self._undeclared(path, target[0]))

    def _undeclared(self, path: str, name: str) -> Undeclared | None:
        """What the manifest above a file asks for, when a path begins with nothing that is known."""
        folder = holder(path, self._packages)
        if folder is None or not _CRATE.fullmatch(name):
            return None
        package = self._packages[folder]
        if not package.readable or package.old:
            return None
        asked = tuple(sorted(crate.replace("_", "-") for crate in package.crates))
        return Undeclared((f"{folder}/Cargo.toml".lstrip("/"),), asked, (name.replace("_", "-"),))

    # Uses.

    def _used(self, path: str) -> Iterator[ImplicitUse]:
        facts, scope = self._facts[path], self._scopes[path]
        for reference in facts.references:
            parts = tuple(reference.name.replace("$crate", "crate").split("::"))
            first = parts[0]
            if first in STANDARD or first == "Self" or first in scope.defined:
                continue
            if len(parts) == 1 and first not in scope.passed and (first in scope.bound or not scope.stars):
                continue
            answer = self._from(path, parts)
            for file in answer.files if len(parts) > 1 or not answer.weak else ():
                if file != path:
                    defined = self._scopes.get(file, _NO_SCOPE).defined
                    name = next((part for part in reversed(parts) if part in defined), "")
                    yield ImplicitUse(file, (name,) if name else (), reference.line)
                    if answer.entered and answer.entered != file:
                        yield ImplicitUse(answer.entered, (), reference.line)
        for call in facts.calls if scope.passed else ():
            if call.target in scope.passed:
                yield from (
                    ImplicitUse(file, (call.target,), call.line)
                    for file in self._from(path, (call.target,)).files
                )
        yield from self._macros_used(path, facts, scope)

    def _macros_used(self, path: str, facts: FileFacts, scope: Scope) -> Iterator[ImplicitUse]:
        """Macros are seen in the whole crate without being imported."""
        tables = [self._macros.get(place.crate, {}) for place in self._trees.places.get(path, ())]
        known = {name: file for table in tables for name, file in table.items() if file != path}
        seen = {*scope.defined, *scope.bound}
        for call in facts.calls if known else ():
            if call.target in known and call.target not in seen:
                seen.add(call.target)
                yield ImplicitUse(known[call.target], (call.target,), call.line)

    def _macro_table(self) -> dict[str, dict[str, str]]:
        """By crate: its macros and their files."""
        table: dict[str, dict[str, str]] = {}
        for path, scope in self._scopes.items():
            for place in self._trees.places.get(path, ()):
                for name in scope.macros:
                    table.setdefault(place.crate, {}).setdefault(name, path)
        return table

    # Paths.

    def _from(self, path: str, parts: tuple[str, ...]) -> Answer:
        """Where a path leads that stands in a file; one that stands in several crates asks each."""
        best = NOTHING
        for place in self._trees.places.get(path, ()):
            asked = (place, parts)
            if asked not in self._answers:
                self._answers[asked] = self._follow(place, parts, frozenset(), 0)
            best = best if best.files else self._answers[asked] if self._answers[asked] != NOTHING else best
        return best

    def _follow(self, place: Place, parts: tuple[str, ...], seen: _Seen, depth: int) -> Answer:
        """Where a path leads that stands in a module."""
        first, rest = parts[0], parts[1:]
        if depth > DEPTH:
            return NOTHING
        if first == "crate":
            return self._down(Place(place.crate), rest, seen, depth)
        if first in ("self", "super"):
            return self._down(place, parts, seen, depth)
        if first == "" and rest:
            named = self._crate(place.crate, rest, seen, depth)
            return named if named != NOTHING else self._down(Place(place.crate), rest, seen, depth)
        if first in STANDARD and place.child(first) not in self._trees.files:
            return Answer(outside=first)
        local = self._down(place, parts, seen, depth, by_name=True)
        if local.files and not local.weak:
            return local
        named = self._crate(place.crate, parts, seen, depth)
        if named != NOTHING:
            return named
        if local.files:
            return local
        found = self._by_star(place, parts, seen, depth)
        package = self._package(place.crate)
        if found == NOTHING and place.path and (package is None or package.old):
            found = self._down(Place(place.crate), parts, seen, depth, by_name=True)
        if found == NOTHING and (package is None or not package.readable):
            return Answer(outside=first)  # nothing says which crates there are
        return found

    def _crate(self, crate: str, parts: tuple[str, ...], seen: _Seen, depth: int) -> Answer:
        """A path that begins with the name of a crate."""
        name, package = parts[0], self._package(crate)
        if name in STANDARD or name.startswith("rustc_"):
            return Answer(outside=name)
        if package is None:
            return NOTHING
        root = ""
        if name in package.crates:
            other = self._packages.get(package.crates[name])
            root = other.library_root if other is not None and package.crates[name] else ""
            if not root:
                return Answer(outside=name)
        elif name == package.library:
            root = package.library_root
        if not root:
            return NOTHING
        answer = self._down(Place(root), parts[1:], seen, depth + 1)
        return replace(answer, entered=root) if root != crate else answer

    def _down(
        self, place: Place, parts: tuple[str, ...], seen: _Seen, depth: int, *, by_name: bool = False
    ) -> Answer:
        """Where a path leads from inside a module; `by_name` as long as nothing says that it begins there."""
        files = self._trees.files
        while parts:
            name = parts[0]
            if name == "super":
                place = place.parent()
            elif name != "self":
                if place.child(name) not in files:
                    found = self._item(place, parts, seen, depth)
                    if found == NOTHING and not by_name:
                        found = self._by_star(place, parts, seen, depth)
                    return found if found.files or by_name else Answer(files.get(place, ()), weak=True)
                place = place.child(name)
            parts, by_name = parts[1:], False
        return Answer(files.get(place, ()))

    def _item(self, place: Place, parts: tuple[str, ...], seen: _Seen, depth: int) -> Answer:
        """A name that is no module of its own file: defined in the module, or passed on by it."""
        name = parts[0]
        if (place, name) in seen or depth > DEPTH:
            return NOTHING
        seen = seen | {(place, name)}
        files = self._trees.files.get(place, ())
        scopes = [(file, self._scopes.get(file, _NO_SCOPE)) for file in files]
        defining = tuple(file for file, scope in scopes if name in scope.defined)
        if defining:
            return self._behind_inline(place, parts, seen, depth) or Answer(defining)
        for file, scope in scopes:
            for way in scope.bound.get(name, ()):
                answer = self._follow(place, (*way, *parts[1:]), seen, depth + 1)
                return answer if answer.files else Answer((file,), outside=answer.outside, weak=True)
        macro = self._macros.get(place.crate, {}).get(name) if not place.path else None
        return Answer((macro,)) if macro else NOTHING

    def _by_star(self, place: Place, parts: tuple[str, ...], seen: _Seen, depth: int) -> Answer:
        """A name that a star brings into a module."""
        if (place, "*" + parts[0]) in seen or depth > DEPTH:
            return NOTHING
        seen = seen | {(place, "*" + parts[0])}
        for file in self._trees.files.get(place, ()):
            for way in self._scopes.get(file, _NO_SCOPE).stars:
                answer = self._follow(place, (*way, *parts), seen, depth + 1)
                if answer.files and not answer.weak:
                    return answer
        return NOTHING

    def _behind_inline(self, place: Place, parts: tuple[str, ...], seen: _Seen, depth: int) -> Answer | None:
        """A name that an inline module passes on: its declarations are kept with those of the file."""
        if len(parts) < 2:
            return None
        for file in self._trees.files.get(place, ()):
            scope = self._scopes.get(file, _NO_SCOPE)
            if parts[0] in scope.inline:
                for way in scope.bound.get(parts[1], ()):
                    answer = self._follow(place, (*way, *parts[2:]), seen, depth + 1)
                    if answer.files and not answer.weak:
                        return answer
        return None

    def _package(self, crate: str) -> Package | None:
        if crate not in self._package_of:
            folder = holder(crate, self._packages)
            self._package_of[crate] = self._packages[folder] if folder is not None else None
        return self._package_of[crate]
