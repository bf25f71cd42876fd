"""Lint and type-check commands that a repository's own files state, for one file of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from posixpath import dirname, join, relpath, splitext
from typing import NamedTuple

from crimes.model.lazy_regex import regex
from crimes.model.repository import Repo
from crimes.model.safe_parsing import parse_ini
from crimes.workflows.briefing.command import (
    folders_upward,
    in_folder,
    parse_json,
    parse_toml,
    read_if_present,
    table_in,
)
from crimes.workflows.briefing.record import CheckCommand
from crimes.workflows.briefing.runners.node import script_call

_LINT = regex(
    r"(?:(?:code|check)[-_:])?(?:lint|eslint|ruff|flake8|pylint|clippy|rubocop|vet|stylecheck|style)(?:[-_:](?:check|all|code|py|js|ts))?$"
)
_TYPES = regex(
    r"(?:check[-_:]?types|types?[-_:]?check(?:ing)?|typing|types(?:[-_:]check)?|mypy|pyright|pyrefly|tsc|phpstan|psalm|sorbet)$"
)
_MAKE_TARGET = regex(rb"(?m)^([A-Za-z][\w.-]*+)[\w. \t-]*+::?(?!=)")
_JUST_RECIPE = regex(rb"(?m)^@?([A-Za-z][\w-]*)\b[^:=\n]*:(?!=)")
_TOX_ENVIRONMENT = regex(r"testenv:(.+)")
_NOX_SESSION = regex(rb"(?m)^@(?:nox\.)?session\b[^\n]*\n(?:^@[^\n]*\n){0,20}^def (\w+)")
_NOX_NAME = regex(rb"@(?:nox\.)?session\([^)\n]{0,200}\bname=[\"']([\w-]+)")
_MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
_JUSTFILES = ("justfile", "Justfile", ".justfile")


class CheckCommands:
    """The checks of a repository, by the folder of a file; manifests are read once."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._named: dict[str, tuple[CheckCommand, ...]] = {}
        self._tools: dict[str, tuple[_Tool, ...]] = {}

    def for_file(self, path: str) -> tuple[CheckCommand, ...]:
        """One command that lints the file and one that checks its types, as far as the nearest files above it state any.

        A target or script of the project comes before the tool by itself. Without a linter, the hooks of each commit.
        """
        chosen: dict[str, CheckCommand] = {}
        for folder in folders_upward(path):
            for command in (*self._named_in(folder), *self._tools_in(folder, path)):
                chosen.setdefault(command.kind, command)
        if "lint" not in chosen and ".pre-commit-config.yaml" in self._repo.paths:
            call = in_folder("", "pre-commit run --files", [path], runs=0).text
            chosen["lint"] = CheckCommand("lint", call, ".pre-commit-config.yaml")
        return tuple(chosen[kind] for kind in ("lint", "types") if kind in chosen)

    def _named_in(self, folder: str) -> tuple[CheckCommand, ...]:
        if folder not in self._named:
            commands: list[CheckCommand] = []
            for source in _SOURCES:
                for name, start, stated_in in sorted(source(self._repo, folder), key=_is_other_name):
                    kind = _kind_of(name)
                    if kind and all(command.kind != kind for command in commands):
                        call = in_folder(folder, start, [name], runs=0).text
                        commands.append(CheckCommand(kind, call, stated_in))
            self._named[folder] = tuple(commands)
        return self._named[folder]

    def _tools_in(self, folder: str, path: str) -> Iterator[CheckCommand]:
        """Tools that are configured in this folder, for files of this kind."""
        extension = splitext(path)[1]
        for tool in self._configured_in(folder):
            if extension in tool.extensions:
                name = relpath(path, folder or ".")
                files = {"file": [name], "package": [f"./{dirname(name)}".rstrip("/")]}.get(tool.takes, [])
                start = (
                    f"bundle exec {tool.call}" if join(folder, "Gemfile") in self._repo.paths else tool.call
                )
                text = in_folder(folder, start, files, runs=0).text
                yield CheckCommand(tool.kind, text, join(folder, tool.config))

    def _configured_in(self, folder: str) -> tuple[_Tool, ...]:
        if folder not in self._tools:
            self._tools[folder] = tuple(tool for tool in _TOOLS if self._is_configured(folder, tool))
        return self._tools[folder]

    def _is_configured(self, folder: str, tool: _Tool) -> bool:
        path = join(folder, tool.config)
        if path not in self._repo.paths:
            return False
        return not tool.table or _has_table(self._repo.read(path), tool.config, tool.table)


class _Tool(NamedTuple):
    """A tool that a file of its own configures, or a table in a file of many."""

    kind: str
    extensions: tuple[str, ...]
    config: str
    table: str
    call: str
    takes: str  # `file`, `package`, or nothing


