"""What settings depend on: the languages of a repository, where its tests are, and where its imports start."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from crimes.languages import by_id
from crimes.model.facts import Role
from crimes.model.lazy_regex import regex
from crimes.model.repository import ExternalImport, File, Repo

_TEST = regex(r"test_|test(?=[A-Z])|Test(?=[A-Z])|(?:it|test|describe)\(")
_MIN_TEST_FILES = 2  # before a folder counts as one of tests


class Survey(Struct, frozen=True):
    """What was found; folders with the number of files, or imports, that point to them."""

    languages: Mapping[str, int]
    known_tests: Mapping[str, int]  # by the conventions of their languages
    more_tests: Mapping[str, int]  # against any convention, but full of tests
    more_roots: Mapping[str, int]
    left_alone: Mapping[Role, int]  # files that are vendored or generated


# Links the repository again, with further folders that imports start from.
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
    """Topmost folders in which every source file defines tests."""
    tests: Counter[str] = Counter()
    others: set[str] = set()
    for file in files:
        if file.role is not Role.SOURCE or "/" not in file.path or not file.facts.logic_lines:
            continue
        if any(_TEST.match(function.name) for function in file.facts.functions):
            tests.update(_folders(file.path))
        else:
            others.update(_folders(file.path))
    pure = {folder for folder, number in tests.items() if number >= _MIN_TEST_FILES} - others
    return {folder: tests[folder] for folder in sorted(pure) if not pure & set(_folders(folder))}


def _more_roots(repo: Repo, relink: Relink) -> dict[str, int]:
    """Folders that make imports resolve, with how many: each is tried by linking again."""
    candidates = list(_candidate_roots(repo))
    if not candidates:
        return {}
    relinked = relink(tuple(sorted({root for _, root in candidates})))
    left = {_key(missing) for missing in _unresolved(relinked)}
    resolved = Counter(root for missing, root in candidates if _key(missing) not in left)
    return dict(sorted(resolved.items()))


def _key(missing: ExternalImport) -> tuple[str, int, str]:
    return missing.source, missing.line, missing.target


def _unresolved(repo: Repo) -> Iterator[ExternalImport]:
    return (entry for entry in repo.external if not entry.external and entry.source in repo.files)


def _candidate_roots(repo: Repo) -> Iterator[tuple[ExternalImport, str]]:
    """Unresolved imports that only one file could satisfy, with the folder they would have to start from."""
    by_name: defaultdict[str, set[str]] = defaultdict(set)
    for path in repo.paths:
        by_name[path.rpartition("/")[2]].add(path)
    for missing in _unresolved(repo):
        roots = {
            path.removesuffix(f"/{ending}")
            for ending in _possible_paths(missing.target, repo.files[missing.source].language)
            for path in by_name[ending.rpartition("/")[2]]
            if path.endswith(f"/{ending}")
        }
        if len(roots) == 1:
            yield missing, roots.pop()


def _possible_paths(target: str, language: str) -> Iterator[str]:
    """The paths below a root that an import may mean."""
    if target.startswith((".", "/")):
        return
    for pattern in by_id[language].below_root:
        yield pattern.format(path=target.replace(".", "/"), name=target)


def _top(path: str) -> str:
    return path.partition("/")[0] if "/" in path else "."


def _folders(path: str) -> list[str]:
    """The folders a path lies in, topmost first."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: number + 1]) for number in range(len(parts))]
