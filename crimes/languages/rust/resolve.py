"""How Rust paths find their files.

An edge leads to the file that defines the name, through any number of `use` and `pub use` on the way; a name that a macro
generates belongs to the module it is looked up in. A name of another crate of the repository also leads to the root file
of that crate, its public face. A file depends on what it re-exports (`pub use`) only where it uses it itself: importers of
the name lead to its file anyway. `mod name;` only puts a file into the tree: it is an edge for files that nothing else
names (blocks of `impl`, say), where it is the only sign of use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from crimes.languages.linking.tree_paths import nearest_folder
from crimes.languages.rust.cargo import STANDARD, Package, find_packages
from crimes.languages.rust.modules import Module, build_trees, is_declaration, is_inclusion
from crimes.languages.rust.paths import is_test_path
from crimes.languages.rust.scope import Scope, scope_of
from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver
from crimes.model.facts import FileFacts, Import
from crimes.model.lazy_regex import regex
from crimes.model.repository import Undeclared

MAX_DECLARATIONS_FOLLOWED = 20  # for one name
_CRATE_NAME = regex(r"(?!(?:crate|self|super)$)[a-z][a-z0-9_]*")
_NO_SCOPE = Scope()
_Visited = frozenset[tuple[Module, str]]


class Answer(Struct, frozen=True):
    """Where a path leads: files here, with the root file of another crate it entered; or a crate outside.

    `weak`: the files are those of the last module on the way, which does not show the name. A macro generates it, or it
    is re-exported from outside.
    """

    files: tuple[str, ...] = ()
    entered: str = ""
    outside: str = ""
    weak: bool = False


NOTHING = Answer()


class RustResolver(Resolver):
    """Follows paths through module trees, declarations and manifests; answers are cached."""

    def __init__(self, inputs: ResolveInput) -> None:
        self._facts = inputs.facts
        self._packages = find_packages(inputs.paths, inputs.read)
        self._trees = build_trees(inputs.facts, self._packages)
        self._scopes: Mapping[str, Scope] = {path: scope_of(facts) for path, facts in inputs.facts.items()}
        self._macros = self._build_macro_table()
        self._package_of: dict[str, Package | None] = {}
        self._answers: dict[tuple[Module, tuple[str, ...]], Answer] = {}
        self._uses: dict[str, tuple[ImplicitUse, ...]] = {}

    # The interface of the engine.

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where one declaration leads."""
        if is_declaration(item):
            return self._resolve_declaration(path, item)
        if is_inclusion(item):
            folder = path.rpartition("/")[0]
            file = f"{folder}/{item.target}".lstrip("/")
            return Resolution((Resolved(file),)) if file in self._facts else Resolution(external=True)
        return self._resolve_use(path, item)

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Files that a path, a star import or a macro call uses."""
        if path not in self._uses:
            self._uses[path] = tuple(self._find_uses(path))
        return self._uses[path]

    def modules(self, path: str) -> tuple[tuple[str, ...], ...]:
        """Each crate that a file belongs to, with the names of its modules there."""
        return tuple((module.crate, *module.path) for module in self._trees.modules.get(path, ()))

    # Declarations.

    def _resolve_declaration(self, path: str, item: Import) -> Resolution:
        files = self._trees.declared.get((path, item.target), ())
        if not files:
            return Resolution()
        only_declared = tuple(
            Resolved(file) for file in files if file not in self._files_in_use and not is_test_path(file)
        )
        return Resolution(only_declared, known=True)

    @cached_property
    def _files_in_use(self) -> frozenset[str]:
        """Files that other files use in any way but `mod name;`."""
        files: set[str] = set()
        for path, facts in self._facts.items():
            used = {use.path for use in self.uses(path)}
            for item in facts.imports:
                if not is_declaration(item):
                    used.update(target.path for target in self.resolve(path, item).targets)
            files |= used - {path}
        return frozenset(files)

    def _resolve_use(self, path: str, item: Import) -> Resolution:
        target = tuple(item.target.split("::"))
        names_by_file: dict[str, list[str]] = {}
        outside = ""
        for name in [imported.name for imported in item.names] or [""]:
            answer = self._resolve_path(path, (*target, name) if name not in ("", "*") else target)
            outside = outside or answer.outside
            if answer.outside and answer.files == (path,):
                continue  # `use Poll::Ready` of a `Poll` from outside
            for file in answer.files:
                names_by_file.setdefault(file, []).extend([name] if name else [])
            if answer.entered and answer.files:
                names_by_file.setdefault(answer.entered, [])
        targets = tuple(Resolved(file, tuple(sorted(names))) for file, names in sorted(names_by_file.items()))
        if targets or outside:
            return Resolution(targets, external=not targets, package=outside if not targets else "")
        return Resolution(package=target[0], undeclared=self._undeclared(path, target[0]))

    def _undeclared(self, path: str, name: str) -> Undeclared | None:
        """What the manifest above a file asks for, when nothing known has the name; None for a file that no crate declares."""
        folder = nearest_folder(path, self._packages)
        if folder is None or path not in self._trees.compiled or not _CRATE_NAME.fullmatch(name):
            return None
        package = self._packages[folder]
        if not package.readable or package.old:
            return None
        requested = tuple(sorted(crate.replace("_", "-") for crate in package.crates))
        return Undeclared((f"{folder}/Cargo.toml".lstrip("/"),), requested, (name.replace("_", "-"),))

    # Uses.

    def _find_uses(self, path: str) -> Iterator[ImplicitUse]:
        facts, scope = self._facts[path], self._scopes[path]
        for reference in facts.references:
            parts = tuple(reference.name.replace("$crate", "crate").split("::"))
            first = parts[0]
            if first in STANDARD or first == "Self" or first in scope.defined:
                continue
            is_plain = len(parts) == 1 and first not in scope.reexported
            if is_plain and (first in scope.bound or not scope.stars):
                continue
            answer = self._resolve_path(path, parts)
            for file in answer.files if len(parts) > 1 or not answer.weak else ():
                if file != path:
                    defined = self._scopes.get(file, _NO_SCOPE).defined
                    name = next((part for part in reversed(parts) if part in defined), "")
                    yield ImplicitUse(file, (name,) if name else (), reference.line)
                    if answer.entered and answer.entered != file:
                        yield ImplicitUse(answer.entered, (), reference.line)
        for call in facts.calls if scope.reexported else ():
            if call.target in scope.reexported:
                yield from (
                    ImplicitUse(file, (call.target,), call.line)
                    for file in self._resolve_path(path, (call.target,)).files
                )
        yield from self._macro_uses(path, facts, scope)

    def _macro_uses(self, path: str, facts: FileFacts, scope: Scope) -> Iterator[ImplicitUse]:
        """Files of macros a file calls: the whole crate sees them without an import."""
        tables = [self._macros.get(module.crate, {}) for module in self._trees.modules.get(path, ())]
        known = {name: file for table in tables for name, file in table.items() if file != path}
        seen = {*scope.defined, *scope.bound}
        for call in facts.calls if known else ():
            if call.target in known and call.target not in seen:
                seen.add(call.target)
                yield ImplicitUse(known[call.target], (call.target,), call.line)

    def _build_macro_table(self) -> dict[str, dict[str, str]]:
        """Files of macros, by crate and name."""
        table: dict[str, dict[str, str]] = {}
        for path, scope in self._scopes.items():
            for module in self._trees.modules.get(path, ()):
                for name in scope.macros:
                    table.setdefault(module.crate, {}).setdefault(name, path)
        return table

    # Paths.

    def _resolve_path(self, path: str, parts: tuple[str, ...]) -> Answer:
        """Where a path written in a file leads; a file of several crates takes the first answer with files."""
        best = NOTHING
        for module in self._trees.modules.get(path, ()):
            query = (module, parts)
            if query not in self._answers:
                self._answers[query] = self._follow(module, parts, frozenset(), 0)
            if not best.files and self._answers[query] != NOTHING:
                best = self._answers[query]
        return best

    def _follow(self, module: Module, parts: tuple[str, ...], seen: _Visited, depth: int) -> Answer:
        """Where a path written in a module leads."""
        first, rest = parts[0], parts[1:]
        if depth > MAX_DECLARATIONS_FOLLOWED:
            return NOTHING
        if first == "crate":
            return self._descend(Module(module.crate), rest, seen, depth)
        if first in ("self", "super"):
            return self._descend(module, parts, seen, depth)
        if first == "" and rest:
            in_crate = self._find_in_crate(module.crate, rest, seen, depth)
            return in_crate if in_crate != NOTHING else self._descend(Module(module.crate), rest, seen, depth)
        if first in STANDARD and module.child(first) not in self._trees.files:
            return Answer(outside=first)
        local = self._descend(module, parts, seen, depth, by_name=True)
        if local.files and not local.weak:
            return local
        in_crate = self._find_in_crate(module.crate, parts, seen, depth)
        if in_crate != NOTHING:
            return in_crate
        if local.files:
            return local
        answer = self._find_by_star(module, parts, seen, depth)
        package = self._package(module.crate)
        if answer == NOTHING and module.path and (package is None or package.old):
            answer = self._descend(Module(module.crate), parts, seen, depth, by_name=True)
        if answer == NOTHING and (package is None or not package.readable):
            return Answer(outside=first)  # which crates exist is unknown
        return answer

    def _find_in_crate(self, crate: str, parts: tuple[str, ...], seen: _Visited, depth: int) -> Answer:
        """Where a path that begins with the name of a crate leads."""
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
        answer = self._descend(Module(root), parts[1:], seen, depth + 1)
        return replace(answer, entered=root) if root != crate else answer

    def _descend(
        self, module: Module, parts: tuple[str, ...], seen: _Visited, depth: int, *, by_name: bool = False
    ) -> Answer:
        """Where a path leads from inside a module; `by_name` while nothing proves that it begins there."""
        files = self._trees.files
        while parts:
            name = parts[0]
            if name == "super":
                module = module.parent()
            elif name != "self":
                if module.child(name) not in files:
                    answer = self._find_item(module, parts, seen, depth)
                    if answer == NOTHING and not by_name:
                        answer = self._find_by_star(module, parts, seen, depth)
                    return answer if answer.files or by_name else Answer(files.get(module, ()), weak=True)
                module = module.child(name)
            parts, by_name = parts[1:], False
        return Answer(files.get(module, ()))

    def _find_item(self, module: Module, parts: tuple[str, ...], seen: _Visited, depth: int) -> Answer:
        """Where a name leads that is no module with a file: the module defines it, or re-exports it."""
        name = parts[0]
        if (module, name) in seen or depth > MAX_DECLARATIONS_FOLLOWED:
            return NOTHING
        seen = seen | {(module, name)}
        files = self._trees.files.get(module, ())
        scopes = [(file, self._scopes.get(file, _NO_SCOPE)) for file in files]
        defining = tuple(file for file, scope in scopes if name in scope.defined)
        if defining:
            return self._find_in_inline(module, parts, seen, depth) or Answer(defining)
        for file, scope in scopes:
            for use_path in scope.bound.get(name, ()):
                answer = self._follow(module, (*use_path, *parts[1:]), seen, depth + 1)
                return answer if answer.files else Answer((file,), outside=answer.outside, weak=True)
        macro = self._macros.get(module.crate, {}).get(name) if not module.path else None
        return Answer((macro,)) if macro else NOTHING

    def _find_by_star(self, module: Module, parts: tuple[str, ...], seen: _Visited, depth: int) -> Answer:
        """Where a name leads that a star imports into a module."""
        if (module, "*" + parts[0]) in seen or depth > MAX_DECLARATIONS_FOLLOWED:
            return NOTHING
        seen = seen | {(module, "*" + parts[0])}
        for file in self._trees.files.get(module, ()):
            for use_path in self._scopes.get(file, _NO_SCOPE).stars:
                answer = self._follow(module, (*use_path, *parts), seen, depth + 1)
                if answer.files and not answer.weak:
                    return answer
        return NOTHING

    def _find_in_inline(
        self, module: Module, parts: tuple[str, ...], seen: _Visited, depth: int
    ) -> Answer | None:
        """Where a name leads that an inline module re-exports: its declarations are among those of the file."""
        if len(parts) < 2:
            return None
        for file in self._trees.files.get(module, ()):
            scope = self._scopes.get(file, _NO_SCOPE)
            if parts[0] in scope.inline:
                for use_path in scope.bound.get(parts[1], ()):
                    answer = self._follow(module, (*use_path, *parts[2:]), seen, depth + 1)
                    if answer.files and not answer.weak:
                        return answer
        return None

    def _package(self, crate: str) -> Package | None:
        if crate not in self._package_of:
            folder = nearest_folder(crate, self._packages)
            self._package_of[crate] = self._packages[folder] if folder is not None else None
        return self._package_of[crate]
