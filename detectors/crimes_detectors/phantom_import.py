"""A file imports a package that no manifest above it declares.

## Why it matters

A fresh install can fail, because nothing says that the package is needed. The file works only as long as somebody installed it by hand or another
package brings it along. A name that nobody declared may also be a typo or made up: whoever registers it decides what runs.

## What to do

Declare the package in the manifest of the file, or import one that is declared already. If it is optional, import it where it is
needed and handle its absence.

## Before

```python
# pyproject.toml: dependencies = ["flask>=3"]

# shop/rates.py
import requests

def rates():
    return requests.get("https://rates.example.com/latest", timeout=5).json()
```

## After

```python
# pyproject.toml: dependencies = ["flask>=3", "requests>=2.31"]

# shop/rates.py
import requests

def rates():
    return requests.get("https://rates.example.com/latest", timeout=5).json()
```

## What it does not report

- Optional imports: inside a function, under a condition, or in a `try` that handles its absence; and imports of files that are
  only ever loaded that way.
- Go and Rust: their compilers refuse what no manifest declares, so in code that builds, the name is declared in a way not visible here.
- In Python and Ruby, imports of a name that no lockfile has, unless it looks like a typo: a declared package may bring a module of any name. Also a package that a
  declared one needs, in a file that imports both; and what a file imports beside a package that no lockfile has: whoever uses the file installs that package with all it needs.
- Imports that are gone at run time: of types alone, in declaration files, under TYPE_CHECKING.
- What another manifest of the repository declares: workspaces install it for all. What a settings file beside a manifest
  names: a bundler's alias, an image that installs it, a tool's own list, an import map.
- Modules whose distribution has another name, as far as that is known: `yaml` comes from PyYAML. Packages of one
  family, whose names begin with the same word.
- More than three packages that one JavaScript or TypeScript manifest does not declare: something else supplies them, such as a
  declared package that brings a whole set. None of them is reported.
- In JavaScript, TypeScript and PHP, imports of a name that no lockfile has, in a file that neither imports another of the repository nor is imported, unless it looks like a typo: it may never run here.
- Imports of a stylesheet or another asset of a package alone.
- Modules of the repository that only a search path knows, and names that begin with the project's own.
- A comment at the import that states the reason lowers the severity one step. The severity is low, too, where the lockfile has the
  package: another one brings it along.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec import Struct, field

from crimes.api import (
    ANY,
    IMPORT_GRAPH,
    SURE_KINDS,
    Category,
    Detector,
    Effort,
    Example,
    ExternalImport,
    File,
    Finding,
    ImportGraph,
    Measure,
    Pass,
    Place,
    Related,
    Repo,
    Role,
    Severity,
    Signal,
    Undeclared,
    count,
    regex,
)

# Lockfiles, by manifest.
LOCKFILES_OF = {
    "package.json": ("bun.lock", "npm-shrinkwrap.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock"),
    "pyproject.toml": ("pdm.lock", "pixi.lock", "poetry.lock", "uv.lock"),
    "Pipfile": ("Pipfile.lock",),
}
LOCKFILES = frozenset(name for names in LOCKFILES_OF.values() for name in names)
# Files beside a manifest that may name installed packages or aliases.
SETTINGS = regex(
    r"(?i)(?:.*\.(?:json[c5]?|toml|cfg|ini|ya?ml|txt|in|sh|nix|mk|gradle|kts)|(?:docker|make|just|pip|vagrant|container)file.*"
    r"|.*[.-](?:config|conf)\.\w+|(?:setup|noxfile|fabfile|tasks|conftest|build)\.\w+)"
)
# Build files that may name aliases, whatever their role.
BUILD_FILE = regex(r"(?i)(?:gulpfile|gruntfile|importmap)\b.*")
# Manifests that hold the package's own name, and the line with it.
NAMING_MANIFESTS = frozenset({"package.json", "pyproject.toml", "setup.cfg", "Cargo.toml"})
NAME = regex(r"""^[ \t]*"?name"?[ \t]*[=:][ \t]*["']?([\w@./-]+)""", re.MULTILINE)
MAX_SETTINGS_BYTES = 400_000
# Code that is there to try or to show the rest, by its name: it runs where everything is installed.
TEST_PATH = regex(
    r"^(integration|playground|sandbox)/|(^|/)(e2e|tests?|specs?|testing)([-_]\w+)?/|[-_.](e2e|tests?|spec)(/|\.\w+$)|(^|/)(example|sample|demo)s?\.\w+$"
)
CONDITIONS = frozenset({"if", "try", "with", "loop"})
LOCKED_PACKAGE = regex(r"^\[\[package\]\]\s*$", re.MULTILINE)
LOCKED_NAME = regex(r"""^name\s*=\s*["']([\w.-]+)""", re.MULTILINE)
MAX_RELATED = 8
MAX_MISSING = 3  # of one package.json: for more, something unseen supplies them
ASSET = regex(
    r"(?i)[^/]/.*\.(?:css|s[ac]ss|less|styl|svg|png|jpe?g|gif|webp|ico|woff2?|ttf|eot|otf|mp[34]|wasm)(?:\?.*)?$",
    within=500,
)
MIN_SLIP_CHARS = 5  # shorter names are one letter from many others
REASON = regex(
    r"(?i)extraneous|optional|provided by|transitive|installed (?:by|with|separately)|bundled|vendored"
)


