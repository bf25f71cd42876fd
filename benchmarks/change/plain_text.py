"""Definitions and their uses, found by plain text alone: what the benchmark breaks must not depend on what it tests.

A definition counts only if no other line of the repository defines the same name, and a use only if its file does not bind
the name itself. What is left is used for certain, or nearly so; the rest is not drawn.
"""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import NamedTuple

MIN_NAME_CHARS = 5
MIN_METHOD_CHARS = 8  # shorter ones are called on things of other libraries too
MAX_FILE_BYTES = 400_000
_NOT_OURS = re.compile(
    r"(^|/)(vendor|vendored|third_party|deps|dist|node_modules|docs?|_?examples?|bench(marks?|es)?|fixtures?|samples?|[Ss]nippets|test-data)/"
)
_TESTS = re.compile(
    r"(^|/)([\w-]*tests?|specs?|__tests__|testing|\w*Tests?)/|[._-](test|spec)s?\.|(^|/)test_|Tests?\.\w+$"
)


class Definition(NamedTuple):
    """A name that one line defines. `kind` is function, class, method or constant."""

    path: str
    line: int
    kind: str
    name: str


class Grammar(NamedTuple):
    """How a language writes what is looked for."""

    definitions: tuple[tuple[str, str], ...]  # kind, and a pattern for the start of a line
    comment: str = r"(?<!:)//.*|/\*.*?\*/|^\s*\*.*$"
    imports: str = ""  # where set, a file uses a name only if one of its imports has it


_JS = Grammar(
    (
        ("function", r"(?:export (?:default )?)?(?:async )?function\*? (\w+)"),
        ("class", r"export (?:default )?(?:declare )?(?:abstract )?(?:class|interface|type|enum) (\w+)"),
        ("class", r"class (\w+)"),
        ("constant", r"export (?:declare )?(?:const|let|var) (\w+)"),
        ("constant", r"(?:const|let|var) (\w+) ="),
        ("method", r"  (?:public |static |async )*(\w+)\([^)]*\)[^;=]*\{$"),
    ),
    imports=r"(?:import|export)\s[^;'\"]*?\b{name}\b[^;'\"]*?\bfrom\s*['\"](?P<module>[^'\"]+)|(?:const|let|var)\s*\{{[^}};]*\b{name}\b[^}};]*\}}\s*=\s*require\(\s*['\"](?P<required>[^'\"]+)",
)
_JVM = r"(?:public |protected |static |final |synchronized |abstract |default )*"
_KOTLIN = r"(?:public |internal |inline |suspend |open |override |actual |expect |tailrec |infix |operator )*"
_C = Grammar(
    (
        ("function", r"(?:[A-Za-z_][\w]*[ *]+)+\*?(\w+)\([^;]*\);"),
        ("constant", r"#define (\w{5,}) "),
        ("class", r"typedef struct (\w+)"),
    )
)
GRAMMARS: Mapping[str, Grammar] = {
    "python": Grammar(
        (
            ("function", r"(?:async )?def (\w+)\("),
            ("class", r"class (\w+)"),
            ("method", r"    (?:async )?def (\w+)\("),
            ("constant", r"([A-Z][A-Z0-9_]{4,}) *(?::[^=]*)?="),
        ),
        comment=r"#.*",
        imports=r"from\s+[\w.]+\s+import\s+(?:\([^)]*\b{name}\b|[^(\n]*\b{name}\b)|\b{stem}\.{name}\b",
    ),
    "javascript": _JS,
    "typescript": _JS,
    "go": Grammar(
        (
            ("function", r"func (\w+)[(\[]"),
            ("method", r"func \([^)]*\) (\w+)\("),
            ("class", r"type (\w+) "),
            ("constant", r"(?:const|var) (\w+) "),
        )
    ),
    "java": Grammar(
        (
            ("class", rf"{_JVM}(?:class|interface|enum|record|@interface) (\w+)"),
            ("method", rf" {{2,4}}{_JVM}(?:<[^>]+> )?[\w<>\[\], .?]+ (\w+)\("),
            ("constant", rf" {{2,4}}{_JVM}[\w<>\[\]]+ ([A-Z][A-Z0-9_]{{4,}}) *="),
        )
    ),
    "kotlin": Grammar(
        (
            ("function", rf"{_KOTLIN}fun (?:<[^>]+> )?(?:[\w<>.?*, ]+\.)?(\w+)\("),
            ("method", rf"    {_KOTLIN}fun (?:<[^>]+> )?(?:[\w<>.?*, ]+\.)?(\w+)\("),
            ("class", r"(?:public |internal |abstract |open |data |sealed |enum |value |expect |actual )*(?:class|interface|object) (\w+)"),
            ("constant", rf"{_KOTLIN}(?:const )?val (\w+)"),
        )
    ),
    "rust": Grammar(
        (
            ("function", r"pub(?:\([\w ]+\))? (?:async |const |unsafe )*fn (\w+)"),
            ("method", r"    pub(?:\([\w ]+\))? (?:async |const |unsafe )*fn (\w+)"),
            ("class", r"pub(?:\([\w ]+\))? (?:struct|enum|trait|type) (\w+)"),
            ("constant", r"pub(?:\([\w ]+\))? (?:const|static) (\w+)"),
        )
    ),
    "php": Grammar(
        (
            ("class", r"(?:final |abstract |readonly )*(?:class|interface|trait|enum) (\w+)"),
            ("method", r"    (?:final |abstract )?public (?:static )?function (\w+)\("),
            ("constant", r"    (?:public |final )*const (?:\w+ )?(\w+)"),
        ),
        comment=r"(?<!:)//.*|#.*|/\*.*?\*/|^\s*\*.*$",
    ),
    "ruby": Grammar(
        (
            ("class", r"\s*(?:class|module) (\w+)"),
            ("method", r"\s*def (?:self\.)?(\w+)"),
            ("constant", r"\s*([A-Z][A-Z0-9_]{4,}) *="),
        ),
        comment=r"#.*",
    ),
    "csharp": Grammar(
        (
            ("class", r"\s{0,4}(?:public |internal |abstract |sealed |static |partial |readonly )+(?:class|interface|enum|struct|record(?: class| struct)?) (\w+)"),
            ("method", r"\s{4,8}(?:public |internal |static |virtual |override |async )+[\w<>\[\], .?]+ (\w+)\("),
            ("constant", r"\s{4,8}(?:public |internal )const \w+ (\w+)"),
        )
    ),
    "swift": Grammar(
        (
            ("class", r"(?:public |open |final |internal )*(?:class|struct|enum|protocol|actor) (\w+)"),
            ("method", r"    (?:public |open |final |static |override )*func (\w+)[(<]"),
        )
    ),
    "scala": Grammar(
        (
            ("class", r"(?:private\[\w+\] |abstract |final |sealed |case )*(?:class|trait|object) (\w+)"),
            ("method", r"  (?:override |final |protected )*def (\w+)[(\[]"),
        )
    ),
    "c": _C,
    "cpp": Grammar((*_C.definitions, ("class", r"(?:class|struct) (\w+)[^;]*$"))),
}  # fmt: skip
SUFFIXES = {
    ".py": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript", ".ts": "typescript",
    ".tsx": "typescript", ".go": "go", ".java": "java", ".kt": "kotlin", ".rs": "rust", ".php": "php", ".rb": "ruby",
    ".cs": "csharp", ".swift": "swift", ".scala": "scala", ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp",
}  # fmt: skip
FAMILIES = {"typescript": "javascript", "cpp": "c"}  # languages that use each other's files
_WORD = re.compile(r"\w+")