_PYTHON, _GO, _RUBY, _PHP = (".py", ".pyi"), (".go",), (".rb",), (".php",)
_TOOLS = (
    _Tool("lint", _PYTHON, "pyproject.toml", "tool.ruff", "ruff check", "file"),
    _Tool("lint", _PYTHON, "ruff.toml", "", "ruff check", "file"),
    _Tool("lint", _PYTHON, ".ruff.toml", "", "ruff check", "file"),
    _Tool("lint", _PYTHON, "setup.cfg", "flake8", "flake8", "file"),
    _Tool("lint", _PYTHON, "tox.ini", "flake8", "flake8", "file"),
    _Tool("lint", _PYTHON, ".flake8", "", "flake8", "file"),
    _Tool("lint", _PYTHON, "pyproject.toml", "tool.pylint", "pylint", "file"),
    _Tool("lint", _PYTHON, ".pylintrc", "", "pylint", "file"),
    _Tool("types", _PYTHON, "pyproject.toml", "tool.mypy", "mypy", "file"),
    _Tool("types", _PYTHON, "mypy.ini", "", "mypy", "file"),
    _Tool("types", _PYTHON, ".mypy.ini", "", "mypy", "file"),
    _Tool("types", _PYTHON, "setup.cfg", "mypy", "mypy", "file"),
    _Tool("types", _PYTHON, "pyproject.toml", "tool.pyright", "pyright", "file"),
    _Tool("types", _PYTHON, "pyproject.toml", "tool.basedpyright", "basedpyright", "file"),
    _Tool("types", _PYTHON, "pyrightconfig.json", "", "pyright", "file"),
    _Tool("lint", _GO, ".golangci.yml", "", "golangci-lint run", "package"),
    _Tool("lint", _GO, ".golangci.yaml", "", "golangci-lint run", "package"),
    _Tool("lint", _GO, ".golangci.toml", "", "golangci-lint run", "package"),
    _Tool("lint", _RUBY, ".rubocop.yml", "", "rubocop", "file"),
    _Tool("types", _PHP, "phpstan.neon", "", "vendor/bin/phpstan analyse", ""),
    _Tool("types", _PHP, "phpstan.neon.dist", "", "vendor/bin/phpstan analyse", ""),
    _Tool("types", _PHP, "phpstan.dist.neon", "", "vendor/bin/phpstan analyse", ""),
    _Tool("types", _PHP, "psalm.xml", "", "vendor/bin/psalm", ""),
    _Tool("types", _PHP, "psalm.xml.dist", "", "vendor/bin/psalm", ""),
)

_Named = tuple[str, str, str]  # name of a target, what starts it, the file that states it


def _kind_of(name: str) -> str:
    return "lint" if _LINT.match(name) else "types" if _TYPES.match(name) else ""


def _is_other_name(named: _Named) -> bool:
    """Whether a target is called anything but `lint`: where there are several, that one comes first."""
    return named[0] != "lint"


def _scripts(repo: Repo, folder: str) -> Iterator[_Named]:
    path = join(folder, "package.json")
    manifest = parse_json(read_if_present(repo, path))
    for name in sorted(table_in(manifest, "scripts"), key=lambda name: (len(name), name)):
        yield name, script_call(repo, folder), path


def _composer_scripts(repo: Repo, folder: str) -> Iterator[_Named]:
    path = join(folder, "composer.json")
    manifest = parse_json(read_if_present(repo, path))
    for name in sorted(table_in(manifest, "scripts"), key=lambda name: (len(name), name)):
        yield name, "composer run", path


def _targets(repo: Repo, folder: str) -> Iterator[_Named]:
    for names, pattern, start in ((_MAKEFILES, _MAKE_TARGET, "make"), (_JUSTFILES, _JUST_RECIPE, "just")):
        for path in (path for name in names if (path := join(folder, name)) in repo.paths):
            for target in pattern.findall(repo.read(path)):
                yield target.decode("utf-8", "replace"), start, path


def _environments(repo: Repo, folder: str) -> Iterator[_Named]:
    """Environments of tox and sessions of nox."""
    path = join(folder, "tox.ini")
    for section in _ini_sections(read_if_present(repo, path)):
        match = _TOX_ENVIRONMENT.fullmatch(section)
        if match:
            yield match[1], "tox -e", path
    path = join(folder, "pyproject.toml")
    manifest = parse_toml(read_if_present(repo, path))
    for name in table_in(manifest, "tool", "tox", "env"):
        yield name, "tox -e", path
    path = join(folder, "noxfile.py")
    text = read_if_present(repo, path)
    for name in (*_NOX_NAME.findall(text), *_NOX_SESSION.findall(text)):
        yield name.decode("utf-8", "replace"), "nox -s", path


_SOURCES: tuple[Callable[[Repo, str], Iterator[_Named]], ...] = (
    _scripts,
    _targets,
    _environments,
    _composer_scripts,
)


def _has_table(text: bytes, config: str, table: str) -> bool:
    if config.endswith(".toml"):
        return bool(table_in(parse_toml(text), *table.split(".")))
    return table in _ini_sections(text)


def _ini_sections(text: bytes) -> list[str]:
    try:
        return list(parse_ini(text.decode("utf-8", "replace")))
    except ValueError:
        return []