class Surroundings(Struct, frozen=True, dict=True):
    """The contents of settings and lockfiles beside manifests."""

    repo: Repo
    _texts: dict[str, str] = field(default_factory=dict)
    _normalised: dict[str, str] = field(default_factory=dict)

    def names(self, manifest: str, package: str, sought: tuple[str, ...]) -> bool:
        """Whether settings beside a manifest, or in a folder below it, name a package."""
        pattern, spellings = spelling_pattern(package, *sought), [package, *sought]
        if package.startswith("@"):  # a bundler's alias looks like a scope
            scope = package.partition("/")[0]
            pattern = regex(rf"{pattern.pattern}|{re.escape(scope)}(?:/\*|/?[\"'`])")
            spellings.append(scope)
        beside = self._settings.get(posixpath.dirname(manifest), ())
        return any(self._contains(path, spellings, pattern) for path in beside)

    def locked(self, missing: Undeclared) -> tuple[str, bool]:
        """The nearest lockfile, and whether it contains the package."""
        for manifest in missing.manifests:
            folder, own = posixpath.split(manifest)
            for name in LOCKFILES_OF.get(own, ()):
                path = posixpath.join(folder, name)
                if path in self.repo.paths:
                    return path, self._contains(path, missing.sought, locked_pattern(*missing.sought))
        return "", False

    def is_own(self, missing: Undeclared, package: str) -> bool:
        """Whether a name begins with that of a surrounding package: an alias, or a generated module."""
        root = (path for path in sorted(NAMING_MANIFESTS) if path in self.repo.paths)
        named = {name for path in (*root, *missing.manifests) for name in NAME.findall(self._text(path))}
        return any(
            package.startswith((f"{name}-", f"{name}/", f"{name.partition('/')[0]}/")) for name in named
        )

    def needed_by(self, missing: Undeclared) -> frozenset[str]:
        """The packages of which the nearest lockfile says that they need this one."""
        lock, is_locked = self.locked(missing)
        if not is_locked or not lock.endswith(".lock"):
            return frozenset()
        pattern = locked_pattern(*missing.sought)
        entries = ((LOCKED_NAME.search(entry), entry) for entry in LOCKED_PACKAGE.split(self._text(lock))[1:])
        return frozenset(
            normalised(name.group(1))
            for name, entry in entries
            if name and not pattern.fullmatch(name.group(1)) and pattern.search(entry)
        )

    @cached_property
    def stems(self) -> frozenset[str]:
        """Names by which files and folders of the tree could be imported."""
        folders, stems = set[str](), set[str]()
        for path in self.repo.paths:
            folder, _, name = path.rpartition("/")
            folders.add(folder)
            stems.add(name.partition(".")[0])
        return frozenset(stems.union(*(folder.split("/") for folder in folders if folder)))

    @cached_property
    def _settings(self) -> Mapping[str, list[str]]:
        """Settings files, by their folder and by the one above it."""
        by_folder: dict[str, list[str]] = {}
        for path in sorted(self.repo.paths):
            folder, _, name = path.rpartition("/")
            file = self.repo.files.get(path)
            is_settings = not (file and file.role is Role.SOURCE) and SETTINGS.fullmatch(name)
            if name in LOCKFILES or not (is_settings or BUILD_FILE.fullmatch(name)):
                continue
            by_folder.setdefault(folder, []).append(path)
            if folder:
                by_folder.setdefault(posixpath.dirname(folder), []).append(path)
        return by_folder

    def _contains(self, path: str, spellings: Iterable[str], pattern: re.Pattern[str]) -> bool:
        """Whether a file matches a pattern; a plain search first, as lockfiles are long and few match."""
        if path not in self._normalised:
            self._normalised[path] = normalised(self._text(path))
        may_match = any(normalised(name) in self._normalised[path] for name in spellings)
        return may_match and pattern.search(self._text(path)) is not None

    def _text(self, path: str) -> str:
        if path not in self._texts:
            try:
                content = self.repo.read(path)
            except OSError:  # a link, or gone since it was listed
                content = b""
            small = len(content) <= MAX_SETTINGS_BYTES or posixpath.basename(path) in LOCKFILES
            self._texts[path] = content.decode("utf-8", "replace") if small else ""
        return self._texts[path]


