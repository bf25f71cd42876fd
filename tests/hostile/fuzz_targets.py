"""Every reader of bytes that a stranger wrote: what it starts from, and the errors it may answer with."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from crimes.analyses.claims.text import read_document
from crimes.analyses.coverage.recorder import Malformed
from crimes.analyses.coverage.sniff import read_coverage
from crimes.analyses.history.git_log import parse_record
from crimes.config.loader import load_config
from crimes.engine.scan import scan
from crimes.hook.call import read_call
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.reading import Unreadable
from crimes.mcp.arguments import check_argument, without_half_characters
from crimes.model.codec import decode, encode
from crimes.model.errors import CrimesError, Unavailable
from crimes.system.git_diff import parse_diff
from crimes.tracking.baseline import encode_baseline, parse_baseline
from crimes.tracking.ignores import parse_ignore_list
from crimes.tracking.triage import parse_decisions, parse_requests
from crimes.workflows.briefing.build import brief
from crimes.workflows.review.reading import read_records
from tests.kit.paths import COVERAGE_DATA, TESTS
from tests.kit.readers import read_with_both
from tests.kit.reports import crime, report
from tests.kit.resolving import resolutions

MUTANTS = 150  # for each reader in `make test`
MUTANTS_OF_A_SCAN = 12  # a whole scan takes a hundred times as long


class Target(NamedTuple):
    """A reader, inputs that it takes, and the errors it may raise on others."""

    read: Callable[[bytes], object]
    seeds: tuple[bytes, ...]
    errors: tuple[type[Exception], ...] = ()
    may_hang: bool = False  # its grammar loops on some broken source: a scan gives such a file up
    mutants: int = MUTANTS


HANGING_GRAMMARS = ("kotlin",)


def targets() -> dict[str, Target]:
    """By name."""
    return {**_facts(), **_manifests(), **_scans(), **_others()}


def _facts() -> dict[str, Target]:
    found = {}
    for golden in sorted((TESTS / "golden").glob("*.facts")):
        sample = next(file for file in golden.parent.glob(f"{golden.stem}.*") if file != golden)
        found[f"facts of {golden.stem}"] = Target(
            _reader_of(sample),
            (sample.read_bytes(),),
            (Unreadable,),
            may_hang=golden.stem in HANGING_GRAMMARS,
        )
    pages = tuple(page.read_bytes() for page in sorted((TESTS.parent / "docs").glob("*.md"))[:3])
    markdown = by_id["markdown"]
    found["facts of markdown"] = Target(lambda data: read_facts(markdown, data), pages, (Unreadable,))
    found["claims"] = Target(lambda data: read_document(data.decode("utf-8", "replace")), pages)
    return found


def _reader_of(sample: Path) -> Callable[[bytes], object]:
    language = next(language for language in by_id.values() if sample.suffix in language.extensions)
    return lambda data: read_with_both(language, data)  # that they differ is an error, too


# By file: the code beside it whose imports it decides.
MANIFESTS: dict[str, tuple[str, str, str]] = {
    "package.json": (
        "a.ts",
        'import "x"\nimport "#in"\nimport "self/sub"\n',
        '{"name": "self", "exports": {"./*": "./src/*.js"}, "imports": {"#in": "./a.ts"}, "dependencies": {"x": "^1.2"}}',
    ),
    "tsconfig.json": (
        "a.ts",
        'import "@/b"\n',
        '{"extends": "./b", // x\n"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}, "rootDirs": ["a"]},}',
    ),
    "package-lock.json": ("a.js", 'import "x"\n', '{"packages": {"node_modules/x": {"version": "1.2.3"}}}'),
    "yarn.lock": ("a.js", 'import "x"\n', '"x@^1.2", x@~1:\n  version "1.2.3"\n  resolved "u"\n'),
    "pyproject.toml": (
        "a.py",
        "import x.y\n",
        '[project]\nname = "a"\ndependencies = ["x>=1.2,<2; python_version>\'3\'"]\n[tool.setuptools]\npackage-dir = {"" = "src"}\n',
    ),
    "setup.cfg": ("a.py", "import x\n", "[options]\ninstall_requires =\n  x>=1\npackage_dir =\n  =src\n"),
    "requirements.txt": ("a.py", "import x\n", "x[extra]==1.2.3 ; python_version < '3' # why\n-r more.txt\n"),
    "Gemfile": ("a.rb", "require 'x'\n", 'source "u"\ngem "x", "~> 1.2", group: [:test]\ngemspec\n'),
    "Gemfile.lock": ("a.rb", "require 'x'\n", "GEM\n  remote: u\n  specs:\n    x (1.2.3)\n      y (>= 1)\n"),
    "go.mod": (
        "a.go",
        'package a\n\nimport "e.org/m/b"\n',
        "module e.org/m\n\ngo 1.22\n\nrequire (\n\tx.org/y v1.2.3 // indirect\n)\nreplace x.org/y => ../y\n",
    ),
    "Cargo.toml": (
        "src/lib.rs",
        "use x::y;\nmod b;\n",
        '[package]\nname = "a"\n[dependencies]\nx = { version = "1.2", optional = true }\n[[bin]]\nname = "m"\npath = "src/m.rs"\n',
    ),
    "pom.xml": (
        "A.java",
        "import x.y.Z;\nclass A {}\n",
        "<project><groupId>x</groupId><dependencies><dependency><groupId>x.y</groupId><artifactId>z</artifactId></dependency></dependencies></project>",
    ),
    "build.gradle": (
        "A.java",
        "import x.y.Z;\nclass A {}\n",
        'dependencies {\n  implementation "x.y:z:1.2"\n  testImplementation(libs.z)\n}\n',
    ),
    "composer.json": (
        "a.php",
        "<?php\nuse X\\Y;\n",
        '{"require": {"x/y": "^1.2"}, "autoload": {"psr-4": {"X\\\\": "src/"}, "files": ["a.php"]}}',
    ),
    "a.csproj": (
        "a.cs",
        "using X.Y;\n",
        '<Project><ItemGroup><!-- x --><PackageReference Include="X.Y" Version="1.2" /></ItemGroup></Project>',
    ),
    "Package.swift": (
        "Sources/A/a.swift",
        "import X\n",
        'let package = Package(name: "A", dependencies: [.package(url: "https://e.org/X.git", from: "1.2.0")], targets: [.target(name: "A")])\n',
    ),
}


def _manifests() -> dict[str, Target]:
    def reader(manifest: str, path: str, code: str) -> Callable[[bytes], object]:
        return lambda data: resolutions({manifest: data, path: code}, path)

    return {
        manifest: Target(reader(manifest, path, code), (text.encode(),))
        for manifest, (path, code, text) in MANIFESTS.items()
    }


# Read in a scan or for a briefing: by file, the code beside it and a good text.
SCANNED: dict[str, tuple[str, str]] = {
    "Cargo.lock": ("src/lib.rs", '[[package]]\nname = "x"\nversion = "1.2.3"\ndependencies = ["y 1.0"]\n'),
    "poetry.lock": (
        "a.py",
        '[[package]]\nname = "x"\nversion = "1.2.3"\n[package.dependencies]\ny = ">=1"\n',
    ),
    "uv.lock": (
        "a.py",
        'version = 1\n[[package]]\nname = "x"\nversion = "1.2.3"\nsource = { registry = "u" }\n',
    ),
    "Pipfile": ("a.py", '[packages]\nx = "==1.2"\n[dev-packages]\ny = {version = "*", extras = ["z"]}\n'),
    "Pipfile.lock": ("a.py", '{"default": {"x": {"version": "==1.2.3"}}, "develop": {}}'),
    "pnpm-lock.yaml": (
        "a.ts",
        "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      x:\n        specifier: ^1.2\n        version: 1.2.3\n",
    ),
    "pnpm-workspace.yaml": ("a.ts", "packages:\n  - 'packages/*'\n  - '!**/test/**'\n"),
    "bun.lock": ("a.ts", '{"lockfileVersion": 1, "packages": {"x": ["x@1.2.3", "", {}, "sha"],},}'),
    "composer.lock": ("a.php", '{"packages": [{"name": "x/y", "version": "v1.2.3"}], "packages-dev": []}'),
    "go.sum": ("a.go", "x.org/y v1.2.3 h1:abc=\nx.org/y v1.2.3/go.mod h1:abc=\n"),
    "settings.gradle.kts": ("A.kt", 'rootProject.name = "a"\ninclude(":b", ":c:d")\n'),
    "gradle/libs.versions.toml": (
        "A.kt",
        '[versions]\nx = "1.2"\n[libraries]\nz = { module = "x.y:z", version.ref = "x" }\n',
    ),
    "Directory.Packages.props": (
        "a.cs",
        '<Project><ItemGroup><PackageVersion Include="X.Y" Version="1.2" /></ItemGroup></Project>',
    ),
    "compile_commands.json": (
        "a.c",
        '[{"directory": ".", "command": "cc -I inc \'-isystem x\' -c a.c", "file": "a.c"}]',
    ),
    "CMakeLists.txt": ("a.c", "include_directories(inc)\nadd_library(a a.c)\n"),
    "Makefile": ("a.c", "A := $(shell x)\nall: a.o b%.o ; cc $<\n\ttest -d x && $(MAKE) y\n"),
    "tox.ini": (
        "a.py",
        "[tox]\nenvlist = py311, lint\n[testenv:lint]\ncommands = ruff check\n[pytest]\npython_files = t_*.py\n",
    ),
    "noxfile.py": ("a.py", "import nox\n\n@nox.session\ndef tests(session):\n    session.run('pytest')\n"),
    "jest.config.js": (
        "a.ts",
        "module.exports = { testMatch: ['**/*.test.ts'], roots: ['<rootDir>/src'] }\n",
    ),
    ".gitignore": ("a.py", "/build\n*.py[co]\n!keep/**/x\n\\#a\n[!a-c]z\n"),
    ".gitattributes": ("a.py", '*.py linguist-generated -diff\n[attr]x text\n"a b" eol=lf\n'),
    ".gitmodules": ("a.py", '[submodule "a"]\n\tpath = lib/a\n\turl = ../a.git\n'),
    ".mailmap": ("a.py", "Ada <ada@e.org> <a@e.org>\n"),
    "CODEOWNERS": ("a.py", "* @ada\n/docs/*.md @team/docs ada@e.org # why\n[Section][2] @x\n"),
    "crimes.toml": (
        "a.py",
        'exclude = ["x/**"]\nroots = ["src"]\n[detectors.god_function]\nenabled = true\n',
    ),
    "AGENTS.md": (
        "a.py",
        "# Rules\n\nRun `make test` in [a](a.py). <!-- hidden --> Never edit `b.py`.\n\n    npm run x && cd y\n",
    ),
    ".claude/settings.json": (
        "a.py",
        '{"permissions": {"allow": ["Bash(*)"]}, // x\n"mcpServers": {"a": {"command": "npx", "args": ["-y", "x@1"]}},}',
    ),
    ".codex/config.toml": (
        "a.py",
        'sandbox_mode = "x"\n[mcp_servers.a]\ncommand = "sh"\nargs = ["-c", "uvx y"]\n',
    ),
    ".crimes/feedback.jsonl": (
        "a.py",
        '{"version": 1, "id": "abc1234", "verdict": "wrong", "type": "god_function"}\n',
    ),
}
_CODE = {
    "a.py": "import x.y\n",
    "a.ts": 'import "x"\n',
    "a.php": "<?php\nuse X\\Y;\n",
    "a.go": 'package a\n\nimport "x.org/y"\n',
    "a.cs": "using X.Y;\n",
    "a.c": '#include "x.h"\n',
    "A.kt": "import x.y.Z\n\nclass A\n",
    "src/lib.rs": "use x::y;\n",
}


def _scans() -> dict[str, Target]:
    def reader(name: str, path: str) -> Callable[[bytes], object]:
        def read(data: bytes) -> object:
            with tempfile.TemporaryDirectory() as folder:
                root = Path(folder, "repo")
                for file, content in ((path, _CODE[path].encode()), (name, data)):
                    (root / file).parent.mkdir(parents=True, exist_ok=True)
                    (root / file).write_bytes(content)
                result = scan(root, load_config(root, None))
                brief(result, path)
                return [(crime.id, crime.message) for crime in result.report.findings]

        return read

    return {
        name: Target(reader(name, path), (text.encode(),), (CrimesError,), mutants=MUTANTS_OF_A_SCAN)
        for name, (path, text) in SCANNED.items()
    }


_DIFF = b"""diff --git a/x.py b/x.py
index 1111111..2222222 100644
--- a/x.py
+++ b/x.py
@@ -1,2 +1,3 @@ def f():
 a
