"""Do the test commands of briefings run tests that execute the file?

    python benchmarks/briefing/commands.py CHECKOUT... [--files 10] [--seed 20] [--timeout 600] [--output results.jsonl]

For each checkout, whose environment has to be installed, and whose runners have to be on the PATH: draws source files that
have a command, writes a marker into the body of every function of the file, runs the command, and restores the file. A command is
right when its runner reports at least one test, and a function of the file left the marker. Give it clones made for this.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from tree_sitter import Node

from crimes.config.loader import load_config
from crimes.engine.scan import scan
from crimes.languages import by_id
from crimes.languages.engine.facts import reader_of
from crimes.model.facts import Role
from crimes.workflows.briefing.build import BriefingBuilder

_LAST_LINES = 12  # of the output, kept for a command that is wrong

# By language: the statement that leaves the marker. Its text ends with a space or a line break.
_STATEMENTS = {
    "python": "__import__('os').close(__import__('os').open({path}, 65)); ",
    "javascript": "globalThis.process.getBuiltinModule('fs').writeFileSync({path}, ''); ",
    "typescript": "(globalThis as any).process.getBuiltinModule('fs').writeFileSync({path}, ''); ",
    "go": "crimesMarker(); ",
    # A crate may do without the standard library, and its tests still have it.
    "rust": '{{ extern crate std as crimes_std; let _ = crimes_std::fs::write({path}, b""); }} ',
    "java": "boolean crimesMarker = new java.io.File({path}).mkdir(); ",
    "kotlin": "java.io.File({path}).mkdir(); ",
    "php": "\\touch({path}); ",
    "ruby": "::File.write({path}, ''); ",
}
_GO_MARKER = (
    'package {package}\n\nimport "os"\n\nfunc crimesMarker() {{ _ = os.WriteFile({path}, nil, 0o600) }}\n'
)
_FUNCTIONS = frozenset(
    {
        "function_definition", "function_declaration", "generator_function_declaration", "method_definition",
        "function_expression", "arrow_function", "method_declaration", "function_item", "method", "singleton_method",
    }
)  # fmt: skip
_BLOCKS = frozenset({"block", "statement_block", "compound_statement", "body_statement", "function_body"})
# What a runner says of the tests that ran: the number is in the first group, or the line is enough.
_COUNTS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"\b([1-9]\d*) (?:passed|failed)\b",  # pytest, vitest
        r"^Ran ([1-9]\d*) tests?",  # unittest
        r"^Found ([1-9]\d*) test",  # Django
        r"^Tests:.*?\b([1-9]\d*) total",  # jest
        r"\b([1-9]\d*) (?:passing|failing)\b",  # mocha
        r"^(?:ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*no tests to run)",  # go
        r"^running ([1-9]\d*) tests?",  # cargo
        r"Tests run: ([1-9]\d*)",  # surefire
        r"\b([1-9]\d*) examples?,",  # rspec
        r"\b([1-9]\d*) (?:runs|tests), \d+ assertions",  # minitest
        r"OK \(([1-9]\d*) tests?",  # phpunit
        r"^Tests: ([1-9]\d*),",
        r"^# (?:tests|pass|fail) ([1-9]\d*)",  # node --test
        r"([1-9]\d*) tests? (?:completed|passed)",
    )
)


@dataclass(frozen=True)
class Outcome:
    """What one command did."""

    repository: str
    file: str
    command: str
    collected: bool
    executed: bool
    exit_code: int | None  # None when it ran out of time
    end: str = ""  # of the output, where the command is wrong

    @property
    def right(self) -> bool:
        return self.collected and self.executed


@dataclass(frozen=True)
class Named:
    """What the briefings of a repository say: source files with functions, commands, and why there is none."""

    commands: dict[str, str]
    not_sure: dict[str, str]
    without_tests: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--timeout", type=int, default=600)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    rows = []
    for checkout in options.checkouts:
        named = name_commands(checkout)
        drawn = sorted(named.commands)
        random.Random(options.seed).shuffle(drawn)
        outcomes = []
        for file in drawn[: options.files]:
            outcome = run_marked(checkout, file, named.commands[file], options.timeout)
            outcomes.append(outcome)
            print("right" if outcome.right else "WRONG", file, "|", outcome.command, flush=True)
            if not outcome.right:
                print(
                    f"    collected {outcome.collected}, executed {outcome.executed}\n{outcome.end}",
                    flush=True,
                )
            if options.output:
                with options.output.open("a") as lines:
                    lines.write(json.dumps(asdict(outcome)) + "\n")
        right = sum(outcome.right for outcome in outcomes)
        total = len(named.commands) + len(named.not_sure) + named.without_tests
        rows.append(
            f"| {checkout.name} | {total} | {len(named.commands)} | {right} of {len(outcomes)} | "
            f"{len(named.not_sure)} | {named.without_tests} |"
        )
        print(rows[-1], flush=True)
        for reason in sorted(set(named.not_sure.values())):
            print("    not sure:", reason)
    print(
        "| repository | files | commands | right | not sure | no test reaches it |\n|---|---:|---:|---:|---:|---:|"
    )
    print("\n".join(rows))


def name_commands(checkout: Path) -> Named:
    """The commands of all source files in which a marker can stand."""
    made = scan(checkout, load_config(checkout, known=None))
    builder = BriefingBuilder(made)
    commands, not_sure, without_tests = {}, {}, 0
    for path, file in made.context.repo.files.items():
        if file.role is not Role.SOURCE or file.language not in _STATEMENTS or file.embedded or file.declares:
            continue
        if not list(marker_places(file.language, (checkout / path).read_bytes())):
            continue
        tests = builder.brief(path).tests
        if tests.command:
            commands[path] = tests.command
        elif tests.command_note:
            not_sure[path] = tests.command_note
        else:
            without_tests += 1
    return Named(commands, not_sure, without_tests)


def marker_places(language: str, source: bytes) -> Iterator[int]:
    """Offsets at which a statement can stand: the beginnings of function bodies."""
    parser, _ = reader_of(by_id[language])
    tree = parser.parse(source)  # nodes are only valid while it is
    waiting = [tree.root_node]
    while waiting:
        node = waiting.pop()
        waiting.extend(node.children)
        if node.type in _FUNCTIONS:
            yield from _body_start(node, source)
    del tree


def _body_start(function: Node, source: bytes) -> Iterator[int]:
    body = next((child for child in reversed(function.children) if child.type in _BLOCKS), None)
    if body is None or _is_const(function, source):
        return
    if source[body.start_byte : body.start_byte + 1] == b"{" and body.type != "body_statement":
        yield body.start_byte + 1
        return
    statements = [child for child in body.named_children if child.type != "comment"]
    if statements and _is_docstring(statements[0]):  # some programs show it
        statements = statements[1:]
    if [statement.text for statement in statements] == [b"..."]:
        return  # a declaration for types: there is nothing to execute
    if statements and b"\n" in source[function.start_byte : statements[0].start_byte]:
        yield statements[0].start_byte


def _is_docstring(statement: Node) -> bool:
    return statement.type == "expression_statement" and [
        child.type for child in statement.named_children
    ] == ["string"]


def _is_const(function: Node, source: bytes) -> bool:
    """Whether a function may run while it is compiled, where nothing can be written."""
    head = source[function.start_byte : function.start_byte + 60].split(b"fn ")[0]
    return function.type == "function_item" and b"const" in head


def run_marked(checkout: Path, file: str, command: str, timeout: int) -> Outcome:
    """What a command does while the functions of a file leave a marker."""
    path = checkout / file
    original = path.read_bytes()
    language = _language_of(file)
    with tempfile.TemporaryDirectory(prefix="marker") as folder:
        os.chmod(folder, 0o777)
        marker = Path(folder) / "ran"
        statement = _STATEMENTS[language].format(path=json.dumps(str(marker))).encode()
        marked = original
        for offset in sorted(set(marker_places(language, original)), reverse=True):
            marked = marked[:offset] + statement + _line_break(original, offset) + marked[offset:]
        extra = path.with_name("crimes_marker.go") if language == "go" else None
        try:
            path.write_bytes(marked)
            if extra:
                package = re.search(rb"^package (\w+)", original, re.MULTILINE)
                name = package[1].decode() if package else "main"
                extra.write_text(_GO_MARKER.format(package=name, path=json.dumps(str(marker))))
            exit_code, text = _run(command, checkout, timeout)
        finally:
            path.write_bytes(original)
            if extra:
                extra.unlink(missing_ok=True)
        executed = marker.exists()
    collected = any(pattern.search(text) for pattern in _COUNTS)
    end = "" if collected and executed else "\n".join(text.splitlines()[-_LAST_LINES:])
    return Outcome(checkout.name, file, command, collected, executed, exit_code, end)


def _line_break(source: bytes, offset: int) -> bytes:
    """What keeps a statement apart from the one at an offset: a line of its own, where that one begins a line."""
    indentation = source[source.rfind(b"\n", 0, offset) + 1 : offset]
    return b"" if indentation.strip() else b"\n" + indentation


def _language_of(file: str) -> str:
    return next(name for name in _STATEMENTS if Path(file).suffix in by_id[name].extensions)


def _run(command: str, folder: Path, timeout: int) -> tuple[int | None, str]:
    """The exit code, None after the timeout, and what was printed, without colours."""
    environment = os.environ | {"CI": "1", "NO_COLOR": "1", "TERM": "dumb"}
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            command, shell=True, cwd=folder, stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT,
            env=environment, start_new_session=True,
        )  # fmt: skip
        exit_code: int | None
        try:
            exit_code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            exit_code = None
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        printed.seek(0)
        text = printed.read().decode(errors="replace")
    return exit_code, re.sub(r"\x1b\[[\d;]*m", "", text)


if __name__ == "__main__":
    main()
