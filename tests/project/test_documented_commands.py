"""Every command line in the documents is one that works: known to the real command line, and run on a sample repository."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from crimes.cli.app import app_for
from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT
from tests.kit.sample_history import build

# The reference of commands is written from the command line itself.
DOCUMENTS = sorted({ROOT / "README.md", *ROOT.glob("docs/*.md")} - {ROOT / "docs/commands.md"})
COMMAND = re.compile(r"^(?: {4})?((?:crimes|make) .*)$")
NOT_RUN = {
    "crimes fleet report": "needs a run: tests/cli/test_fleet_cli.py has both",
    "crimes fleet run --scheduler tls://scheduler.example.org:8786": "needs a cluster",
    "crimes fleet run '~/src'": "needs a folder of checkouts: tests/cli/test_fleet_cli.py has it",
    "crimes scan --scheduler tls://scheduler.example.org:8786": "needs a cluster",
    "crimes map --open": "opens a browser",
    "crimes mcp": "serves until it is stopped",
    "crimes mcp --http": "serves until it is stopped",
    "crimes triage": "needs a terminal",
}
# These exit with 1 when they find something, which is what they are for.
GATES = ("--fail-on", "baseline check", "crimes check")
SAMPLE_FILES = {
    "answer.md": "I think it works.\n",
    "decisions.json": '{"id": "40c7524", "decision": "later", "reason": "after the release", "owner": "Ada"}\n',
    "build/lcov.info": "SF:src/tollgate/money.py\nDA:1,1\nend_of_record\n",
    "api/coverage.xml": '<coverage><packages><package><classes><class filename="src/tollgate/money.py"><lines>'
    '<line number="1" hits="1"/></lines></class></classes></package></packages></coverage>',
}


def lines_in(text: str) -> Iterator[str]:
    """The commands of fenced and indented blocks, without comments and what is piped after them."""
    fenced = False
    for row in text.splitlines():
        if row.startswith("```"):
            fenced = not fenced
        elif (match := COMMAND.match(row)) and (fenced or row.startswith("    ")):
            yield shlex.join(shlex.split(re.split(r" [|&;>]", match[1])[0], comments=True))


def documented() -> dict[str, str]:
    """Every command line, and a document that has it."""
    return {line: path.name for path in DOCUMENTS for line in lines_in(path.read_text("utf-8"))}


LINES = documented()
CRIMES_LINES = sorted(line for line in LINES if line.startswith("crimes "))


@pytest.fixture(scope="module")
def app() -> Any:
    return typer.main.get_command(app_for(()))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample with what the lines name: tags, a remote branch, an edit, a baseline and files to read."""
    path = build("python_service", tmp_path_factory.mktemp("documented"))
    repo = GitRepo.__new__(GitRepo)
    repo.path = path
    repo.git("tag", "v1.0", "HEAD~3")
    repo.git("tag", "v1.1", "HEAD")
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD~1")
    records = re.search(r'title="records.json"\n(.*?)```', (ROOT / "docs/review.md").read_text(), re.DOTALL)
    assert records is not None
    assert run_crimes(path, "baseline", "save").returncode == 0
    assert run_crimes(path, "scan", "--json-output", "crimes.json").returncode == 0
    repo.write({**SAMPLE_FILES, "records.json": records[1]})
    edited = path / "src/tollgate/money.py"
    edited.write_text(edited.read_text() + "\n\nUNIT = 100\n")
    return path


def test_the_documents_have_commands() -> None:
    assert {line.split()[1] for line in CRIMES_LINES} >= {
        *("scan", "explain", "context", "diff", "baseline", "trust", "report", "init", "triage", "feedback"),
    }


@pytest.mark.parametrize("line", CRIMES_LINES)
def test_documented_command_is_known_with_its_options(app: Any, line: str) -> None:
    command, (_, *arguments) = app, shlex.split(line)
    while hasattr(command, "commands"):
        assert arguments[:1], f"{LINES[line]}: {line} names no command"
        assert arguments[0] in command.commands, f"{LINES[line]}: {line}"
        command = command.commands[arguments.pop(0)]
    command.make_context("crimes", arguments)  # raises on an unknown option or value


def test_commands_in_the_text_have_the_options_they_are_named_with(app: Any) -> None:
    for document in DOCUMENTS:
        for line in re.findall(r"`crimes ([a-z]+(?: [^`\n]*)?)`", document.read_text("utf-8")):
            name, *rest = line.split()
            assert name in app.commands, f"{document.name}: crimes {line}"
            members = getattr(app.commands[name], "commands", {})
            command = members[rest[0]] if members and rest else app.commands[name]
            known = {
                option
                for parameter in command.params
                for option in (*parameter.opts, *parameter.secondary_opts)
            }
            asked = {word.partition("=")[0] for word in rest if word.startswith("--") and len(word) > 2}
            assert asked <= known, f"{document.name}: crimes {line}"


@pytest.mark.parametrize("line", sorted(line for line in LINES if line.startswith("make ")))
def test_documented_make_target_exists(line: str) -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    asked = [word for word in line.split()[1:] if "=" not in word]
    assert set(asked) <= set(targets), f"{LINES[line]}: {line}"


@pytest.mark.parametrize("line", [line for line in CRIMES_LINES if line not in NOT_RUN])
def test_documented_command_runs(sample: Path, line: str) -> None:
    repository = sample.parent / "work" / sample.name  # always the same folder, so that caches serve
    shutil.rmtree(repository, ignore_errors=True)
    shutil.copytree(sample, repository)
    done = run_crimes(repository, *shlex.split(line)[1:])
    allowed = {0, 1} if any(gate in line for gate in GATES) else {0}
    assert done.returncode in allowed, f"{LINES[line]}: {line}\n{done.stderr}"


def test_exceptions_are_still_documented() -> None:
    assert set(NOT_RUN) <= set(CRIMES_LINES)