def normalised(text: str) -> str:
    """A text without differences in spelling."""
    return text.lower().replace("_", "-").replace(".", "-")


def spelling_pattern(*names: str) -> re.Pattern[str]:
    """A pattern for any spelling of these names: dash, dot and underscore are interchangeable."""
    words = "|".join(re.sub(r"\\?[-_.]", "[-_.]", re.escape(name)) for name in names)
    return re.compile(rf"(?i)(?<![\w@.-])(?:{words})(?![\w-])")


def locked_pattern(*names: str) -> re.Pattern[str]:
    """A pattern for these names in a lockfile, where `@scope/name` is another package than `name`."""
    start = r"(?:(?<![\w@./-])|(?<=node_modules/)|(?<=[\s\"']/))"
    return re.compile(rf"(?i){start}{spelling_pattern(*names).pattern.removeprefix('(?i)')}")


def detect(scan: Pass) -> Iterator[Finding]:
    graph, files = scan[IMPORT_GRAPH], scan.repo.files
    surroundings = Surroundings(scan.repo)
    by_package: dict[tuple[str, str], list[tuple[ExternalImport, Undeclared]]] = {}
    beside: dict[str, list[ExternalImport]] = {}  # by file, all it imports from elsewhere
    for item in scan.repo.external:
        if files[item.source].traits.declared_only:
            continue  # the compiler tells
        beside.setdefault(item.source, []).append(item)
        missing = item.undeclared
        if missing is None or item.guarded or item.kind not in SURE_KINDS or ASSET.search(item.target):
            continue
        is_tried = TEST_PATH.search(item.source) is not None
        if files[item.source].role is Role.SOURCE and not files[item.source].declares and not is_tried:
            by_package.setdefault((missing.manifests[-1], item.package), []).append((item, missing))
    found: dict[str, list[Finding]] = {}
    for (_, package), imports in sorted(by_package.items()):
        missing = imports[0][1]
        slip = declared_slip(package, missing.names)
        if (missing.related and not slip) or top_name(package) in surroundings.stems:
            continue
        if is_variant_declared(package, missing.names):
            continue
        if surroundings.is_own(missing, package):
            continue
        if any(surroundings.names(manifest, package, missing.sought) for manifest in missing.manifests):
            continue
        if files[imports[0][0].source].traits.other_names and not slip:
            if not surroundings.locked(missing)[1]:
                continue  # a package that is declared may bring a module of another name
            imports = [
                pair for pair in imports if not comes_with_another(pair[0], missing, surroundings, beside)
            ]
        if not slip and is_scope_declared(package, missing.names) and surroundings.locked(missing)[1]:
            continue  # packages of one scope bring each other
        certain = [item for item, _ in imports if runs_on_load(item, files[item.source], graph)]
        if not slip and not surroundings.locked(missing)[1]:
            # A file without any import to or from others may be a patch, a template or a leftover, and never run here.
            certain = [
                item for item in certain if graph.importers.get(item.source) or graph.imports.get(item.source)
            ]
        if certain:
            finding = report(package, certain, missing, slip, surroundings, files)
            found.setdefault(missing.manifests[0], []).append(finding)
    for manifest, findings in found.items():
        if posixpath.basename(manifest) != "package.json" or len(findings) <= MAX_MISSING:
            yield from findings


