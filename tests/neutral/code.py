"""The same small code in every language, so that a detector that knows none can be shown in all of them.

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
class Tongue:
    """How a language writes a module, a function in it, and the call of one in another module."""

    file: str
    begin: str
    end: str
    function: str
    call: str
    use: str = ""  # what stands above the code of who calls
    variable: str = "var NAME = VALUE"


TONGUES: Mapping[str, Tongue] = {
    "c": Tongue(
        *("src/MODULE.c", "", "", "int NAME(int value) {", "NAME(VALUE)"),
        use='#include "MODULE.h"',
        variable="int NAME = VALUE",
    ),
    "cpp": Tongue(
        *("src/MODULE.cpp", "", "", "int NAME(int value) {", "NAME(VALUE)"),
        use='#include "MODULE.h"',
        variable="int NAME = VALUE",
    ),
    "csharp": Tongue(
        *("Shop/TYPE.cs", "namespace Shop;\n\npublic class TYPE {\n", "}\n"),
        *("public static int NAME(int value) {", "TYPE.NAME(VALUE)"),
    ),
    "go": Tongue(
        *("MODULE/MODULE.go", "package MODULE\n\n", "", "func NAME(value int) int {", "MODULE.NAME(VALUE)"),
        use='import "example.com/shop/MODULE"',
        variable="NAME := VALUE",
    ),
    "java": Tongue(
        *("src/main/java/shop/TYPE.java", "package shop;\n\npublic class TYPE {\n", "}\n"),
        *("public static int NAME(int value) {", "TYPE.NAME(VALUE)"),
        variable="int NAME = VALUE",
    ),
    "kotlin": Tongue(
        *(
            "src/main/kotlin/shop/TYPE.kt",
            "package shop\n\n",
            "",
            "fun NAME(value: Int): Int {",
            "NAME(VALUE)",
        )
    ),
    "php": Tongue(
        *("src/TYPE.php", "<?php\nnamespace Shop;\n\nclass TYPE {\n", "}\n"),
        *("public static function NAME($value) {", "TYPE::NAME(VALUE)"),
        variable="NAME = VALUE",
    ),
    "ruby": Tongue(
        *("lib/shop/MODULE.rb", "class TYPE\n", "end\n"),
        *("def self.NAME(value)", "TYPE.NAME(VALUE)"),
        use='require_relative "MODULE"',
        variable="NAME = VALUE",
    ),
    "rust": Tongue(
        *("src/MODULE.rs", "", "", "pub fn NAME(value: i32) -> i32 {", "MODULE::NAME(VALUE)"),
        use="use crate::MODULE;",
        variable="let mut NAME = VALUE",
    ),
    "scala": Tongue(
        *("src/main/scala/shop/TYPE.scala", "package shop\n\nobject TYPE {\n", "}\n"),
        *("def NAME(value: Int): Int = {", "TYPE.NAME(VALUE)"),
    ),
    "swift": Tongue(
        *("Sources/Shop/TYPE.swift", "", "", "func NAME(value: Int) -> Int {", "NAME(value: VALUE)")
    ),
}
_MANIFESTS: Mapping[str, Mapping[str, str]] = {
    "go": {"go.mod": "module example.com/shop\n"},
    "php": {"composer.json": '{"autoload": {"psr-4": {"Shop\\\\": "src/"}}}\n'},
    "rust": {"Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n'},
    "swift": {"Package.swift": 'let package = Package(name: "Shop", targets: [.target(name: "Shop")])\n'},
}


class Code:
    """Code in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._tongue = TONGUES[language]

    def path(self, module: str) -> str:
        """Where a module lies."""
        return _put(self._tongue.file, module)

    def project(self, modules: Mapping[str, str]) -> dict[str, str]:
        """The files of a project with these modules, by path."""
        files = {self.path(module): text for module, text in modules.items()}
        if self.language == "rust":
            files["src/lib.rs"] = "".join(f"pub mod {module};\n" for module in modules)
        if self.language in ("c", "cpp"):
            files |= {f"src/{module}.h": _headed(text) for module, text in modules.items()}
        return {**_MANIFESTS.get(self.language, {}), **files}

    def module(self, name: str, *functions: Lines, uses: tuple[str, ...] = ()) -> str:
        """A module; `uses` names the modules that it calls."""
        used = [_put(self._tongue.use, one) for one in uses if self._tongue.use]
        top, begin = "".join(f"{line}\n" for line in used), _put(self._tongue.begin, name)
        above = begin + top if self.language in ("go", "php") else top + begin
        return above + "\n".join("".join(f"{line}\n" for line in one) for one in functions) + self._tongue.end

    @property
    def has_types(self) -> bool:
        """Whether functions live in types."""
        return "TYPE" in self._tongue.begin

    def module_of_types(self, types: Mapping[str, Sequence[Lines]]) -> str:
        """A file with several types and their functions."""
        head, _, opened = self._tongue.begin.rpartition("\n\n")
        made = [
            _put(opened, name) + "".join(f"{line}\n" for one in functions for line in one) + self._tongue.end
            for name, functions in types.items()
        ]
        return "\n\n".join(part for part in (head, *made) if part)

    def function(self, name: str, body: Lines, result: str = "value") -> Lines:
        """A function that ends in a result."""
        opened = self._tongue.function.replace("NAME", self._named(name))
        return [opened, *_indented([*body, self.say(f"return {result}")]), self._end]

    def call(self, module: str, name: str, value: str = "value") -> str:
        """The call of a function of another module, as an expression."""
        call = _put(self._tongue.call, module).replace("NAME", self._named(name))
        return self._spelled(call.replace("VALUE", value))

    def import_of(self, module: str) -> str:
        """The line that a user of a module needs, if that line alone leads there."""
        return "" if self.language in ("c", "cpp") else _put(self._tongue.use, module)

    def say(self, statement: str) -> str:
        """One statement."""
        return self._spelled(statement) + ";" * (self.language in _WITH_SEMICOLONS)

    def let(self, name: str, value: str) -> str:
        """A variable."""
        return self.say(self._tongue.variable.replace("NAME", name).replace("VALUE", value))

    def text(self, content: str) -> str:
        """A string in a variable called key."""
        return self.let("key", f'"{content}"').replace(
            "int key", {"java": "String key"}.get(self.language, "const char *key")
        )

    def note(self, words: str) -> str:
        """A comment of one line."""
        return f"{'#' if self.language == 'ruby' else '//'} {words}"

    def when(self, condition: str, body: Lines) -> Lines:
        """A branch."""
        return self._block("if", condition, body)

    def during(self, condition: str, body: Lines) -> Lines:
        """A loop."""
        return self._block("for" if self.language == "go" else "while", condition, body)

    def _block(self, word: str, condition: str, body: Lines) -> Lines:
        bare = self.language in ("go", "ruby", "rust", "swift")
        head = f"{word} {self._spelled(condition)}" if bare else f"{word} ({self._spelled(condition)})"
        return [head if self.language == "ruby" else f"{head} {{", *_indented(body), self._end]

    @property
    def _end(self) -> str:
        return "end" if self.language == "ruby" else "}"

    def _named(self, name: str) -> str:
        return (
            name.capitalize() if self.language == "go" else name
        )  # only such names can be seen from outside

    def _spelled(self, text: str) -> str:
        return _NAMES.sub(r"$\1", text) if self.language == "php" else text


def line_of(text: str, part: str) -> int:
    """The line that a part of the text stands on."""
    return text[: text.index(part)].count("\n") + 1


def _indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


def _put(pattern: str, module: str) -> str:
    return pattern.replace("MODULE", module).replace("TYPE", module.capitalize())


def _headed(text: str) -> str:
    """The header of a source file: its functions without their bodies."""
    return "".join(line.replace(" {", ";") + "\n" for line in text.split("\n") if line.startswith("int "))
