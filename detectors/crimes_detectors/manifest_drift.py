"""A lockfile does not match the manifest beside it.

It reads package-lock.json, pnpm-lock.yaml, yarn.lock, bun.lock, uv.lock, poetry.lock, pdm.lock, Pipfile.lock, Cargo.lock, go.sum,
composer.lock and Gemfile.lock.

## Why it matters

A strict install stops with an error, and a lenient one quietly installs versions that nobody tested. The next edit to the manifest brings
the difference along.

The severity is medium for the manifest in the root of the repository, and low for any other: fewer people install from it, and a member of a workspace uses the locked
version until somebody updates the lock.

## What to do

Run the lock command of the package manager, read what changes, and commit both files together. If the lockfile is no longer used,
delete it.

## Before

```text
# package.json
"dependencies": {
  "express": "^5.0.0",
  "zod": "^3.23.0"
}

# package-lock.json
"node_modules/express": { "version": "4.19.2" }
```

## After

```text
# package.json
"dependencies": {
  "express": "^5.0.0",
  "zod": "^3.23.0"
}

# package-lock.json, after `npm install`
"node_modules/express": { "version": "5.0.1" }
"node_modules/zod": { "version": "3.23.8" }
```

## What it does not report

- Versions that cannot be compared with certainty: addresses, tags, paths, catalogues, pre-releases.
- Entries for some platforms or language versions only, peers, and optional ones.
- Versions that the root of a workspace forces on purpose: overrides, resolutions, sources.
- What another package of the workspace, or a package that replaces it, provides.
- Manifests of tests, fixtures, examples, templates and benchmarks.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from crimes.api import (
    PINS,
    Category,
    Detector,
    Effort,
    Example,
    Finding,
    Measure,
    Pass,
    Pin,
    Place,
    Related,
    Severity,
    Signal,
    count,
    regex,
)

EXAMPLE_FOLDERS = frozenset({
    "bench", "benchmark", "benchmarks", "demo", "demos", "e2e", "example", "examples", "fixture",
    "fixtures", "node_modules", "playground", "playgrounds", "sample", "samples", "spec",
    "template", "templates", "test", "testdata", "tests", "third_party", "vendor",
})  # fmt: skip
MAX_NAMED = 6
MEMBER_WHY = "Installs use what is locked, not what this manifest asks for, until somebody updates the lock."
WORKSPACE = regex(r"^\[workspace\]", re.MULTILINE)


def detect(scan: Pass) -> Iterator[Finding]:
    drifted: dict[tuple[str, str], list[Pin]] = {}
    checked: dict[tuple[str, str], int] = {}
    for pin in scan[PINS]:
        if EXAMPLE_FOLDERS.isdisjoint(folder.strip("_").lower() for folder in pin.manifest.split("/")[:-1]):
            pair = pin.manifest, pin.lock
            checked[pair] = checked.get(pair, 0) + 1
            if not pin.fits:
                drifted.setdefault(pair, []).append(pin)
    reported: set[tuple[str, str, str]] = (
        set()
    )  # lock, name and what is asked for: one line of a lockfile is one fault
    for (manifest, lock), pins in sorted(drifted.items()):
        try:
            text = scan.repo.read(manifest).decode("utf-8", "replace")
        except OSError:  # gone since it was read
            continue
        own = [pin for pin in pins if (lock, pin.name, pin.asked) not in reported]
        if own and not has_own_lock(manifest, lock, text):
            reported |= {(lock, pin.name, pin.asked) for pin in own}
            yield report(manifest, lock, pins, checked[manifest, lock], text)


def has_own_lock(manifest: str, lock: str, text: str) -> bool:
    """Whether a manifest below a lockfile is the root of a workspace of its own: that lockfile is not its."""
    is_below = posixpath.dirname(manifest) != posixpath.dirname(lock)
    return is_below and WORKSPACE.search(text) is not None


def report(manifest: str, lock: str, pins: list[Pin], checked: int, text: str) -> Finding:
    drifted = [f"{pin.name} {describe(pin)}" for pin in pins]
    shown = "; ".join(drifted[:MAX_NAMED]) + (
        f"; and {len(drifted) - MAX_NAMED} more" * (len(drifted) > MAX_NAMED)
    )
    all_of_them = count(checked, "dependency", "dependencies")
    share = all_of_them if len(pins) == checked else f"{len(pins)} of {all_of_them}"
    unlocked = sum(not pin.locked for pin in pins)
    line = line_of(text, pins[0].name)
    is_member = posixpath.dirname(manifest) != posixpath.dirname(lock)
    return Finding(
        Place(manifest, line, line),
        Severity.MEDIUM if not posixpath.dirname(manifest) else Severity.LOW,
        f"{lock} does not match {manifest} in {share}: {shown}.",
        signals=(
            Signal(
                "manifest",
                Category.SYNTAX,
                80,
                f"entries of {manifest} that do not match: {len(pins)} of {checked}",
            ),
            Signal("lockfile", Category.GRAPH, 80, f"entries of {lock} that match: {checked - len(pins)}"),
        ),
        evidence={
            "drifted": Measure(
                tuple(drifted),
                items=tuple(
                    {"name": pin.name, "required": pin.asked, "locked": ", ".join(pin.locked)} for pin in pins
                ),
            ),
            "absent": Measure(unlocked, 0),
            "forbidden": Measure(len(pins) - unlocked, 0),
            "checked": Measure(checked),
        },
        related=(Related(Place(lock, 1, 1), "the lockfile"),),
        discriminator=lock,
        why=MEMBER_WHY if is_member else "",
    )


def describe(pin: Pin) -> str:
    wanted = pin.asked or "any version"
    if not pin.locked:
        return f"({wanted}) is not locked"
    return f"is locked at {', '.join(pin.locked[:3])}, but {wanted} is required"


def line_of(text: str, name: str) -> int:
    """The first line that declares a dependency; 1 if its name is spelled differently."""
    spelled = re.sub(r"\\?[-_.]", "[-_.]", re.escape(name))
    entry = re.compile(rf"""(?i)(?<![\w@./-]){spelled}(?:["'<>=~!^;,\[]|\s*(?:[:=<>~!^;(]|v?\d|$))""")
    return next((n for n, line in enumerate(text.splitlines(), 1) if entry.search(line)), 1)


DETECTOR = Detector(
    id="manifest_drift",
    title="Manifest drift",
    category="dependencies",
    doc=__doc__ or "",
    languages=(),
    max_severity=Severity.MEDIUM,
    effort=Effort.MINUTES,
    detect=lambda scan, options: detect(scan),
    needs=(PINS,),
    examples=(
        Example(
            "dependencies that are missing from the lockfile",
            {
                "pyproject.toml": '[project]\nname = "shop"\ndependencies = [\n  "requests>=2",\n  "attrs",\n]\n',
                "uv.lock": 'version = 1\n\n[[package]]\nname = "attrs"\nversion = "24.1.0"\n',
                "web/package.json": '{\n  "dependencies": {\n    "express": "^4.0.0",\n    "left-pad": "1.3.0"\n  }\n}\n',
                "web/package-lock.json": '{"lockfileVersion": 3, "packages": {"": {}, "node_modules/express": {"version": "4.2.0"}}}\n',
                "tool/go.mod": "module example.org/tool\n\nrequire example.org/money v1.2.0\n",
                "tool/go.sum": "example.org/taxes v1.0.0 h1:x=\n",
            },
            finds=("pyproject.toml:4", "web/package.json:4", "tool/go.mod:3"),
        ),
        Example(
            "versions that the manifest forbids",
            {
                "Cargo.toml": '[package]\nname = "shop"\n\n[dependencies]\nserde = "1.0"\nrand = "0.9"\n',
                "Cargo.lock": '[[package]]\nname = "rand"\nversion = "0.8.5"\n\n[[package]]\nname = "serde"\nversion = "1.0.200"\n\n'
                '[[package]]\nname = "shop"\nversion = "0.1.0"\n',
                "a/package.json": '{"dependencies": {"zod": "^4.0.0"}}\n',
                "a/yarn.lock": 'zod@^3.0.0:\n  version "3.24.1"\n',
                "b/package.json": '{"devDependencies": {"zod": "^4.0.0"}}\n',
                "b/pnpm-lock.yaml": "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    devDependencies:\n      zod:\n"
                "        specifier: ^3.0.0\n        version: 3.24.1\n\npackages:\n",
                "c/package.json": '{"dependencies": {"zod": "^4.0.0"}}\n',
                "c/bun.lock": '{"workspaces": {"": {}}, "packages": {"zod": ["zod@3.24.1", "", {}, "sha512-x"],},}\n',
                "d/composer.json": '{"require": {"php": ">=8", "acme/money": "^2.0"}}\n',
                "d/composer.lock": '{"packages": [{"name": "acme/money", "version": "v1.4.0"}]}\n',
                "e/Gemfile": 'gem "rails", "~> 8.0"\n',
                "e/Gemfile.lock": "GEM\n  specs:\n    rails (7.2.1)\n\nDEPENDENCIES\n  rails\n",
                "f/Pipfile": '[packages]\nrequests = "==2.32.0"\n',
                "f/Pipfile.lock": '{"default": {"requests": {"version": "==2.31.0"}}}\n',
            },
            finds=(
                *("Cargo.toml:6", "a/package.json:1", "b/package.json:1", "c/package.json:1"),
                *("d/composer.json:1", "e/Gemfile:1", "f/Pipfile:2"),
            ),
        ),
        Example(
            "a member of a workspace is low, with all its differences",
            {
                "package.json": '{"workspaces": ["packages/*"], "devDependencies": {"vite": "6.0.1"}}\n',
                "packages/a/package.json": '{"name": "a", "dependencies": {"tar": "7.5.8"}}\n',
                "packages/b/package.json": '{"name": "b", "dependencies": {"clip": "5.2.0", "tar": "7.5.8"}}\n',
                "package-lock.json": '{"lockfileVersion": 3, "packages": {"": {}, "packages/a": {}, "packages/b": {}, "node_modules/vite": {"version": "6.0.1"}, '
                '"packages/a/node_modules/tar": {"version": "7.5.11"}, "packages/b/node_modules/tar": {"version": "7.5.11"}, '
                '"packages/b/node_modules/clip": {"version": "5.2.1"}}}\n',
            },
            finds=("packages/a/package.json:1", "packages/b/package.json:1"),
            severity=Severity.LOW,
        ),
        Example(
            "several differences in one manifest are one finding",
            {
                "pyproject.toml": '[tool.poetry.dependencies]\npython = "^3.11"\nrich = "^14"\ntyper = "^0.15"\nattrs = "*"\n',
                "poetry.lock": '[[package]]\nname = "attrs"\nversion = "24.1.0"\n\n[[package]]\nname = "rich"\nversion = "13.9.0"\n',
            },
            finds=("pyproject.toml:3",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "silent when everything matches",
            {
                "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["requests>=2,<3", "Typing_Extensions~=4.1"]\n',
                "uv.lock": '[[package]]\nname = "requests"\nversion = "2.32.0"\n\n[[package]]\nname = "typing-extensions"\nversion = "4.12"\n',
                "package.json": '{"workspaces": ["packages/*"], "devDependencies": {"vite": "5 || 6"}}\n',
                "packages/a/package.json": '{"name": "a", "dependencies": {"b": "^1.0.0", "zod": "~3.24.0"}}\n',
                "packages/b/package.json": '{"name": "b", "version": "1.0.0"}\n',
                "yarn.lock": '"vite@npm:5 || 6":\n  version: 6.0.1\n\n"zod@npm:~3.24.0":\n  version: 3.24.9\n',
            },
        ),
        Example(
            "silent on what cannot be compared, is forced, or is for some platforms",
            {
                "package.json": '{"dependencies": {"a": "github:acme/a", "b": "latest", "c": "^2.0.0", "d": "^2.0.0-rc.1"}, '
                '"overrides": {"c": "1.0.0"}}\n',
                "package-lock.json": '{"packages": {"": {}, "node_modules/c": {"version": "1.0.0"}, '
                '"node_modules/d": {"version": "2.0.0-rc.2"}}}\n',
                "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["pywin32; sys_platform == \'win32\'", "attrs"]\n',
                "uv.lock": '[[package]]\nname = "attrs"\nversion = "24.1.0"\n',
            },
        ),
        Example(
            "silent on examples and fixtures, and without a lockfile",
            {
                "package.json": '{"dependencies": {"zod": "^4.0.0"}}\n',
                "examples/a/package.json": '{"dependencies": {"zod": "^4.0.0"}}\n',
                "examples/a/yarn.lock": 'zod@^3.0.0:\n  version "3.24.1"\n',
            },
        ),
        Example(
            "one finding for what two manifests of a workspace ask for",
            {
                "package.json": '{\n  "workspaces": ["packages/*"],\n  "dependencies": {\n    "express": "5.1.0"\n  }\n}\n',
                "packages/a/package.json": '{\n  "name": "a",\n  "dependencies": {\n    "express": "5.1.0"\n  }\n}\n',
                "package-lock.json": '{"lockfileVersion": 3, "packages": {"": {}, "node_modules/express": {"version": "4.2.0"}}}\n',
            },
            finds=("package.json:4",),
        ),
        Example(
            "silent on a lockfile beside a member of a workspace, which Cargo does not read",
            {
                "Cargo.toml": '[workspace]\nmembers = ["libs/*"]\n',
                "Cargo.lock": '[[package]]\nname = "a"\nversion = "1.0.0"\n\n[[package]]\nname = "serde"\nversion = "1.0.200"\n',
                "libs/a/Cargo.toml": '[package]\nname = "a"\n\n[dependencies]\nserde = "1"\n',
                "libs/a/Cargo.lock": '[[package]]\nname = "a"\nversion = "1.0.0"\n\n[[package]]\nname = "serde"\nversion = "0.9.1"\n',
            },
        ),
        Example(
            "silent where the second document of pnpm-lock.yaml has the dependency, the first pnpm itself",
            {
                "package.json": '{"dependencies": {"zod": "3.24.1"}}\n',
                "pnpm-lock.yaml": "---\nlockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    configDependencies: {}\n\npackages:\n\n  pnpm@11.22.0:\n"
                "    hasBin: true\n\n---\nlockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      zod:\n"
                "        specifier: 3.24.1\n        version: 3.24.1\n\npackages:\n\n  zod@3.24.1: {}\n",
            },
        ),
        Example(
            "silent on a crate that is a workspace of its own",
            {
                "Cargo.toml": '[workspace]\nmembers = ["a"]\n',
                "a/Cargo.toml": '[package]\nname = "a"\n\n[dependencies]\nserde = "1"\n',
                "a/fuzz/Cargo.toml": '[package]\nname = "a-fuzz"\n\n[dependencies]\nlibfuzzer-sys = "0.4"\nserde = "1"\n\n[workspace]\nmembers = ["."]\n',
                "Cargo.lock": '[[package]]\nname = "serde"\nversion = "1.0.200"\n',
            },
        ),
    ),
)
