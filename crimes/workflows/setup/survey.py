"""What settings have to fit: the languages of a repository, where its tests are, and where its imports start."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from crimes.languages import by_id
from crimes.model.facts import Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import ExternalImport, File, Repo

_TEST = regex(r"test_|test(?=[A-Z])|Test(?=[A-Z])|(?:it|test|describe)\(")
_FEWEST_TESTS = 2  # files, before a folder is taken for one of tests


class Survey(Struct, frozen=True):
    """What was found; folders with how many files, or imports, speak for them."""

    languages: Mapping[str, int]
    known_tests: Mapping[str, int]  # by the conventions of their languages
    more_tests: Mapping[str, int]  # not known by any, but full of tests
    more_roots: Mapping[str, int]
    left_alone: Mapping[Role, int]  # files that are vendored or generated


# The repository linked again, with further folders that imports start from.
Relink = Callable[[tuple[str, ...]], Repo]


def survey(repo: Repo, relink: Relink) -> Survey:
    """Look at a repository that was read and linked."""
    files = repo.files.values()
    roles = Counter(file.role for file in files)
    return Survey(
        languages=Counter(file.language for file in files),
        known_tests=Counter(_top(file.path) for file in files if file.role is Role.TEST),
        more_tests=_more_tests(files),
        more_roots=_more_roots(repo, relink),
        left_alone={role: roles[role] for role in (Role.VENDORED, Role.GENERATED) if roles[role]},
    )


def _more_tests(files: Iterable[File]) -> dict[str, int]:
    """Topmost folders that hold source files, each of which defines tests."""
    tests: Counter[str] = Counter()
    others: set[str] = set()
    for file in files:
        if file.role is not Role.SOURCE or "/" not in file.path or not file.facts.logic_lines:
            continue
        if any(_TEST.match(function.name) for function in file.facts.functions):
            tests.update(_folders(file.path))
        else:
            others.update(_folders(file.path))
    pure = {folder for folder, number in tests.items() if number >= _FEWEST_TESTS} - others
    return {folder: tests[folder] for folder in sorted(pure) if not pure & set(_folders(folder))}


def _more_roots(repo: Repo, relink: Relink) -> dict[str, int]:
    """Folders that make imports lead to a file, with how many: it is tried out, not supposed."""
    supposed = list(_supposed(repo))
    if not supposed:
        return {}
    after = relink(tuple(sorted({root for _, root in supposed})))
    left = {_import(outside) for outside in _unresolved(after)}
    found = Counter(root for outside, root in supposed if _import(outside) not in left)
    return dict(sorted(found.items()))


def _import(outside: ExternalImport) -> tuple[str, int, str]:
    return outside.source, outside.line, outside.target


def _unresolved(repo: Repo) -> Iterator[ExternalImport]:
    return (outside for outside in repo.external if not outside.external and outside.source in repo.files)


def _supposed(repo: Repo) -> Iterator[tuple[ExternalImport, str]]:
    """Imports that lead nowhere, with the folder they would have to start from where only one file could be meant."""
    endings: defaultdict[str, set[str]] = defaultdict(set)
    for path in repo.paths:
        name = path.rpartition("/")[2]
        endings[name].add(path)
    for outside in _unresolved(repo):
        fitting = {
            path.removesuffix(f"/{wanted}")
            for wanted in _wanted(outside.target, repo.files[outside.source].language)
            for path in endings[wanted.rpartition("/")[2]]
            if path.endswith(f"/{wanted}")
        }
        if len(fitting) == 1:
            yield outside, fitting.pop()


def _wanted(target: str, language: str) -> Iterator[str]:
    if target.startswith((".", "/")):
        return
    for spelled in by_id[language].below_root:
        yield spelled.format(path=target.replace(".", "/"), name=target)


def _top(path: str) -> str:
    return path.partition("/")[0] if "/" in path else "."


def _folders(path: str) -> list[str]:
    """The folders a path lies in, topmost first."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: number + 1]) for number in range(len(parts))]
