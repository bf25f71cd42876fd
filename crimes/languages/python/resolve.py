"""How a Python import finds its file. Nothing is imported or run: each answer is a look-up in the tree."""

from __future__ import annotations

import sys

from msgspec import Struct

from crimes.languages.linking.manifest import Declarations
from crimes.languages.linking.names_by_file import NamesByFile
from crimes.languages.python.distributions import certainly_provided, likely_distributions, possibly_provided
from crimes.languages.python.layout import Layout, is_init, join, parent
from crimes.languages.python.requirements import read_manifests
from crimes.languages.spec import Resolution, Resolved, ResolveInput, Resolver, ResolverFactory
from crimes.model.facts import EdgeKind, FileFacts, Import
from crimes.model.lazy_regex import regex
from crimes.model.repository import Undeclared

# Modules that only some versions of Python have; `_typeshed` is known to type checkers alone.
_OTHER_VERSIONS = """
__builtin__ _typeshed annotationlib asynchat asyncore audioop cgi cgitb chunk compression crypt distutils
imghdr imp mailcap msilib nis nntplib ossaudiodev pipes sndhdr spwd sunau telnetlib tomllib uu xdrlib
zoneinfo
"""
STANDARD = sys.stdlib_module_names | frozenset(_OTHER_VERSIONS.split())
_TEST_FOLDERS = frozenset({"test", "testing", "tests"})
_DOTTED = regex(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*(?::[^\W\d]\w*)?")
# A package that calls one of these shares its name with packages elsewhere.
_NAMESPACE_CALLS = ("extend_path", "declare_namespace")
# Calls at module level that bind nothing there. Any other may: deprecation and lazy-loading helpers do.
_NON_BINDING_CALLS = ("logging.", "warnings.")


class _BoundNames(Struct, frozen=True):
    """Names bound at module level; the defaults are for a file without facts."""

    names: frozenset[str] = frozenset()
    is_open: bool = True  # it may bind more than can be seen
    is_shared: bool = True  # packages of its name elsewhere may add modules


class PythonResolver(Resolver):
    """Follows Python's own search order over the roots of a layout; answers are cached."""

    def __init__(self, inputs: ResolveInput) -> None:
        self._facts = inputs.facts
        self._ask = inputs.consult
        self._layout = Layout(inputs)
        self._declarations = Declarations(read_manifests(inputs.paths, inputs.read))
        self._modules = self._layout.modules
        self.usage = self._layout.usage
        self._keys: dict[tuple[tuple[str, ...], str], tuple[tuple[str, ...], bool]] = {}
        self._search_roots: dict[tuple[tuple[str, ...], str], tuple[tuple[str, ...], bool]] = {}
        self._bound_by_file: dict[str, _BoundNames] = {}

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where an import of the file `path` leads."""
        name = item.target.lstrip(".")
        dots = len(item.target) - len(name)
        if dots:
            keys, ours = self._relative(parent(path), dots, name), True
        else:
            keys, ours = self._absolute(parent(path), name)
            if "." not in name and keys and self._modules.get(keys[0]) == path and not is_init(path):
                keys, ours = (), False  # a module cannot mean itself: it names an installed one
        targets = self._targets(keys, item)
        if targets:
            return Resolution(targets)
        if dots and item.kind == EdgeKind.DYNAMIC:
            ours = False  # relative to a package that is an argument at run time
        top = "" if dots else name.partition(".")[0]
        if self._is_bare_namespace(keys, item):
            return Resolution(external=True, package=top)  # known, but there is no file to point at
        if ours or dots:
            return Resolution(external=not ours, package=top)
        return Resolution(external=True, package=top, undeclared=self._undeclared(parent(path), top))

    def _undeclared(self, folder: str, top: str) -> Undeclared | None:
        """What the manifests above ask for, when none of it provides the module."""
        manifests, names = self._declarations.above(folder)
        if not names or top in STANDARD or certainly_provided(top, self._declarations.everywhere):
            return None
        return Undeclared(
            manifests, tuple(sorted(names)), likely_distributions(top), possibly_provided(top, names)
        )

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """The file of `pkg.module`, `pkg.module.attribute` or `module:attribute`, if that exists exactly."""
        if ("." not in value and ":" not in value) or not _DOTTED.fullmatch(value):
            return ()
        module, colon, attribute = value.partition(":")
        if not colon:
            whole = self._file(parent(path), module)
            if whole:
                return (whole,)
            module, _, attribute = value.rpartition(".")
        file = self._file(parent(path), module)
        return (file,) if file and self._certainly_binds(file, attribute) else ()

    # Names to module keys.

    def _relative(self, folder: str, dots: int, name: str) -> tuple[str, ...]:
        base = folder
        for _ in range(dots - 1):
            if not base:
                return ()
            base = parent(base)
        key = join(base, name.replace(".", "/")) if name else base
        if key in self._modules or key in self._layout.folders:
            return (key,)
        # The package may be shared with other roots: look its full name up.
        own = self._layout.near(folder)[0]
        inside = base.startswith(f"{own}/") if own else bool(base)
        return self._absolute(folder, key[len(own) :].strip("/").replace("/", "."))[0] if inside else ()

    def _absolute(self, folder: str, name: str) -> tuple[tuple[str, ...], bool]:
        """Keys a name may mean, several for a shared package, and whether it belongs to this repository."""
        near = self._layout.near(folder)
        query = (near, name)
        if query not in self._keys:
            self._keys[query] = self._search(near, name)
        return self._keys[query]

    def _search(self, near: tuple[str, ...], name: str) -> tuple[tuple[str, ...], bool]:
        top, _, rest = name.partition(".")
        roots, ends = self._roots(near, top)
        # Only a neighbour, or a longer name that exists, shadows the standard library.
        if top in sys.stdlib_module_names and not rest:
            roots = roots[:1]
        tail = name.replace(".", "/")
        keys = []
        for root in roots:
            key = join(root, tail)
            file = self._modules.get(key)
            if file or key in self._layout.folders:
                keys.append(key)
            if file and not self._bound_names(file).is_shared:
                return tuple(keys), True
        return tuple(keys), ends or any(key in self._modules for key in keys)

    def _roots(self, near: tuple[str, ...], top: str) -> tuple[tuple[str, ...], bool]:
        """Roots to search for a top name, and whether the last one ends the search."""
        query = (near, top)
        if query not in self._search_roots:
            standard = top in sys.stdlib_module_names
            roots, ends = [], False
            for root in near if standard else self._layout.roots(near, top):
                if not self._layout.has_longer_name(root, top):
                    roots.append(root)
                    ends = not standard and self._ends_search(root, top)
                    if ends:
                        break
            self._search_roots[query] = tuple(roots), ends
        return self._search_roots[query]

    def _ends_search(self, root: str, top: str) -> bool:
        """Whether the root holds the name for good: a test folder may mirror the name of what it tests."""
        file = self._modules.get(join(root, top), "")
        is_test = not _TEST_FOLDERS.isdisjoint(root.split("/"))
        return bool(file) and not is_test and not self._bound_names(file).is_shared

    def _file(self, folder: str, name: str) -> str:
        keys, _ = self._absolute(folder, name)
        return next((self._modules[key] for key in keys if key in self._modules), "")

    # Module keys to files, name by name.

    def _targets(self, keys: tuple[str, ...], item: Import) -> tuple[Resolved, ...]:
        files = [self._modules[key] for key in keys if key in self._modules]
        if not item.names:
            return tuple(Resolved(file) for file in files[:1])
        names_by_file = NamesByFile()
        for name in {imported.name for imported in item.names}:
            modules = (self._module_in(key, name) for key in keys)
            holders = (file for file in files if self._may_bind(file, name))
            target = next(filter(None, modules), "") or next(holders, "")
            if target:
                names_by_file.add(target, name)
        return names_by_file.targets()

    def _module_in(self, key: str, name: str) -> str:
        """The module of that name in a package; a plain module has none."""
        file = self._modules.get(key, "")
        return self._modules.get(join(key, name), "") if not file or is_init(file) else ""

    def _is_bare_namespace(self, keys: tuple[str, ...], item: Import) -> bool:
        wanted = [join(key, name.name) for key in keys for name in item.names] if item.names else keys
        return any(key in self._layout.folders for key in wanted)

    def _may_bind(self, file: str, name: str) -> bool:
        """Whether a name can be an attribute. A package must bind it visibly: it could be a missing module."""
        if not is_init(file) or name == "*":
            return True
        self._ask(file)
        bound = self._bound_names(file)
        return bound.is_open or name in bound.names or name[:2] == name[-2:] == "__"

    def _certainly_binds(self, file: str, name: str) -> bool:
        self._ask(file)
        return file not in self._facts or name in self._bound_names(file).names

    def _bound_names(self, file: str) -> _BoundNames:
        if file not in self._bound_by_file:
            facts = self._facts.get(file)
            self._bound_by_file[file] = _find_bound_names(facts) if facts else _BoundNames()
        return self._bound_by_file[file]


def _find_bound_names(facts: FileFacts) -> _BoundNames:
    names = {*facts.definitions, *(export.name for export in facts.exports)}
    calls = {call.target for call in facts.calls}
    for item in facts.imports:
        if item.function != -1 or item.kind == EdgeKind.DYNAMIC:
            continue
        if item.names:
            names.update(imported.alias or imported.name for imported in item.names)
        else:
            names.add(item.alias or item.target.partition(".")[0])
    called = [statement.name for statement in facts.statements if statement.kind == "call"]
    runs_code = any(not name.startswith(_NON_BINDING_CALLS) for name in called)
    return _BoundNames(
        frozenset(names),
        is_open=bool(facts.errors or runs_code or names & {"*", "__getattr__"} or "globals" in calls),
        is_shared="__path__" in names or any(target.endswith(_NAMESPACE_CALLS) for target in calls),
    )


def _binding_flags(facts: FileFacts) -> tuple[bool, bool]:
    bound = _find_bound_names(facts)
    return bound.is_open, bound.is_shared


def _usage(resolver: Resolver) -> object:
    assert isinstance(resolver, PythonResolver)
    return resolver.usage


python_resolver = ResolverFactory(PythonResolver, _binding_flags, _usage)
