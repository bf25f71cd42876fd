"""How a Python import finds its file. Nothing is imported or run: each answer is a look-up in the tree."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from crimes.languages.linking.manifest import Declarations
from crimes.languages.python.distributions import bringing, perhaps, surely
from crimes.languages.python.layout import Layout, is_init, join, parent
from crimes.languages.python.requirements import requirements
from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver, Resolving
from crimes.model.facts import EdgeKind, FileFacts, Import
from crimes.model.lazy_regex import regex
from crimes.model.repository import Undeclared

# Of any version: newer ones have more, older ones had others; `_typeshed` is known to type checkers alone.
STANDARD = sys.stdlib_module_names | frozenset(
    [
        "__builtin__",
        "_typeshed",
        "annotationlib",
        "asynchat",
        "asyncore",
        "audioop",
        "cgi",
        "cgitb",
        "chunk",
        "compression",
        "crypt",
        "distutils",
        "imghdr",
        "imp",
        "mailcap",
        "msilib",
        "nis",
        "nntplib",
        "ossaudiodev",
        "pipes",
        "sndhdr",
        "spwd",
        "sunau",
        "telnetlib",
        "tomllib",
        "uu",
        "xdrlib",
        "zoneinfo",
    ]
)
_TESTS = frozenset({"test", "testing", "tests"})
_DOTTED = regex(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*(?::[^\W\d]\w*)?")
# A package that calls one of these shares its name with packages elsewhere.
_SHARING = ("extend_path", "declare_namespace")
# Calls at module level that bind nothing there. Any other may: deprecation and lazy-loading helpers do.
_HARMLESS = ("logging.", "warnings.")


class _Bound(Struct, frozen=True):
    """Names bound at a file's module level; the defaults are for a file without facts."""

    names: frozenset[str] = frozenset()
    is_open: bool = True  # it may bind more than can be seen
    is_shared: bool = True  # packages of its name elsewhere may add modules


