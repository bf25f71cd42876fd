"""Where an import of JavaScript or TypeScript leads: a file of the tree, outside, or nowhere known.

Settings of bundlers and test runners are programs and are never run; imports that only they explain stay
unresolved, except for the few aliases whose usual meaning finds a file.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from crimes.languages.javascript.packages import Packages
from crimes.languages.javascript.tree import Tree
from crimes.languages.javascript.tsconfig import Config, Configs
from crimes.languages.linking.tree_paths import join_inside
from crimes.languages.spec import Resolution, Resolved, ResolveInput, Resolver, ResolverFactory
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
PACKAGE_NAME = regex(r"(?:@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*")
# Names that a host or a framework provides itself; nobody installs them.
_PROVIDED = "@docusaurus @generated @site @theme bun client-only electron k6 server-only vscode"
PROVIDED = frozenset(_PROVIDED.split())
# Prefixes no package name has, with the folders that templates of bundlers and frameworks map them to.
ALIASES = {
    "@/": ("src", "app", ""),
    "~/": ("src", "app", ""),
    "$lib/": ("src/lib",),
    "src/": ("src",),
    "/": ("", "public"),
}
NOT_PACKAGES = ("@/", "~/", "$lib/", "/", "#")

NOWHERE = Resolution()


def package_name(specifier: str) -> str:
    """The package a bare specifier names: `a/b` is in `a`, `@a/b/c` in `@a/b`."""
    return "/".join(specifier.split("/")[: 2 if specifier.startswith("@") else 1])


class Importer(NamedTuple):
    """The properties of an importing file that decide where its imports lead."""

    folder: str
    configs: tuple[Config, ...]
    types: bool  # it imports only types


class JavaScriptResolver(Resolver):
    """Answers are cached by folder, configurations and specifier: many files import the same."""

    def __init__(self, inputs: ResolveInput) -> None:
        self.inputs = inputs
        self.tree = Tree(inputs.paths, inputs.read)
        self.packages = Packages(self.tree)
        self.configs = Configs(self.tree, self.packages)
        self._configs: dict[str, tuple[Config, ...]] = {}
        self._answers: dict[tuple[object, ...], str | Resolution] = {}

    def resolve(self, path: str, item: Import) -> Resolution:
        """Where an import leads; a file that exists but is not analysed (an image, a style) counts as outside."""
        answer = self._lookup(path, item.target, item.kind == EdgeKind.TYPE_ONLY)
        if isinstance(answer, Resolution):
            return answer
        if answer not in self.inputs.facts:
            return Resolution(external=True, package="(asset)")
        return Resolution((Resolved(answer, tuple(name.name for name in item.names)),))

    def text_targets(self, path: str, value: str) -> tuple[str, ...]:
        """The file of a string that starts like a relative path, if it is analysed."""
        if not value.startswith(("./", "../")) or value.endswith(("/", "..")):
            return ()
        answer = self._lookup(path, value)
        return (answer,) if isinstance(answer, str) and answer in self.inputs.facts else ()

    def _lookup(self, path: str, specifier: str, types: bool = False) -> str | Resolution:
        """The file of the tree, or the resolution without one."""
        if path not in self._configs:
            self._configs[path] = self.configs.configs_for(path)
        importer = Importer(path.rpartition("/")[0], self._configs[path], types)
        key = (importer.folder, specifier, types, *(config.path for config in importer.configs))
        if key not in self._answers:
            self._answers[key] = self._find(importer, specifier)
        return self._answers[key]

    def _find(self, importer: Importer, specifier: str) -> str | Resolution:
        request = specifier.rpartition("!")[2]  # after the loaders webpack allows: raw-loader!./notes.md
        name = request.partition("?")[0]
        if not request.startswith(("./", "../")) and request not in (".", ".."):
            return self._bare(importer, name) if name else NOWHERE
        for candidate in dict.fromkeys((request, name, name.partition("#")[0])):
            if file := self._relative(importer, candidate):
                return file
        return NOWHERE

    def _relative(self, importer: Importer, name: str) -> str | None:
        find = self.tree.folder if name.rpartition("/")[2] in ("", ".", "..") else self.tree.find
        target = join_inside(importer.folder, name)
        if target is None:
            return None
        if file := find(target):
            return file
        for roots in (config.root_dirs for config in importer.configs):
            for root in roots:
                if target == root or target.startswith(root + "/"):
                    merged = (find(other + target.removeprefix(root)) for other in roots)
                    return next(filter(None, merged), None)
        return None

    def _bare(self, importer: Importer, name: str) -> str | Resolution:
        mapped = [match for config in importer.configs if (match := config.targets(name))]
        for target in (target for _, targets in mapped for target in targets):
            if file := self.tree.find(target):
                return file
        if outside := _outside_any_tree(name):
            return outside
        bases = (config.base_url for config in importer.configs if config.base_url is not None)
        for root in (*bases, *self.inputs.roots):
            if file := self.tree.find(join_inside(root, name)):
                return file
        if name.startswith("#"):
            return self._own_import(importer, name)
        package = package_name(name)
        if inside := self._workspace(importer, package, name.removeprefix(package)):
            return inside
        if file := self._alias(importer.folder, name):
            return file
        is_mapped = any(pattern != "*" for pattern, _ in mapped)
        is_alias = is_mapped and not self.packages.depends_on(package, importer.folder)
        if is_alias or name.startswith(NOT_PACKAGES):
            return NOWHERE
        undeclared = None
        provided = package.partition("/")[0] in PROVIDED or package.endswith(".css")
        if PACKAGE_NAME.fullmatch(package) and not provided:
            undeclared = self.packages.undeclared(package, importer.folder)
        return Resolution(external=True, package=package, undeclared=undeclared)

    def _own_import(self, importer: Importer, name: str) -> str | Resolution:
        """Where `#name` leads by the package's own `imports`; a target may be another package."""
        for own in self.packages.above(importer.folder):
            targets = own.imports(name) or []
            inside = [target for target in targets if target.startswith(".")]
            if file := self.tree.entry(own.folder, inside, name.count("/"), importer.types):
                return file
            for target in targets:
                if not target.startswith((".", "#")):
                    return self._bare(importer._replace(configs=()), target)
        return NOWHERE

    def _workspace(self, importer: Importer, name: str, rest: str) -> str | Resolution | None:
        """A file of a package of the repository; None when the importer cannot reach such a package."""
        package = self.packages.find(name, importer.folder)
        if package is None:
            return None
        nothing = Resolution(package=name)
        subpath = "." + rest
        targets = package.exports(subpath)
        if file := self.tree.entry(package.folder, targets or [], rest.count("/"), importer.types):
            return file
        if targets == []:  # closed on purpose: null
            return nothing
        if subpath == ".":
            return self.tree.main(package.folder, package.manifest, importer.types) or nothing
        # Also files that `exports` does not list: build tools often alias a repository's own code.
        return (
            self.tree.find(join_inside(package.folder, subpath))
            or self.tree.find(join_inside(package.folder, "src" + rest))
            or nothing
        )

    def _alias(self, importer_folder: str, name: str) -> str | None:
        package = self.packages.nearest(importer_folder)
        base = package.folder if package else ""
        for prefix, folders in ALIASES.items():
            if name.startswith(prefix):
                rest = name.removeprefix(prefix)
                paths = (join_inside(base, f"{folder}/{rest}".lstrip("/")) for folder in folders)
                return next(filter(None, map(self.tree.find, paths)), None)
        return None


def _outside_any_tree(name: str) -> Resolution | None:
    """The resolution of names that no tree holds: the runtime, addresses, registries, generated modules."""
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


javascript_resolver = ResolverFactory(JavaScriptResolver, lambda facts: ())  # a file counts only by existing