class PlainText:
    """The tracked source files of a checkout as text."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The text of each source file, by path."""
        listed = subprocess.run(
            ["git", "-C", self.root, "ls-files", "-z"], check=True, capture_output=True
        ).stdout.decode("utf-8", "surrogateescape")
        texts = {}
        for path in sorted(filter(None, listed.split("\0"))):
            file = self.root / path
            is_source = PurePosixPath(path).suffix in SUFFIXES and file.is_file() and not file.is_symlink()
            if is_source and file.stat().st_size <= MAX_FILE_BYTES:
                texts[path] = file.read_bytes().decode("utf-8", "surrogateescape")
        return texts

    @cached_property
    def languages(self) -> Mapping[str, str]:
        """The language of each file; that of most files, for a header."""
        cpp = sum(SUFFIXES[PurePosixPath(path).suffix] == "cpp" for path in self.texts)
        plain_c = sum(path.endswith(".c") for path in self.texts)
        languages = {path: SUFFIXES[PurePosixPath(path).suffix] for path in self.texts}
        if cpp > plain_c:
            languages.update({path: "cpp" for path in self.texts if path.endswith(".h")})
        return languages

    @cached_property
    def code(self) -> Mapping[str, str]:
        """The text of each file without its comments, roughly."""
        return {
            path: re.sub(GRAMMARS[self.languages[path]].comment, "", text, flags=re.MULTILINE)
            for path, text in self.texts.items()
        }

    @cached_property
    def files_with_word(self) -> Mapping[str, frozenset[str]]:
        """By word the files whose code has it."""
        files: defaultdict[str, set[str]] = defaultdict(set)
        for path, text in self.code.items():
            for word in set(_WORD.findall(text)):
                files[word].add(path)
        return {word: frozenset(paths) for word, paths in files.items()}

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """Definitions of names that are defined once, in files that are neither tests nor somebody else's."""
        every: defaultdict[str, list[Definition]] = defaultdict(list)
        for path, text in self.texts.items():
            patterns = [
                (kind, re.compile(pattern)) for kind, pattern in GRAMMARS[self.languages[path]].definitions
            ]
            for number, line in enumerate(text.split("\n"), start=1):
                for definition in _defined_by(path, number, line, patterns):
                    every[definition.name].append(definition)
        return tuple(
            places[0]
            for name, places in sorted(every.items())
            if len(places) == 1
            and len(name) >= (MIN_METHOD_CHARS if places[0].kind == "method" else MIN_NAME_CHARS)
            and not name.startswith("__")
            and not _NOT_OURS.search(places[0].path)
            and not _TESTS.search(places[0].path)
        )

    def users(self, definition: Definition) -> frozenset[str]:
        """Other files that use a name, as far as their text shows."""
        language = self.languages[definition.path]
        family = FAMILIES.get(language, language)
        return frozenset(
            path
            for path in self.files_with_word.get(definition.name, ())
            if path != definition.path
            and FAMILIES.get(self.languages[path], self.languages[path]) == family
            and not _NOT_OURS.search(path)
            and (language != "go" or definition.name[:1].isupper() or _are_neighbours(path, definition.path))
            and self._uses(path, definition)
        )

    def _uses(self, path: str, definition: Definition) -> bool:
        name, code = re.escape(definition.name), self.code[path]
        if re.search(
            rf"\b(?:let|var|val|const|def|func|fn|fun|auto)\s+(?:mut )?{name}\b|\b{name}\s*(?::=|=[^=>])",
            code,
        ):
            return False  # it binds the name itself
        without_strings = re.sub(r"\"[^\"\n]*\"|'[^'\n]*'", '""', code)
        if definition.kind == "method":
            owner = self.owner(definition)
            called = re.search(rf"(?:\.|->|::)\s*{name}\s*\(", without_strings)
            return bool(called and owner and re.search(rf"\b{re.escape(owner)}\b", code))
        if (
            definition.kind == "constant"
            and self.texts[definition.path].split("\n")[definition.line - 1][:1].isspace()
        ):
            owner = re.escape(self.owner(definition))  # another class may have one of that name
            return bool(re.search(rf"\b{owner}(?:\.|::){name}\b", without_strings))
        imports = GRAMMARS[self.languages[path]].imports
        if imports:
            stem = re.escape(PurePosixPath(definition.path).stem)
            pattern = imports.replace("{name}", name).replace("{stem}", stem)
            found = re.finditer(pattern.replace("{{", "{").replace("}}", "}"), code)
            return any(self._is_ours(match) for match in found)
        if self.languages[path] == "go":
            return bool(re.search(self._go_use(path, definition.path, name), without_strings))
        if definition.kind == "function":
            return bool(re.search(rf"(?<![\w.$]){name}\s*\(|\b\w+(?:\.|::){name}\s*\(", without_strings))
        return bool(re.search(rf"(?<![\w$]){name}\b", without_strings))

    def _is_ours(self, match: re.Match[str]) -> bool:
        """Whether an import of JavaScript takes its names from this repository: by a path, an alias, or the name of a package of it."""
        groups = match.groupdict()
        module = groups.get("module") or groups.get("required")
        if module is None or module.startswith((".", "#", "~", "/", "@/")):
            return True
        return "/".join(module.split("/")[: 2 if module.startswith("@") else 1]) in self._packages

    @cached_property
    def _packages(self) -> frozenset[str]:
        """The names of the packages of JavaScript in the checkout."""
        texts = (file.read_text("utf-8", "replace") for file in self.root.rglob("package.json"))
        return frozenset(match[1] for text in texts for match in re.finditer(r'"name":\s*"([^"]+)"', text))

    def _go_use(self, path: str, home: str, name: str) -> str:
        """How a file of Go writes a name: as it is in the same package, after the package's name in another one."""
        if _are_neighbours(path, home):
            return rf"(?<![\w.]){name}\b(?!\s*:[^=])"
        package = re.search(r"^package (\w+)", self.texts[home], re.MULTILINE)
        return rf"\b{package[1]}\.{name}\b" if package else r"(?!)"

    def owner(self, definition: Definition) -> str:
        """The class that a method stands in: the nearest one above it, or the receiver."""
        lines = self.texts[definition.path].split("\n")[: definition.line]
        receiver = re.match(r"func \(\w* ?\*?(\w+)", lines[-1])
        if receiver:
            return receiver[1]
        pattern = re.compile(
            r"\s*(?:[\w@()\[\]]+ )*(?:class|interface|struct|enum|trait|object|record|module|impl(?:<[^>]*>)?)(?: [\w<>, ':]+ for)? (\w+)"
        )
        return next((match[1] for line in reversed(lines) if (match := pattern.match(line))), "")


def _are_neighbours(path: str, other: str) -> bool:
    return PurePosixPath(path).parent == PurePosixPath(other).parent


def _defined_by(
    path: str, number: int, line: str, patterns: list[tuple[str, re.Pattern[str]]]
) -> Iterator[Definition]:
    for kind, pattern in patterns:
        match = pattern.match(line)
        if match and match[1] not in ("if", "for", "while", "switch", "catch", "return", "else"):
            yield Definition(path, number, kind, match[1])
            return
