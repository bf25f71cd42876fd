"""Writes the same small code in every language, to show a detector for any language in all of them.

A module is a file with functions of one argument, `value`. The words MODULE, TYPE, NAME and VALUE in a pattern stand for
what is put in their place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Lines = list[str]

_NAMES = re.compile(r"(?<!\$)\b(value|total|key)\b")
_WITH_SEMICOLONS = frozenset({"c", "cpp", "csharp", "java", "php", "rust"})


@dataclass(frozen=True)
class Templates:
    """How a language writes a module, a function in it, and the call of one in another module."""

    file: str
    begin: str
    end: str
    function: str
    call: str
    use: str = ""  # the import line of a caller
    variable: str = "var NAME = VALUE"


TEMPLATES: Mapping[str, Templates] = {
    "c": Templates(
        *("src/MODULE.c", "", "", "int NAME(int value) {", "NAME(VALUE)"),
        use='#include "MODULE.h"',
        variable="int NAME = VALUE",
    ),
    "cpp": Templates(
        *("src/MODULE.cpp", "", "", "int NAME(int value) {", "NAME(VALUE)"),
        use='#include "MODULE.h"',
        variable="int NAME = VALUE",
    ),
    "csharp": Templates(
        *("Shop/TYPE.cs", "namespace Shop;\n\npublic class TYPE {\n", "}\n"),
        *("public static int NAME(int value) {", "TYPE.NAME(VALUE)"),
    ),
    "go": Templates(
        *("MODULE/MODULE.go", "package MODULE\n\n", "", "func NAME(value int) int {", "MODULE.NAME(VALUE)"),
        use='import "example.com/shop/MODULE"',
        variable="NAME := VALUE",
    ),
    "java": Templates(
        *("src/main/java/shop/TYPE.java", "package shop;\n\npublic class TYPE {\n", "}\n"),
        *("public static int NAME(int value) {", "TYPE.NAME(VALUE)"),
        variable="int NAME = VALUE",
    ),
    "kotlin": Templates(
        *(
            "src/main/kotlin/shop/TYPE.kt",
            "package shop\n\n",
            "",
            "fun NAME(value: Int): Int {",
            "NAME(VALUE)",
        )
    ),
    "php": Templates(
        *("src/TYPE.php", "<?php\nnamespace Shop;\n\nclass TYPE {\n", "}\n"),
        *("public static function NAME($value) {", "TYPE::NAME(VALUE)"),
        variable="NAME = VALUE",
    ),
    "ruby": Templates(
        *("lib/shop/MODULE.rb", "class TYPE\n", "end\n"),
        *("def self.NAME(value)", "TYPE.NAME(VALUE)"),
        use='require_relative "MODULE"',
        variable="NAME = VALUE",
    ),
    "rust": Templates(
        *("src/MODULE.rs", "", "", "pub fn NAME(value: i32) -> i32 {", "MODULE::NAME(VALUE)"),
        use="use crate::MODULE;",
        variable="let mut NAME = VALUE",
    ),
    "scala": Templates(
        *("src/main/scala/shop/TYPE.scala", "package shop\n\nobject TYPE {\n", "}\n"),
        *("def NAME(value: Int): Int = {", "TYPE.NAME(VALUE)"),
    ),
    "swift": Templates(
        *("Sources/Shop/TYPE.swift", "", "", "func NAME(value: Int) -> Int {", "NAME(value: VALUE)")
    ),
}
MANIFESTS: Mapping[str, Mapping[str, str]] = {
    "go": {"go.mod": "module example.com/shop\n"},
    "php": {"composer.json": '{"autoload": {"psr-4": {"Shop\\\\": "src/"}}}\n'},
    "rust": {"Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n'},
    "swift": {"Package.swift": 'let package = Package(name: "Shop", targets: [.target(name: "Shop")])\n'},
}


class Code:
    """Code in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._templates = TEMPLATES[language]

    def path(self, module: str) -> str:
        """Where a module lies."""
        return _fill_in(self._templates.file, module)

    def project(self, modules: Mapping[str, str]) -> dict[str, str]:
        """The files of a project with these modules, by path."""
        files = {self.path(module): text for module, text in modules.items()}
        if self.language == "rust":
            files["src/lib.rs"] = "".join(f"pub mod {module};\n" for module in modules)
        if self.language in ("c", "cpp"):
            files |= {f"src/{module}.h": _header_of(text) for module, text in modules.items()}
        return {**MANIFESTS.get(self.language, {}), **files}

    def module(self, name: str, *functions: Lines, uses: tuple[str, ...] = ()) -> str:
        """A module; `uses` names the modules that it calls."""
        imports = [_fill_in(self._templates.use, module) for module in uses if self._templates.use]
        top, begin = "".join(f"{line}\n" for line in imports), _fill_in(self._templates.begin, name)
        above = begin + top if self.language in ("go", "php") else top + begin
        return (
            above
            + "\n".join("".join(f"{line}\n" for line in lines) for lines in functions)
            + self._templates.end
        )

    def function(self, name: str, body: Lines, result: str = "value") -> Lines:
        """A function that ends in a result."""
        head = self._templates.function.replace("NAME", self._exported(name))
        return [head, *_indented([*body, self.statement(f"return {result}")]), self._end]

    def call(self, module: str, name: str, value: str = "value") -> str:
        """The call of a function of another module, as an expression."""
        call = _fill_in(self._templates.call, module).replace("NAME", self._exported(name))
        return self._with_sigils(call.replace("VALUE", value))

    def import_line(self, module: str) -> str:
        """The line that a user of a module needs, if that line alone leads there."""
        return "" if self.language in ("c", "cpp") else _fill_in(self._templates.use, module)

    def statement(self, source: str) -> str:
        """One statement."""
        return self._with_sigils(source) + ";" * (self.language in _WITH_SEMICOLONS)

    def variable(self, name: str, value: str) -> str:
        """A variable."""
        return self.statement(self._templates.variable.replace("NAME", name).replace("VALUE", value))

    def text_variable(self, content: str) -> str:
        """A string in a variable called key."""
        return self.variable("key", f'"{content}"').replace(
            "int key", {"java": "String key"}.get(self.language, "const char *key")
        )

    def comment(self, words: str) -> str:
        """A comment of one line."""
        return f"{'#' if self.language == 'ruby' else '//'} {words}"

    def branch(self, condition: str, body: Lines) -> Lines:
        """A branch."""
        return self._block("if", condition, body)

    def loop(self, condition: str, body: Lines) -> Lines:
        """A loop."""
        return self._block("for" if self.language == "go" else "while", condition, body)

    def _block(self, word: str, condition: str, body: Lines) -> Lines:
        bare = self.language in ("go", "ruby", "rust", "swift")
        head = (
            f"{word} {self._with_sigils(condition)}" if bare else f"{word} ({self._with_sigils(condition)})"
        )
        return [head if self.language == "ruby" else f"{head} {{", *_indented(body), self._end]

    def chain(self, arms: Sequence[tuple[str, Lines]], otherwise: Lines) -> Lines:
        """Branches of which one runs, and what runs if none of them does."""
        (condition, body), *others = arms
        lines = self.branch(condition, body)[:-1]
        close, word = ("", "elsif") if self.language == "ruby" else ("} ", "else if")
        for condition, body in others:
            head, *inner = self._block(word, condition, body)[:-1]
            lines += [close + head, *inner]
        return [*lines, "else" if self.language == "ruby" else "} else {", *_indented(otherwise), self._end]

    @property
    def _end(self) -> str:
        return "end" if self.language == "ruby" else "}"

    def _exported(self, name: str) -> str:
        """The name as another module can use it: Go exports capitalized names only."""
        return name.capitalize() if self.language == "go" else name

    def _with_sigils(self, text: str) -> str:
        return _NAMES.sub(r"$\1", text) if self.language == "php" else text


def line_of(text: str, part: str) -> int:
    """The line that a part of the text stands on."""
    return text[: text.index(part)].count("\n") + 1


def _indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


def _fill_in(pattern: str, module: str) -> str:
    return pattern.replace("MODULE", module).replace("TYPE", module.capitalize())


def _header_of(text: str) -> str:
    """The header of a source file: its functions without their bodies."""
    return "".join(line.replace(" {", ";") + "\n" for line in text.split("\n") if line.startswith("int "))
