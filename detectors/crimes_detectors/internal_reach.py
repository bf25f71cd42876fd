"""A file imports a module that another package marks as private.

Private is a module with an underscore before its name, and whatever is below a folder `internal`, `_internal` or `private`; in another
package of the repository also what is in its `src` and, two folders deep, in `dist` and `build`.

## Why it matters

A private module may change in any release without a note in the change log, so the import can break on an upgrade that looked harmless.
Whoever edits the module does not know that anybody outside depends on it.

## What to do

Use the public interface of the package, ask for what it lacks, or copy the few lines that are needed. Between packages of one
repository, make the module public: export it from the package's entry point.

## Before

```python
# shop/audit.py
from pip._internal.operations.freeze import freeze

def installed_versions():
    return dict(line.split("==") for line in freeze() if "==" in line)
```

## After

```python
# shop/audit.py
from importlib.metadata import distributions

def installed_versions():
    return {package.name: package.version for package in distributions()}
```

## What it accepts

- Names that the package's own manifest lists as its exports.
- Imports inside the package itself, and those of tests, scripts, examples and generated files.
- `internal` in a dotted name of the same repository or organisation, as in `org.acme.internal.Parser`: modules of one system share such
  packages and export them to each other.
- A private part of an installed package that more than five files use: that is a sister project, and meant.
- Types alone, and imports in a `try` that copes with the absence.
- Styles, images and data; folders of installed packages such as `dist` and `src`: many packages offer their parts there.
- Packages that are private as a whole, such as `_pytest`, and names with two underscores.
- Imports that a comment explains.
- Names with `::` where the compiler refuses what is private: what can be imported is public.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import attrgetter

from msgspec import Struct

from crimes.api import (
    ANY,
    Category,
    Detector,
    Edge,
    EdgeKind,
    Effort,
    Example,
    Excused,
    ExternalImport,
    File,
    Finding,
    Import,
    Measure,
    Pass,
    Place,
    Related,
    Repo,
    Role,
    Severity,
    Signal,
    count,
    quoted_names,
    regex,
    states_reason,
)

MANIFESTS = frozenset({
    "package.json", "pyproject.toml", "setup.py", "setup.cfg", "Cargo.toml", "go.mod",
    "composer.json", "pom.xml", "build.gradle", "build.gradle.kts", "build.sbt", "Package.swift",
    "deno.json",
})  # fmt: skip
MANIFEST_EXTENSIONS = (".csproj", ".gemspec", ".podspec")
PRIVATE = frozenset({"internal", "internals", "_internal", "private"})
DOMAINS = frozenset({"com", "org", "net", "io", "dev", "de", "uk", "fr", "cn", "jp", "me", "edu", "gov"})
MAX_FILES_OUTSIDE = 5  # more than these use it on purpose: a sister project
BUILD_FOLDERS = frozenset({"dist", "build"})
DATA_FILE = regex(r"\.(?:css|s[ac]ss|less|styl|json|svg|png|jpe?g|gif|woff2?|wasm|txt|md|html|ya?ml)$")
SEPARATOR = regex(r"[/\\]|::")
MAX_NAMED = 3
MAX_RELATED = 8


class Reach(Struct, frozen=True):
    """An import of something private: `owner` is the package it is private to, `module` is as written."""

    file: File
    line: int
    owner: str
    module: str
    outside: bool


def detect(scan: Pass) -> Iterator[Finding | Excused]:
    packages = Packages(frozenset(scan.repo.paths))
    by_owner: dict[tuple[bool, str], list[Reach]] = {}
    for reach in (*external_reaches(scan.repo.external, scan.repo.files), *internal_reaches(scan, packages)):
        by_owner.setdefault((reach.outside, reach.owner), []).append(reach)
    for (outside, owner), imports in sorted(by_owner.items()):
        if outside and len({reach.file.path for reach in imports}) > MAX_FILES_OUTSIDE:
            continue
        imports.sort(key=lambda reach: (reach.file.path, reach.line))
        if all(states_reason(reach.file, reach.line) for reach in imports):
            place = Place(imports[0].file.path, imports[0].line, imports[0].line)
            yield Excused(place, "a comment states the reason")
        else:
            yield report(owner, imports, packages)


class Packages:
    """The folders with a manifest."""

    def __init__(self, paths: frozenset[str]) -> None:
        self._folders = {
            posixpath.dirname(path)
            for path in paths
            if posixpath.basename(path) in MANIFESTS or path.endswith(MANIFEST_EXTENSIONS)
        }
        self._known: dict[str, str] = {"": ""}

    def of(self, path: str) -> str:
        """The folder of the package that a file or folder belongs to."""
        folder = path.rpartition("/")[0]
        if folder not in self._known:
            self._known[folder] = folder if folder in self._folders else self.of(folder)
        return self._known[folder]


def external_reaches(imports: tuple[ExternalImport, ...], files: Mapping[str, File]) -> Iterator[Reach]:
    """Imports of private modules of external packages."""
    for item in imports:
        if item.target == item.package or files[item.source].role is not Role.SOURCE:
            continue
        if not item.external or not item.package or item.guarded or item.kind is EdgeKind.TYPE_ONLY:
            continue
        module = item.target.strip("<>")  # of an include
        rest = module.removeprefix(item.package)
        if (
            rest == module
            or item.package.startswith("_")
            or files[item.source].declares
            or DATA_FILE.search(item.target.partition("?")[0])
        ):
            continue
        if (
            "::" not in module
            and is_private(parts(rest))
            and not is_of_same_owner(files[item.source], module)
        ):
            yield Reach(files[item.source], item.line, item.package, item.target, outside=True)


def internal_reaches(scan: Pass, packages: Packages) -> Iterator[Reach]:
    """Imports of private modules of another package of the repository."""
    edges: dict[str, list[Edge]] = {}
    # The edges of a file are consecutive.
    for source, file_edges in groupby(scan.repo.edges, attrgetter("source")):
        if scan.repo.files[source].role is not Role.SOURCE:
            continue
        own = packages.of(source)
        for edge in file_edges:
            crossing = packages.of(edge.target) != own
            if crossing and not edge.via and edge.kind not in (EdgeKind.TYPE_ONLY, EdgeKind.DYNAMIC):
                edges.setdefault(source, []).append(edge)
    for path, crossings in edges.items():
        file = scan.repo.files[path]
        items = {item.line: item for item in file.facts.imports if not item.guarded}
        for edge in crossings:
            item = items.get(edge.line)
            target = scan.repo.files.get(edge.target)
            if item and target and target.role is Role.SOURCE and is_private_import(item, edge, packages):
                owner = packages.of(edge.target)
                if not is_exported(scan.repo, owner, item.target):
                    yield Reach(file, edge.line, owner, item.target, outside=False)


def is_private_import(item: Import, edge: Edge, packages: Packages) -> bool:
    """Whether an import as written names something private of the package it leads to."""
    owner = packages.of(edge.target)
    below = edge.target.removeprefix(owner).strip("/").split("/")
    written = parts(item.target)
    # Only the name as written counts: an alias or a manifest may lead to `src` legitimately.
    return is_private(
        [part for part in written[1:] if part in below or f"{part}." in below[-1]],
        neighbour=True,
        shared=is_dotted(item.target),
    )


def is_exported(repo: Repo, owner: str, written: str) -> bool:
    """Whether the manifest of a package exports a module, by name or with a star."""
    manifest = posixpath.join(owner, "package.json")
    if manifest not in repo.paths or written.startswith("."):
        return False
    try:
        text = repo.read(manifest).decode("utf-8", "replace")
    except OSError:  # a link, or gone since it was listed
        return False
    names = written.split("/")[2 if written.startswith("@") else 1 :]
    stars = (f"./{'/'.join([*names[:n], '*'])}" for n in range(1, len(names)))
    return any(f'"{entry}"' in text for entry in ("./" + "/".join(names), *stars))


def parts(written: str) -> list[str]:
    """The parts of a module name."""
    if not is_dotted(written):
        return [part for part in SEPARATOR.split(written) if part not in ("", ".", "..")]
    return [part for part in written.split(".") if part]


def is_dotted(written: str) -> bool:
    """Whether the parts of a module name have dots between them."""
    return not SEPARATOR.search(written)


def is_of_same_owner(file: File, module: str) -> bool:
    """Whether a file says that it belongs to the organisation of a module: `org.acme.shop` and `org.acme.internal`."""
    return owner_of(module) in map(owner_of, file.facts.packages)


def owner_of(name: str) -> str:
    """The organisation in a dotted name: its first part, and the second after that of a domain."""
    first, *rest = name.split(".")
    return ".".join([first, *rest[:1]]) if first in DOMAINS else first


def is_private(names: list[str], *, neighbour: bool = False, shared: bool = False) -> bool:
    """Whether a part of the name marks it as private; the source and build folders of a neighbour are, too.

    In a `shared` name, `internal` does not: modules of one system have such packages together, and export them to each other.
    """
    for n, name in enumerate(names):
        if name.startswith("_") and not name.startswith("__") and name != "_":
            return True
        if name.lower() in PRIVATE and not shared:
            return True
        if neighbour and (name == "src" or (name in BUILD_FOLDERS and len(names) - n > 2)):
            return True
    return False


def report(owner: str, imports: list[Reach], packages: Packages) -> Finding:
    first = imports[0]
    modules = list(dict.fromkeys(reach.module for reach in imports))
    others = sorted({reach.file.path for reach in imports} - {first.file.path})
    named = quoted_names(modules, MAX_NAMED)
    is_one = len(modules) == 1
    it = "it" if is_one else "them"
    whose = owner or "the package at the root"
    importing = {packages.of(reach.file.path) for reach in imports}
    return Finding(
        Place(first.file.path, first.line, first.line),
        Severity.LOW,
        f"{named} {'is' if is_one else 'are'} private to {whose}, and {count(len(others) + 1, 'file')} outside it "
        f"{'import' if others else 'imports'} {it}.",
        signals=(
            Signal("private", Category.SYNTAX, 80, f"the name of {modules[0]} marks it as private"),
            Signal(
                "another_package", Category.GRAPH, 75, f"it belongs to {whose}, and the importer does not"
            ),
        ),
        evidence={
            "package": Measure(whose),
            "modules": Measure(tuple(modules)),
            "files": Measure(len(others) + 1),
            "importing_packages": Measure(len(importing)),
        },
        related=tuple(
            Related(Place(path, 1, 1), "imports a private module of it too") for path in others[:MAX_RELATED]
        ),
        discriminator=owner,
        why="" if first.outside else f"Whoever edits {it} does not expect users outside the package.",
        fix=""
        if first.outside
        else f"Export {it} from the package's entry point, or use what it exports already.",
    )


DETECTOR = Detector(
    id="internal_reach",
    title="Import of a private module",
    category="dependencies",
    doc=__doc__ or "",
    languages=ANY,
    max_severity=Severity.LOW,
    effort=Effort.HOURS,
    detect=lambda scan, options: detect(scan),
    examples=(
        Example(
            "private modules of installed packages",
            {
                "a.py": "from pydantic._internal import _repr\nimport sqlalchemy.engine._py_row\n",
                "b.py": "import pydantic._internal._fields\n",
                "web/a.ts": 'import { x } from "lodash/_baseGet";\nimport { y } from "rxjs/internal/Observable";\nx(y);\n',
            },
            finds=("a.py:1", "a.py:2", "web/a.ts:1", "web/a.ts:2"),
            severity=Severity.LOW,
        ),
        Example(
            "private modules of another package in the repository",
            {
                "libs/core/pyproject.toml": '[project]\nname = "core"\n',
                "libs/core/core/__init__.py": "",
                "libs/core/core/_cache.py": "SIZE = 1\n",
                "libs/shop/pyproject.toml": '[project]\nname = "shop"\n',
                "libs/shop/shop/__init__.py": "",
                "libs/shop/shop/cart.py": "import core._cache\n",
                "packages/ui/package.json": '{"name": "@acme/ui"}\n',
                "packages/ui/src/button.ts": "export const button = 1;\n",
                "packages/web/package.json": '{"name": "web", "dependencies": {"@acme/ui": "workspace:*"}}\n',
                "packages/web/a.ts": 'import { button } from "../ui/src/button";\nexport const a = button;\n',
                "packages/web/b.ts": 'import { button } from "@acme/ui/src/button";\nexport const b = button;\n',
            },
            finds=("libs/shop/shop/cart.py:1", "packages/web/a.ts:1"),
            severity=Severity.LOW,
        ),
        Example(
            "silent where a comment states the reason",
            {
                "a.py": "# There is no public way to ask for the schema of a field.\nimport pydantic._internal._fields\n"
            },
        ),
        Example(
            "silent where the compiler refuses what is private",
            {
                "Cargo.toml": '[package]\nname = "a"\n\n[dependencies]\ninsta = "1"\n',
                "src/lib.rs": "use insta::internals::Content;\n\npub fn x(c: Content) {}\n",
            },
        ),
        Example(
            "silent inside a package, on public entries, and on packages that are private as a whole",
            {
                "shop/__init__.py": "from shop._cart import total\nimport _thread\nimport _pytest._code.code\n",
                "shop/_cart.py": "total = 1\n",
                "packages/ui/package.json": '{"name": "@acme/ui", "main": "src/index.ts"}\n',
                "packages/ui/src/index.ts": 'import "./internal/x";\nexport const button = 1;\n',
                "packages/ui/src/internal/x.ts": "export const x = 1;\n",
                "packages/web/package.json": '{"name": "web", "dependencies": {"@acme/ui": "workspace:*"}}\n',
                "packages/web/a.ts": 'import { button } from "@acme/ui";\nexport const a = button;\n',
                "packages/db/package.json": '{"name": "@acme/db", "exports": {"./src/*": "./src/*.ts"}}\n',
                "packages/db/src/rows.ts": "export const rows = 1;\n",
                "packages/web/b.ts": 'import { rows } from "@acme/db/src/rows";\nexport const b = rows;\n',
            },
        ),
        Example(
            "silent on a package called internal in a dotted name",
            {
                "core/pom.xml": "<project/>\n",
                "core/src/main/java/org/acme/internal/Cache.java": "package org.acme.internal;\npublic class Cache {}\n",
                "shop/pom.xml": "<project/>\n",
                "shop/src/main/java/org/acme/shop/Cart.java": "package org.acme.shop;\nimport org.acme.internal.Cache;\nimport org.acme.sums.internal.Sums;\npublic class Cart {\n  Cache cache;\n  Sums sums;\n}\n",
            },
        ),
        Example(
            "silent on types, optional imports, styles, bundles, and tests",
            {
                "a.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pydantic._internal import _repr\n",
                "b.py": "try:\n    import pydantic._internal._repr\nexcept ImportError:\n    pass\n",
                "a.ts": 'import "toasts/src/theme.css";\nimport Vue from "vue/dist/esm/vue.esm-bundler.js";\n'
                'import type { X } from "next/internal/config";\nexport const a: X = Vue;\n',
                "tests/test_a.py": "import pydantic._internal._repr\n\ndef test():\n    assert pydantic\n",
            },
        ),
    ),
)