-b
+c
+d
diff --git "a/\\303\\251.py" "b/\\303\\251.py"
similarity index 90%
rename from "a/\\303\\251.py"
rename to b.py
"""
_RECORD = b"1111111111111111111111111111111111111111\0002222222\0001700000000\0Ada\0ada@e.org\0Fix: it\0\nM\0x.py\0R100\0a.py\0b.py"
_IGNORE = b'[[ignore]]\nid = "abc1234"\ntype = "god_function"\nfile = "a.py"\nreason = "known"\nuntil = 2027-01-31\n'
_REPORT = report(crime())
_HOOK = json.dumps(
    {
        "hook_event_name": "PreToolUse",
        "tool_name": "Edit",
        "tool_input": {"file_path": "a.py", "edits": [{"path": "b.py"}], "patch": "*** Update File: c.py\n"},
        "workspace_roots": ["/r"],
        "session_id": "s",
    }
).encode()
_RECORDS = (
    b'{"version": 1, "id": "r1", "file": "a.py", "lines": [1, 2], "message": "m", "severity": "high"}\n'
)


def _others() -> dict[str, Target]:
    coverage = tuple(file.read_bytes() for file in sorted(COVERAGE_DATA.iterdir()) if file.is_file())
    return {
        "coverage": Target(read_coverage, coverage, (Malformed,)),
        "diff": Target(lambda data: parse_diff(data.splitlines()), (_DIFF,), (Unavailable,)),
        "log": Target(parse_record, (_RECORD,), (ValueError, IndexError)),
        "hook": Target(
            lambda data: read_call(data.decode("utf-8", "replace")), (_HOOK,), (ValueError, RecursionError)
        ),
        "server message": Target(
            _read_message,
            (rb'{"files": ["a\ud83d\ude00", "\ud800", "\\u0000"]}',),
            (ValueError, CrimesError, RecursionError),
        ),
        "report": Target(decode, (encode(_REPORT),), (ValueError,)),
        "ignore list": Target(parse_ignore_list, (_IGNORE,)),
        "triage": Target(parse_decisions, (b'{"version": 1, "decision": "later"}\n',)),
        "triage requests": Target(
            lambda data: parse_requests(data, "file"),
            (b'[{"id": "a", "decision": "later"}]',),
            (CrimesError,),
        ),
        "baseline": Target(
            lambda data: parse_baseline(data, "file"),
            (encode_baseline(_REPORT),),
            (CrimesError,),
        ),
        "review records": Target(lambda data: read_records(data, "file"), (_RECORDS,), (CrimesError,)),
    }


def _read_message(data: bytes) -> object:
    """What the server does with a line: repair it, parse it, check its arguments."""
    message = json.loads(without_half_characters(data.decode("utf-8", "replace")))
    names = message.get("files", []) if isinstance(message, dict) else []
    return [check_argument(name) for name in names if isinstance(name, str)]
