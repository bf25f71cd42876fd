"""A file imports a module that another package marks as private.

Private is a module with an underscore before its name, and whatever is below a folder `internal`, `_internal` or `private`. Only installed
packages count.

## Why it matters

A private module may change in any release without a note in the change log, so the import can break on an upgrade that looked harmless.
Whoever edits the module does not know that anybody outside depends on it.

## What to do

Use the public interface of the package, ask for what it lacks, or copy the few lines that are needed.

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

- Imports inside the package itself, and those of tests, scripts, examples and generated files.
- Other packages of the same repository: whoever changes the module can change its users with it.
- Packages of the same organisation: `org.acme.internal.Parser` in `org.acme.shop`, `@acme/ui` in `@acme/web`, `acme_core` in `acme` or
  `acme-shop`.
- A private part of an installed package that more than five files use: that is a sister project, and meant.
- Types alone, and imports in a `try` that copes with the absence.
- Styles, images and data; folders of installed packages such as `dist` and `src`: many packages offer their parts there.
- Packages that are private as a whole, such as `_pytest`, and names with two underscores.
- Imports that a comment explains.
- Names with `::` where the compiler refuses what is private: what can be imported is public.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from crimes.api import (
    ANY,
    Category,
    Detector,
    EdgeKind,
    Effort,
    Example,
    Excused,
    ExternalImport,
    File,
    Finding,
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

MANIFESTS = (
    "package.json", "pyproject.toml", "setup.py", "setup.cfg", "Cargo.toml", "go.mod", "composer.json", "deno.json",
)  # fmt: skip
# A package's own name in its manifest.
NAME = regex(r"""^[ \t{]*(?:"?name"?[ \t]*[=:][ \t]*["']?|module[ \t]+)([\w@./-]+)""", re.MULTILINE)
PRIVATE = frozenset({"internal", "internals", "_internal", "private"})
DOMAINS = frozenset({"com", "org", "net", "io", "dev", "de", "uk", "fr", "cn", "jp", "me", "edu", "gov"})
MAX_FILES_OUTSIDE = 5  # more than these use it on purpose: a sister project
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


def detect(scan: Pass) -> Iterator[Finding | Excused]:
    manifests = Manifests(scan.repo)
    by_owner: dict[str, list[Reach]] = {}
    for reach in external_reaches(scan.repo.external, scan.repo.files):
        if any(is_sister(own, reach.owner) for own in manifests.names_above(reach.file.path)):
            yield Excused(
                Place(reach.file.path, reach.line, reach.line), "a package of the same organisation"
            )
        else:
            by_owner.setdefault(reach.owner, []).append(reach)
    for owner, imports in sorted(by_owner.items()):
        if len({reach.file.path for reach in imports}) > MAX_FILES_OUTSIDE:
            continue
        imports.sort(key=lambda reach: (reach.file.path, reach.line))
        if all(states_reason(reach.file, reach.line) for reach in imports):
            place = Place(imports[0].file.path, imports[0].line, imports[0].line)
            yield Excused(place, "a comment states the reason")
        else:
            yield report(owner, imports)


class Manifests:
    """The names that manifests give to the packages of the repository."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._names: dict[str, frozenset[str]] = {}

    def names_above(self, path: str) -> frozenset[str]:
        """The names in the manifests of the folders around a path."""
        folder = posixpath.dirname(path)
        if folder not in self._names:
            manifests = (posixpath.join(folder, name) for name in MANIFESTS)
            own = {name for manifest in manifests for name in NAME.findall(self._text(manifest))}
            self._names[folder] = frozenset(own) | (self.names_above(folder) if folder else frozenset())
        return self._names[folder]

    def _text(self, path: str) -> str:
        try:
            return self._repo.read(path).decode("utf-8", "replace") if path in self._repo.paths else ""
        except OSError:  # a link, or gone since it was listed
            return ""


def is_sister(own: str, other: str) -> bool:
    """Whether two packages have one organisation: `@acme/a` and `@acme/b`, `acme-a` and `acme_b`, `acme` and `acme_core`.

    `django-shop` and `django` do not: an extension begins with the name of what it extends.
    """
    own, other = own.lower(), other.lower()
    if own == other:
        return True
    if "/" in own or "/" in other:  # a scope, a vendor, or a host with an account
        size = 2 if "." in other.partition("/")[0] else 1
        return own.count("/") >= size and own.split("/")[:size] == other.split("/")[:size]
    words = re.split(r"[-_.]", other)
    return len(words) > 1 and words[0] == re.split(r"[-_.]", own)[0]


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
            yield Reach(files[item.source], item.line, item.package, item.target)


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


def is_private(names: list[str]) -> bool:
    """Whether a part of the name marks it as private."""
    return any(
        (name.startswith("_") and not name.startswith("__") and name != "_") or name.lower() in PRIVATE
        for name in names
    )


def report(owner: str, imports: list[Reach]) -> Finding:
    first = imports[0]
    modules = list(dict.fromkeys(reach.module for reach in imports))
    first_lines: dict[str, int] = {}
    for reach in imports:
        first_lines.setdefault(reach.file.path, reach.line)
    others = [place for place in first_lines.items() if place[0] != first.file.path]
    named = quoted_names(modules, MAX_NAMED)
    is_one = len(modules) == 1
    it = "it" if is_one else "them"
    return Finding(
        Place(first.file.path, first.line, first.line),
        Severity.LOW,
        f"{named} {'is' if is_one else 'are'} private to {owner}, and {count(len(others) + 1, 'file')} outside it "
        f"{'import' if others else 'imports'} {it}.",
        signals=(
            Signal("private", Category.SYNTAX, 80, f"the name of {modules[0]} marks it as private"),
            Signal(
                "another_package", Category.GRAPH, 75, f"it belongs to {owner}, and the importer does not"
            ),
        ),
        evidence={
            "package": Measure(owner),
            "modules": Measure(tuple(modules)),
            "files": Measure(len(others) + 1),
        },
        related=tuple(
            Related(Place(path, line, line), "imports a private module of it too")
            for path, line in others[:MAX_RELATED]
        ),
        discriminator=owner,
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
            "silent on packages of the same organisation, but not on what an extension extends",
            {
                "a/pyproject.toml": '[project]\nname = "acme-shop"\n',
                "a/cart.py": "import acme_core._cache\n",
                "b/pyproject.toml": '[project]\nname = "money"\n',
                "b/rates.py": "import money_core._rates\n",
                "c/package.json": '{"name": "@acme/web"}\n',
                "c/a.ts": 'import { x } from "@acme/ui/internal/button";\nx();\n',
                "d/pyproject.toml": '[project]\nname = "flask-shop"\n',
                "d/app.py": "import flask._app\n",
            },
            finds=("d/app.py:1",),
        ),
        Example(
            "silent on other packages of the same repository",
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
            },
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
            "silent inside a package, and on packages that are private as a whole",
            {
                "shop/__init__.py": "from shop._cart import total\nimport _thread\nimport _pytest._code.code\n",
                "shop/_cart.py": "total = 1\n",
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