def is_scope_declared(package: str, names: tuple[str, ...]) -> bool:
    """Whether another package of the scope is declared: `@shop/client` brings `@shop/core`."""
    scope, slash, _ = package.partition("/")
    return bool(slash) and package.startswith("@") and any(name.startswith(f"{scope}/") for name in names)


def is_variant_declared(package: str, names: tuple[str, ...]) -> bool:
    """Whether a package is declared whose name goes on after this one: `psycopg2-binary` provides `psycopg2`."""
    return any(normalised(name).startswith(f"{normalised(package)}-") for name in names)


def comes_with_another(
    item: ExternalImport,
    missing: Undeclared,
    surroundings: Surroundings,
    beside: Mapping[str, list[ExternalImport]],
) -> bool:
    """Whether whoever uses the file has the package: the file imports one that needs it, or one that nothing installs."""
    needing = surroundings.needed_by(missing)
    for other in beside[item.source]:
        if other.undeclared is None:
            if normalised(other.package) in needing:
                return True
        elif (
            other.kind in SURE_KINDS
            and not other.undeclared.related
            and not surroundings.locked(other.undeclared)[1]
        ):
            return True
    return False


def top_name(package: str) -> str:
    """The name that a local folder or file would have, reached by an alias or a search path."""
    return package.removeprefix("@").partition("/")[0]


def runs_on_load(item: ExternalImport, file: File, graph: ImportGraph) -> bool:
    """Whether an import runs with its file, and the file with its importers."""
    importers = [edge for edge in graph.importers.get(item.source, ()) if not edge.via]
    if importers and not any(edge.kind in SURE_KINDS for edge in importers):
        return False
    conditions = (statement for statement in file.facts.statements if statement.kind in CONDITIONS)
    return not any(statement.line <= item.line <= statement.end for statement in conditions)


def declared_slip(package: str, names: tuple[str, ...]) -> str:
    """A declared name that differs by one letter; empty if there is none."""
    name = re.sub(r"[-_.]+", "-", package).lower()
    if len(name) < MIN_SLIP_CHARS:
        return ""
    similar = (declared for declared in names if abs(len(declared) - len(name)) < 2)
    return next((declared for declared in similar if is_slip(name, declared)), "")


def is_slip(name: str, other: str) -> bool:
    """Whether one letter was added, left out or replaced, or two neighbours were swapped."""
    short, long = sorted((name, other), key=len)
    start = next((n for n, letter in enumerate(short) if letter != long[n]), len(short))
    rest, long_rest = short[start:], long[start:]
    if len(short) < len(long):
        return rest == long_rest[1:]
    swapped = rest[:2] == long_rest[1::-1] and rest[2:] == long_rest[2:]
    return short != long and (rest[1:] == long_rest[1:] or swapped)


def is_explained(file: File, line: int) -> bool:
    """Whether a comment beside or above an import states a reason."""
    near = (comment for comment in file.facts.comments if comment.line - 1 <= line <= comment.end + 1)
    return any(REASON.search(comment.text) for comment in near)


