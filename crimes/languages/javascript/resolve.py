"""Where an import of JavaScript or TypeScript leads: a file of the tree, outside, or nowhere known.

Settings of bundlers and test runners are programs and are never run; what only they know stays unresolved,
except for the few aliases whose usual meaning finds a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct, field

from crimes.languages.javascript.packages import Packages
from crimes.languages.javascript.tree import Tree, join
from crimes.languages.javascript.tsconfig import Config, Configs
from crimes.languages.spec import ImplicitUse, Resolution, Resolved, ResolveInput, Resolver, Resolving
from crimes.model.facts import EdgeKind, Import
from crimes.model.lazy_regex import regex

_NODE = """
assert assert/strict async_hooks buffer child_process cluster console crypto dgram diagnostics_channel dns
dns/promises domain events fs fs/promises http http2 https inspector inspector/promises module net os path
path/posix path/win32 perf_hooks process punycode querystring readline readline/promises repl stream
stream/consumers stream/promises stream/web string_decoder timers timers/promises tls trace_events tty url
util util/types v8 vm wasi worker_threads zlib
"""
NODE = frozenset(_NODE.split())
SCHEME = regex(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
# What a registry accepts as a name.
PACKAGE = regex(r"(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*")
# Names that a host or a framework answers itself; nobody installs them.
_PROVIDED = "@docusaurus @generated @site @theme bun client-only electron k6 server-only vscode"
PROVIDED = frozenset(_PROVIDED.split())
# Not names a package can have: what templates of bundlers and frameworks make of them, inside the package.
ALIASES = {
    "@/": ("src", "app", ""),
    "~/": ("src", "app", ""),
    "$lib/": ("src/lib",),
    "src/": ("src",),
    "/": ("", "public"),
}
ONLY_ALIASES = ("@/", "~/", "$lib/", "/", "#")

NOWHERE = Resolution()


def _resolver(given: ResolveInput) -> Resolver:
    """The resolver of JavaScript, TypeScript and what embeds them."""
    tree = Tree(given.paths, given.read)
    packages = Packages(tree)
    return _Resolver(given, tree, packages, Configs(tree, packages))


def package_name(specifier: str) -> str:
    """The package a bare specifier names: `a/b` is in `a`, `@a/b/c` in `@a/b`."""
    return "/".join(specifier.split("/")[: 2 if specifier.startswith("@") else 1])


class Importer(NamedTuple):
    """What of the importing file decides where its imports lead."""

    folder: str
    configs: tuple[Config, ...]
    types: bool  # it asks for types alone


class _Resolver(Struct, frozen=True):
    """Answers are kept by folder, ruling configuration and specifier: the same question is asked often."""

    given: ResolveInput
    tree: Tree
    packages: Packages
    configs: Configs
    _ruling: dict[str, tuple[Config, ...]] = field(default_factory=dict)
    _answers: dict[tuple[object, ...], str | Resolution] = field(default_factory=dict)

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where an import leads; a file that exists but is not read (an image, a style) counts as outside."""
        found = self._lookup(path, item.target, item.kind == EdgeKind.TYPE_ONLY)
        if isinstance(found, Resolution):
            return found
        if found not in self.given.facts:
            return Resolution(external=True, package="(asset)")
        return Resolution((Resolved(found, tuple(name.name for name in item.names)),))

    def uses(self, path: str) -> Iterable[ImplicitUse]:
        """Nothing is used without an import."""
        return ()

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """A string that starts like a relative path and finds a file that is read."""
        if not value.startswith(("./", "../")) or value.endswith(("/", "..")):
            return ()
        found = self._lookup(path, value)
        return (found,) if isinstance(found, str) and found in self.given.facts else ()

    def _lookup(self, path: str, specifier: str, types: bool = False) -> str | Resolution:
        """The file of the tree, or the answer that there is none."""
        if path not in self._ruling:
            self._ruling[path] = self.configs.ruling(path)
        by = Importer(path.rpartition("/")[0], self._ruling[path], types)
        key = (by.folder, specifier, types, *(config.path for config in by.configs))
        if key not in self._answers:
            self._answers[key] = self._find(by, specifier)
        return self._answers[key]

    def _find(self, by: Importer, specifier: str) -> str | Resolution:
        written = specifier.rpartition("!")[2]  # behind the loaders webpack allows: raw-loader!./notes.md
        name = written.partition("?")[0]
        if not written.startswith(("./", "../")) and written not in (".", ".."):
            return self._bare(by, name) if name else NOWHERE
        for tried in dict.fromkeys((written, name, name.partition("#")[0])):
            if found := self._relative(by, tried):
                return found
        return NOWHERE

    def _relative(self, by: Importer, name: str) -> str | None:
        find = self.tree.folder if name.rpartition("/")[2] in ("", ".", "..") else self.tree.find
        target = join(by.folder, name)
        if target is None:
            return None
        if found := find(target):
            return found
        for roots in (config.root_dirs for config in by.configs):
            for root in roots:
                if target == root or target.startswith(root + "/"):
                    merged = (find(other + target.removeprefix(root)) for other in roots)
                    return next(filter(None, merged), None)
        return None

    def _bare(self, by: Importer, name: str) -> str | Resolution:
        mapped = [matched for config in by.configs if (matched := config.places(name))]
        for place in (place for _, places in mapped for place in places):
            if found := self.tree.find(place):
                return found
        if outside := _run_time(name):
            return outside
        bases = (config.base_url for config in by.configs if config.base_url is not None)
        for root in (*bases, *self.given.roots):
            if found := self.tree.find(join(root, name)):
                return found
        if name.startswith("#"):
            return self._own_import(by, name)
        package = package_name(name)
        if inside := self._workspace(by, package, name.removeprefix(package)):
            return inside
        if found := self._alias(by.folder, name):
            return found
        claimed = any(pattern != "*" for pattern, _ in mapped)
        if (claimed and not self.packages.depends_on(package, by.folder)) or name.startswith(ONLY_ALIASES):
            return NOWHERE
        undeclared = None
        if (
            PACKAGE.fullmatch(package)
            and package.partition("/")[0] not in PROVIDED
            and package[-4:] != ".css"
        ):
            undeclared = self.packages.undeclared(package, by.folder)
        return Resolution(external=True, package=package, undeclared=undeclared)

    def _own_import(self, by: Importer, name: str) -> str | Resolution:
        """`#name`, as the package's own `imports` has it; a target may be another package."""
        for own in self.packages.above(by.folder):
            targets = own.imports(name) or []
            inside = [target for target in targets if target.startswith(".")]
            if found := self.tree.entry(own.folder, inside, name.count("/"), by.types):
                return found
            for target in targets:
                if not target.startswith((".", "#")):
                    return self._bare(by._replace(configs=()), target)
        return NOWHERE

    def _workspace(self, by: Importer, name: str, rest: str) -> str | Resolution | None:
        """A file of a package of the repository; None when no such package is in reach."""
        package = self.packages.named(name, by.folder)
        if package is None:
            return None
        nothing = Resolution(package=name)
        subpath = "." + rest
        named = package.exports(subpath)
        if found := self.tree.entry(package.folder, named or [], rest.count("/"), by.types):
            return found
        if named == []:  # closed on purpose: null
            return nothing
        if subpath == ".":
            return self.tree.main(package.folder, package.manifest, by.types) or nothing
        # Also what `exports` does not list: a repository's own code is often let in by an alias of its tools.
        return (
            self.tree.find(join(package.folder, subpath))
            or self.tree.find(join(package.folder, "src" + rest))
            or nothing
        )

    def _alias(self, folder: str, name: str) -> str | None:
        package = self.packages.nearest(folder)
        base = package.folder if package else ""
        for prefix, places in ALIASES.items():
            if name.startswith(prefix):
                rest = name.removeprefix(prefix)
                tried = (self.tree.find(join(base, f"{place}/{rest}".lstrip("/"))) for place in places)
                return next(filter(None, tried), None)
        return None


def _run_time(name: str) -> Resolution | None:
    """Names no tree can answer: parts of the run time, addresses, registries, modules made by a plugin."""
    if name in NODE:
        return Resolution(external=True, package="node:" + name.partition("/")[0])
    scheme = SCHEME.fullmatch(name)
    if not scheme:
        return None
    kind, rest = scheme[1], scheme[2].lstrip("/")
    if kind in ("npm", "jsr"):
        at = rest.find("@", 1)
        return Resolution(external=True, package=package_name(rest if at < 0 else rest[:at]))
    if kind in ("http", "https"):
        return Resolution(external=True, package=rest.partition("/")[0])
    return Resolution(external=True, package=f"{kind}:" + ("" if kind == "data" else rest.partition("/")[0]))


javascript_resolver = Resolving(_resolver, lambda facts: ())  # only that there is a file counts
