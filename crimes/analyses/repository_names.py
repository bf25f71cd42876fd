"""What a text can name in this repository: files, folders, make targets, recipes, package scripts."""

from __future__ import annotations

import json
import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

from msgspec import Struct

from crimes.detection.context import Analysis, Context
from crimes.incremental.query import MemoPredicate, MemoStore
from crimes.model.digests import digest_of
from crimes.model.lazy_regex import regex
from crimes.model.repository import Repo
from crimes.system.gitignore import usable_patterns

SUBMODULE = regex(r"^[ \t]*+path[ \t]*+=[ \t]*+(\S++)", re.MULTILINE)
BRACKETS = regex(r"\[[^\]/]{0,200}\]")
MAKEFILES = frozenset({"GNUmakefile", "makefile", "Makefile"})
JUSTFILES = frozenset({"justfile", "Justfile", ".justfile"})
# Targets from an include or an expansion cannot be known without running make.
MAKE_COMPUTED = regex(r"[-s]?include\s(?!\s*\S*\.env)|\$[({]")
MAKE_RULE = regex(r"([^\s#:=](?:[^#:=]*[^\s#:=])?)\s*+::?(?![:=])")
JUST_IMPORT = regex(r"^(import|mod)\b", re.MULTILINE)
JUST_RECIPE = regex(r"^@?([A-Za-z_][\w-]*)(?:\s[^:\n]*)?:(?!=)|^alias\s+([\w-]+)", re.MULTILINE)


Recipes = list[tuple[str, set[str] | None]]