def report(
    package: str,
    imports: list[ExternalImport],
    missing: Undeclared,
    slip: str,
    surroundings: Surroundings,
    files: Mapping[str, File],
) -> Finding:
    first = imports[0]
    lock, locked = surroundings.locked(missing)
    slip = "" if locked else slip
    severity = Severity.HIGH if slip else Severity.LOW if locked else Severity.MEDIUM
    notes: tuple[str, ...] = ()
    if is_explained(files[first.source], first.line) and severity is not Severity.LOW:
        severity = Severity.MEDIUM if slip else Severity.LOW
        notes = ("a comment states the reason: lowered one step",)
    others = sorted({item.source for item in imports} - {first.source})
    files_importing = count(len(others) + 1, "file imports", "files import")
    both = missing.manifests[:2]
    undeclared = (
        f"neither {both[0]} nor {both[1]} declares" if len(both) > 1 else f"{both[0]} does not declare"
    )
    why, fix = reason_and_fix(package, slip, lock if locked else "", missing.manifests[0])
    syntax = f"{count(len(imports), 'import')} that {'runs' if len(imports) == 1 else 'run'} on load"
    declared = count(len(missing.names), "name")
    manifests = f"{missing.manifests[0]} and those above it declare {declared}, not this one"
    signals = [
        Signal("import", Category.SYNTAX, 75, syntax),
        Signal("manifests", Category.DOCS, 80, manifests),
    ]
    if lock and not locked:
        signals.append(Signal("lockfile", Category.GRAPH, 85, f"{lock} has no such package"))
    if slip:
        signals.append(Signal("slip", Category.DOCS, 90, f"one letter from {slip}"))
    return Finding(
        Place(first.source, first.line, first.line),
        severity,
        f"{files_importing} `{package}`, but {undeclared} it"
        + (f"; `{slip}`, one letter away, is declared." if slip else "."),
        signals=tuple(signals),
        evidence={
            "package": Measure(package),
            "files": Measure(len(others) + 1),
            "manifests": Measure(missing.manifests),
            "locked": Measure("in " + lock if locked else "not in " + lock if lock else "no lockfile"),
        },
        related=tuple(Related(Place(path, 1, 1), "imports it too") for path in others[:MAX_RELATED]),
        discriminator=package,
        notes=notes,
        why=why,
        fix=fix,
    )


def reason_and_fix(package: str, slip: str, locked_in: str, manifest: str) -> tuple[str, str]:
    """Why this import hurts and what to do; empty where the general words fit."""
    if slip:
        why = "The name may be a typo, and whoever registers it decides what runs."
        return why, f"Import `{slip}` if that is what is meant; otherwise declare `{package}` in {manifest}."
    if locked_in:
        why = f"It is installed only because another package depends on it ({locked_in}), and goes when that package drops it."
        return why, f"Declare `{package}` in {manifest}."
    return "", ""


PYPROJECT = '[project]\nname = "shop"\ndependencies = ["requests>=2", "PyYAML"]\n'
LOCKED = (
    '[[package]]\nname = "requests"\nversion = "2.32.0"\ndependencies = [\n    { name = "fastrates" },\n]\n\n'
    '[[package]]\nname = "fastrates"\nversion = "1.0.0"\n'
)
PACKAGE = '{"name": "shop", "dependencies": {"express": "^4.0.0"}, "devDependencies": {"@types/estree": "^1.0.0"}}\n'

