"""Every reader of bytes that a stranger wrote: what it starts from, and the errors it may answer with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from crimes.analyses.claims.text import read_document
from crimes.analyses.coverage.recorder import Malformed
from crimes.analyses.coverage.sniff import read_coverage
from crimes.analyses.history.git_log import parse_record
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
from crimes.workflows.review.reading import read_records
from tests.kit.paths import COVERAGE_DATA, TESTS
from tests.kit.readers import read_with_both
from tests.kit.reports import crime, report
from tests.kit.resolving import resolutions


class Target(NamedTuple):
    """A reader, inputs that it takes, and the errors it may raise on others."""

    read: Callable[[bytes], object]
    seeds: tuple[bytes, ...]
    errors: tuple[type[Exception], ...] = ()
    may_hang: bool = False  # its grammar loops on some broken source: a scan gives such a file up


HANGING_GRAMMARS = ("kotlin",)


def targets() -> dict[str, Target]:
    """By name."""
    return {**_facts(), **_manifests(), **_others()}


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