class PythonResolver:
    """Follows Python's own search order over the roots of a layout; what was asked once is remembered."""

    def __init__(self, given: ResolveInput) -> None:
        self._facts = given.facts
        self._ask = given.ask
        self._layout = Layout(given)
        self._declarations = Declarations(requirements(given.paths, given.read))
        self._modules = self._layout.modules
        self.usage = self._layout.usage
        self._found: dict[tuple[tuple[str, ...], str], tuple[tuple[str, ...], bool]] = {}
        self._searched: dict[tuple[tuple[str, ...], str], tuple[tuple[str, ...], bool]] = {}
        self._bound: dict[str, _Bound] = {}

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
            ours = False  # relative to a package that is handed over when it runs
        top = "" if dots else name.partition(".")[0]
        if self._is_bare_namespace(keys, item):
            return Resolution(external=True, package=top)  # known, but there is no file to point at
        if ours or dots:
            return Resolution(external=not ours, package=top)
        return Resolution(external=True, package=top, undeclared=self._undeclared(parent(path), top))

    def _undeclared(self, folder: str, top: str) -> Undeclared | None:
        """What the manifests above ask for, when it does not bring a module from outside."""
        manifests, names = self._declarations.above(folder)
        if not names or top in STANDARD or surely(top, self._declarations.everywhere):
            return None
        return Undeclared(manifests, tuple(sorted(names)), bringing(top), perhaps(top, names))

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Nothing is used without an import."""
        return ()

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

    # From a name to module keys.

    def _relative(self, folder: str, dots: int, name: str) -> tuple[str, ...]:
        base = folder
        for _ in range(dots - 1):
            if not base:
                return ()
            base = parent(base)
        key = join(base, name.replace(".", "/")) if name else base
        if key in self._modules or key in self._layout.folders:
            return (key,)
        # The package may be shared with other roots: ask for the same thing by its full name.
        own = self._layout.near(folder)[0]
        inside = base.startswith(f"{own}/") if own else bool(base)
        return self._absolute(folder, key[len(own) :].strip("/").replace("/", "."))[0] if inside else ()

    def _absolute(self, folder: str, name: str) -> tuple[tuple[str, ...], bool]:
        """Keys a name may stand for, several for a shared package, and whether it is of this repository."""
        near = self._layout.near(folder)
        asked = (near, name)
        if asked not in self._found:
            self._found[asked] = self._look(near, name)
        return self._found[asked]

    def _look(self, near: tuple[str, ...], name: str) -> tuple[tuple[str, ...], bool]:
        top, _, rest = name.partition(".")
        roots, ends = self._roots(near, top)
        # Only a neighbour, or a longer name that exists, stands in for the standard library.
        if top in sys.stdlib_module_names and not rest:
            roots = roots[:1]
        tail = name.replace(".", "/")
        keys = []
        for root in roots:
            key = join(root, tail)
            file = self._modules.get(key)
            if file or key in self._layout.folders:
                keys.append(key)
            if file and not self._names(file).is_shared:
                return tuple(keys), True
        return tuple(keys), ends or any(key in self._modules for key in keys)

    def _roots(self, near: tuple[str, ...], top: str) -> tuple[tuple[str, ...], bool]:
        """Roots that a top name is searched in, and whether what the last one holds ends the search."""
        asked = (near, top)
        if asked not in self._searched:
            standard = top in sys.stdlib_module_names
            roots, ends = [], False
            for root in near if standard else self._layout.roots(near, top):
                if not self._layout.has_longer_name(root, top):
                    roots.append(root)
                    ends = not standard and self._ends_search(root, top)
                    if ends:
                        break
            self._searched[asked] = tuple(roots), ends
        return self._searched[asked]

    def _ends_search(self, root: str, top: str) -> bool:
        """A package or module found ends it, but a test folder may mirror the name of what it tests."""
        file = self._modules.get(join(root, top), "")
        return bool(file) and not self._names(file).is_shared and _TESTS.isdisjoint(root.split("/"))

    def _file(self, folder: str, name: str) -> str:
        keys, _ = self._absolute(folder, name)
        return next((self._modules[key] for key in keys if key in self._modules), "")

    # From module keys to files, name by name.

    def _targets(self, keys: tuple[str, ...], item: Import) -> tuple[Resolved, ...]:
        files = [self._modules[key] for key in keys if key in self._modules]
        if not item.names:
            return tuple(Resolved(file) for file in files[:1])
        found: dict[str, set[str]] = defaultdict(set)
        for name in {imported.name for imported in item.names}:
            modules = (self._module_in(key, name) for key in keys)
            holders = (file for file in files if self._may_bind(file, name))
            target = next(filter(None, modules), "") or next(holders, "")
            if target:
                found[target].add(name)
        return tuple(Resolved(file, tuple(sorted(names))) for file, names in sorted(found.items()))

    def _module_in(self, key: str, name: str) -> str:
        """The module of that name in a package; a plain module has none."""
        file = self._modules.get(key, "")
        return self._modules.get(join(key, name), "") if not file or is_init(file) else ""

    def _is_bare_namespace(self, keys: tuple[str, ...], item: Import) -> bool:
        wanted = [join(key, name.name) for key in keys for name in item.names] if item.names else keys
        return any(key in self._layout.folders for key in wanted)

    def _may_bind(self, file: str, name: str) -> bool:
        """Whether a name can be an attribute. Packages must show it: it could be a missing module instead."""
        if not is_init(file) or name == "*":
            return True
        self._ask(file)
        bound = self._names(file)
        return bound.is_open or name in bound.names or name[:2] == name[-2:] == "__"

    def _certainly_binds(self, file: str, name: str) -> bool:
        self._ask(file)
        return file not in self._facts or name in self._names(file).names

    def _names(self, file: str) -> _Bound:
        if file not in self._bound:
            self._bound[file] = _bound(self._facts[file]) if file in self._facts else _Bound()
        return self._bound[file]


def _bound(facts: FileFacts) -> _Bound:
    names = {*facts.definitions, *(export.name for export in facts.exports)}
    calls = {call.target for call in facts.calls}
    for item in facts.imports:
        if item.function != -1 or item.kind == EdgeKind.DYNAMIC:
            continue
        if item.names:
            names.update(imported.alias or imported.name for imported in item.names)
        else:
            names.add(item.alias or item.target.partition(".")[0])
    runs_code = any(one.kind == "call" and not one.name.startswith(_HARMLESS) for one in facts.statements)
    return _Bound(
        frozenset(names),
        is_open=bool(facts.errors or runs_code or names & {"*", "__getattr__"} or "globals" in calls),
        is_shared="__path__" in names or any(target.endswith(_SHARING) for target in calls),
    )


def _seen(facts: FileFacts) -> tuple[bool, bool]:
    bound = _bound(facts)
    return bound.is_open, bound.is_shared


def _together(resolver: Resolver) -> object:
    assert isinstance(resolver, PythonResolver)
    return resolver.usage


python_resolver = Resolving(PythonResolver, _seen, _together)