DETECTOR = Detector(
    id="phantom_import",
    title="Undeclared dependency",
    category="dependencies",
    doc=__doc__ or "",
    languages=ANY,
    max_severity=Severity.HIGH,
    effort=Effort.MINUTES,
    detect=lambda scan, options: detect(scan),
    needs=(IMPORT_GRAPH,),
    examples=(
        Example(
            "packages that no manifest declares",
            {
                "pyproject.toml": PYPROJECT,
                "shop/__init__.py": "",
                "shop/rates.py": "import requests\nimport yaml\n",
                "web/package.json": PACKAGE,
                "web/src/app.ts": 'import express from "express";\nimport { chunk } from "quick-chunks";\nchunk(express);\n',
                "web/src/main.ts": 'import "./app";\n',
            },
            finds=("web/src/app.ts:2",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a likely typo is high",
            {
                "requirements.txt": "requests==2.32.0\n",
                "client.py": "import reqeusts\n",
                "web/package.json": PACKAGE,
                "web/src/app.js": 'const express = require("expres");\nexpress();\n',
            },
            finds=("client.py:1", "web/src/app.js:1"),
            severity=Severity.HIGH,
        ),
        Example(
            "silent in Go and Rust, whose compilers refuse what no manifest declares",
            {
                "go.mod": "module example.org/shop\n\ngo 1.22\n\nrequire example.org/money v1.0.0\n",
                "shop.go": 'package shop\n\nimport "example.org/taxes"\n\nvar All = taxes.All\n',
                "tool/Cargo.toml": '[package]\nname = "tool"\nedition = "2021"\n\n[dependencies]\nserde = "1"\n',
                "tool/src/lib.rs": "use serde::Serialize;\nuse fast_rates::Rate;\nuse u8 as Byte;\n\npub fn f(r: Rate) -> Byte { 1 }\n",
            },
        ),
        Example(
            "in Python a package that another one brings along",
            {
                "pyproject.toml": PYPROJECT,
                "uv.lock": LOCKED,
                "shop/rates.py": "import fastrates\n",
            },
            finds=("shop/rates.py:1",),
            severity=Severity.LOW,
        ),
        Example(
            "silent in a file that imports the declared package which needs it",
            {
                "pyproject.toml": PYPROJECT,
                "uv.lock": LOCKED,
                "shop/rates.py": "import requests\nimport fastrates\n",
            },
        ),
        Example(
            "silent on a variant of a package",
            {
                "pyproject.toml": PYPROJECT.replace("PyYAML", "fastrates-binary"),
                "uv.lock": LOCKED,
                "shop/rates.py": "import fastrates\n",
            },
        ),
        Example(
            "silent in a file for which its users install a package themselves",
            {
                "pyproject.toml": PYPROJECT,
                "uv.lock": LOCKED,
                "shop/chat.py": "import fastrates\nfrom chatter import Client  # to be installed by whoever uses this\n",
            },
        ),
        Example(
            "one finding for all files of a manifest",
            {
                "package.json": PACKAGE,
                "src/a.ts": 'import { rates } from "quick-rates";\nrates();\n',
                "src/b.ts": 'import { rates } from "quick-rates";\nimport "./a";\nrates();\n',
            },
            finds=("src/a.ts:1",),
        ),
        Example(
            "a stated reason lowers the severity",
            {
                "package.json": PACKAGE,
                "src/rates.ts": 'import { rates } from "quick-rates"; // provided by the base image\nrates();\n',
                "src/main.ts": 'import "./rates";\n',
            },
            finds=("src/rates.ts:1",),
            severity=Severity.LOW,
        ),
        Example(
            "silent in Python where no lockfile names it: a declared package may bring it under another name",
            {"pyproject.toml": PYPROJECT, "shop/rates.py": "import fastrates\n"},
        ),
        Example(
            "silent on optional imports",
            {
                "pyproject.toml": PYPROJECT,
                "a.py": "try:\n    import fastrates\nexcept ImportError:\n    fastrates = None\n",
                "b.py": "def load():\n    import fastrates\n    return fastrates\n",
                "c.py": "import sys\nif sys.platform == 'win32':\n    import fastrates\n",
                "d.py": "def load():\n    import backend\n    return backend\n",
                "backend.py": "import fastrates\n",
            },
        ),
        Example(
            "silent on types, and on what types describe",
            {
                "package.json": PACKAGE,
                "src/a.ts": 'import type { Rate } from "quick-rates";\nimport { Node } from "estree";\nexport const a: Rate | Node = 1;\n',
                "src/b.d.ts": 'import { Rate } from "quick-rates";\nexport const b: Rate;\n',
            },
        ),
        Example(
            "silent on other names of what is declared, and on families",
            {
                "requirements/base.txt": "beautifulsoup4\ngoogle-cloud-storage>=2\nopentelemetry-api\n",
                "a.py": "import bs4\nimport google.cloud.storage\nimport opentelemetry_sdk\n",
            },
        ),
        Example(
            "silent on what another manifest declares, or settings beside one name",
            {
                "package.json": '{"private": true, "workspaces": ["packages/*"], "devDependencies": {"vite": "^5.0.0"}}\n',
                "vite.config.ts": 'export default { resolve: { alias: { "@parts": "./x" } } };\n',
                "packages/a/package.json": '{"name": "a", "dependencies": {"left-pad": "^1.0.0"}}\n',
                "packages/b/package.json": '{"name": "b", "dependencies": {"right-pad": "^1.0.0"}}\n',
                "packages/b/src/b.ts": 'import pad from "left-pad";\nimport x from "@parts/x";\npad(x);\n',
                "api/requirements.txt": "requests\n",
                "api/Dockerfile": "RUN pip install requests fastrates\n",
                "api/main.py": "import fastrates\n",
            },
        ),
        Example(
            "medium where the lockfile has only a package of a scope with that name",
            {
                "package.json": '{"name": "shop", "dependencies": {"zod": "3"}}\n',
                "package-lock.json": '{"packages": {"": {}, "node_modules/zod": {}, "node_modules/@acme/quick-chunks": {"version": "1.0.0"}}}\n',
                "src/chunks.js": "import { chunks } from 'quick-chunks';\n\nexport const first = chunks([1], 1)[0];\n",
                "src/main.js": "import { first } from './chunks';\n\nfirst.show();\n",
            },
            ("src/chunks.js:1",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "silent in a file that is an example",
            {
                "package.json": '{"name": "shop", "dependencies": {"zod": "3"}}\n',
                "example.js": "import { chunks } from 'quick-chunks';\n\nexport const first = chunks([1], 1)[0];\n",
            },
        ),
        Example(
            "low where another package brings it along",
            {
                "package.json": PACKAGE,
                "package-lock.json": '{"lockfileVersion": 3, "packages": {"": {}, "node_modules/quick-chunks": {"version": "1.0.0"}}}\n',
                "src/app.ts": 'import { chunk } from "quick-chunks";\nchunk();\n',
            },
            finds=("src/app.ts:1",),
            severity=Severity.LOW,
        ),
        Example(
            "silent in code that tries the rest, and where a declared package of the same scope brings it",
            {
                "package.json": '{"name": "shop", "dependencies": {"@wire/client": "^4.0.0"}}',
                "package-lock.json": '{"lockfileVersion": 3, "packages": {"": {}, "node_modules/@wire/core": {"version": "1.0.0"}}}\n',
                "src/app.ts": 'import { send } from "@wire/core";\nsend();\n',
                "integration/src/app.ts": 'import { chunk } from "quick-chunks";\nchunk();\n',
            },
        ),
        Example(
            "silent on aliases of a build file or an import map",
            {
                "package.json": PACKAGE,
                "gulpfile.mjs": 'export const alias = { "web-toolbar": "web/toolbar.js" };\n',
                "config/importmap.rb": 'pin "@hotwired/stimulus", to: "stimulus.min.js"\n',
                "src/app.js": 'import "web-toolbar";\nimport "@hotwired/stimulus";\n',
            },
        ),
        Example(
            "silent where many are missing: something unseen supplies them",
            {
                "package.json": PACKAGE,
                "src/app.js": "".join(
                    f'import "quick-{name}";\n' for name in ("chunks", "rates", "taxes", "charts")
                ),
            },
        ),
        Example(
            "three that are missing, each on its own",
            {
                "package.json": PACKAGE,
                "src/app.js": "".join(f'import "quick-{name}";\n' for name in ("chunks", "rates", "taxes")),
                "src/main.js": 'import "./app";\n',
            },
            finds=("src/app.js:1", "src/app.js:2", "src/app.js:3"),
        ),
        Example(
            "silent on a stylesheet or asset of a package, but not on its code",
            {
                "package.json": PACKAGE,
                "src/app.ts": 'import "quick-charts/dist/charts.css";\nimport logo from "quick-logos/logo.svg?url";\n'
                'import { rates } from "quick-rates/dist/rates.js";\nrates(logo);\n',
                "src/main.ts": 'import "./app";\n',
            },
            finds=("src/app.ts:3",),
        ),
        Example(
            "silent on names of the project's own",
            {
                "pyproject.toml": PYPROJECT,
                "web/package.json": PACKAGE,
                "web/src/app.ts": 'import { chart } from "shop-charts";\nchart();\n',
            },
        ),
        Example(
            "silent on tests, and where no manifest declares anything",
            {
                "a.py": "import fastrates\n",
                "svc/requirements.txt": "requests\n",
                "svc/tests/test_a.py": "import fastrates\n\ndef test():\n    assert fastrates\n",
            },
        ),
    ),
)