class Names(Struct, frozen=True, dict=True):
    """Names as a reader writes them: in any case, and often relative to a folder below the root."""

    repo: Repo
    memory: MemoStore | None = None

    @cached_property
    def files(self) -> dict[str, str]:
        """Paths as they are, by their lower-case form."""
        return {path.lower(): path for path in sorted(self.repo.paths)}

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder, in lower case."""
        return folders_of(self.files)

    @cached_property
    def brackets(self) -> frozenset[str]:
        """Parts of paths in brackets, in lower case: they name routes with a parameter, and placeholders."""
        return frozenset(part for path in self.files for part in BRACKETS.findall(path))

    @cached_property
    def _endings(self) -> dict[str, list[str]]:
        """Paths by their last part, with and without its extension."""
        endings: dict[str, list[str]] = defaultdict(list)
        for path in (*self.files, *sorted(self.folders)):
            name = path.rpartition("/")[2]
            endings[name].append(path)
            stem = name.rpartition(".")[0]
            if stem.strip("."):  # in a dotfile the dot begins the name
                endings[stem].append(path[: len(stem) - len(name)])
        return endings

    @cached_property
    def _submodules(self) -> tuple[str, ...]:
        return tuple(path.lower() + "/" for path in SUBMODULE.findall(self.text(".gitmodules")))

    @cached_property
    def _ignore_rules(self) -> list[tuple[str, Callable[[str], bool]]]:
        """Every .gitignore: its folder with a trailing slash, and a predicate for paths below it; all in lower case."""
        return [
            (path.lower().removesuffix(".gitignore"), usable_patterns(text.lower().splitlines()).match_file)
            for path, text in self._ignore_files
        ]

    @cached_property
    def _ignore_files(self) -> list[tuple[str, str]]:
        """Path and text of every .gitignore."""
        paths = sorted(path for path in self.repo.paths if path.endswith(".gitignore"))
        return [(path, self.text(path)) for path in paths if posixpath.basename(path) == ".gitignore"]

    @cached_property
    def _ignored(self) -> MemoPredicate:
        # The rules take longer to compile than all answers take.
        return MemoPredicate(self.memory, "ignored", lambda: digest_of(repr(self._ignore_files).encode()))

    def is_ignored(self, path: str) -> bool:
        """Whether git would ignore this file or folder: it may exist where the project was built."""
        return self._ignored.answer(path.lower(), self._matches_a_rule)

    def _matches_a_rule(self, path: str) -> bool:
        return any(
            path.startswith(folder)
            and (matches(path.removeprefix(folder)) or matches(path.removeprefix(folder) + "/"))
            for folder, matches in self._ignore_rules
        )

    def text(self, path: str) -> str:
        """The text of a file; empty when it cannot be read."""
        if path not in self.repo.paths:
            return ""
        try:
            return self.repo.read(path).decode("utf-8", "replace")
        except OSError:  # a link, or gone since it was listed
            return ""

    def is_at(self, path: str) -> bool:
        """Whether a file or folder has this path, possibly without its extension. True inside a submodule."""
        return self._unlisted(path.lower()) or path.lower() in self._same_name(path)

    def has_ending(self, path: str) -> bool:
        """Whether the path of a file or folder ends in this one."""
        return self.is_at(path) or any(other.endswith("/" + path.lower()) for other in self._same_name(path))

    def _same_name(self, path: str) -> list[str]:
        return self._endings.get(posixpath.basename(path).lower(), [])

    def _unlisted(self, path: str) -> bool:
        """Whether a path lies in a submodule, or below something listed as a file: a link to a folder."""
        if (path + "/").startswith(self._submodules):
            return True
        while path := posixpath.dirname(path):
            if path in self.files:
                return True
        return False

    def namesakes(self, path: str) -> list[str]:
        """Files of the same name in other folders, sorted."""
        return [self.files[other] for other in self._same_name(path) if other in self.files]

    def beside(self, path: str) -> list[str]:
        """Files of the folder this path would be in, sorted."""
        folder = posixpath.dirname(path).lower()
        return [actual for lower, actual in self.files.items() if posixpath.dirname(lower) == folder]

    @cached_property
    def package_scripts(self) -> frozenset[str]:
        """Scripts of every package.json."""
        manifests = (path for path in self.repo.paths if posixpath.basename(path) == "package.json")
        return frozenset(script for path in manifests for script in _package_scripts(self.text(path)))

    def make_targets(self, folder: str) -> frozenset[str] | None:
        """Targets that a document in this folder can mean; None without a makefile, or with computed targets."""
        return _recipes_for(self._makefiles, folder)

    def just_recipes(self, folder: str) -> frozenset[str] | None:
        """The same for `just`."""
        return _recipes_for(self._justfiles, folder)

    @cached_property
    def _makefiles(self) -> Recipes:
        return self._recipes(MAKEFILES, _make_targets)

    @cached_property
    def _justfiles(self) -> Recipes:
        return self._recipes(JUSTFILES, _just_recipes)

    def _recipes(self, names: frozenset[str], read: Callable[[str], set[str] | None]) -> Recipes:
        """By folder; None where they are computed."""
        paths = (path for path in sorted(self.repo.paths) if posixpath.basename(path) in names)
        return [(posixpath.dirname(path), read(self.text(path))) for path in paths]


def folders_of(paths: Iterable[str]) -> frozenset[str]:
    """Every folder that contains one of these paths."""
    folders: set[str] = set()
    for path in paths:
        while (path := path.rpartition("/")[0]) and path not in folders:
            folders.add(path)
    return frozenset(folders)


def _recipes_for(recipes: Recipes, folder: str) -> frozenset[str] | None:
    """All recipes, if those of the folder and of the folders above it are known."""
    near = [known for own, known in recipes if not own or folder == own or folder.startswith(own + "/")]
    if not near or None in near:
        return None
    return frozenset(name for _, known in recipes for name in known or ())


def _package_scripts(text: str) -> Iterator[str]:
    try:
        package: Any = json.loads(text)
    except (ValueError, RecursionError):
        return
    scripts = package.get("scripts") if isinstance(package, dict) else None
    if isinstance(scripts, dict):
        yield from scripts


def _make_targets(text: str) -> set[str] | None:
    targets: set[str] = set()
    for line in text.replace("\\\n", " ").splitlines():
        if MAKE_COMPUTED.match(line):
            return None
        rule = MAKE_RULE.match(line)
        if rule and re.search(r"[$%]", rule[1]):
            return None
        targets.update(rule[1].split() if rule else ())
    return targets


def _just_recipes(text: str) -> set[str] | None:
    if JUST_IMPORT.search(text):
        return None
    return {recipe or alias for recipe, alias in JUST_RECIPE.findall(text)}


def build(context: Context) -> Names:
    """Nothing is read before it is asked for."""
    return Names(context.repo, context.memory)


NAMES = Analysis("names", build)
