"""Which commits count as fixes of a file, and how many were left out for which reason.

The subject decides first. Left out after that: a commit that a later one reverted, one that changed more than 30 source files, and
further commits of the same pull request. Of files with many fixes left, the changes themselves are read: one that changed nothing
but comments, white space, imports or types is none.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from msgspec import Struct

from crimes.analyses.history.pull_requests import pull_request_number
from crimes.incremental.query import MemoStore, load, save
from crimes.languages import by_id
from crimes.model.errors import Unavailable
from crimes.model.lazy_regex import regex
from crimes.system import git
from crimes.system.git_patches import WHOLE_FILE_LINES, Patch, Version, read_patches

MAX_FIX_FILES = 30  # source files; a commit that changes more says nothing about any of them
MIN_READ_FIXES = 4  # from which the changes of a file are read
MAX_READ_CHANGES = 400  # of all files together, those with the most fixes first
MAX_READ_BYTES = 150_000  # of a version; a larger one is not parsed
MAX_SMALL_LINES = 2  # that look like code, in a change that has to be parsed
MIN_DISTINCT_WORDS = 3  # a shorter subject may belong to two different fixes
SAME_WORK = timedelta(days=1)

UPKEEP = "maintenance, a merge or a revert by its subject"
REVERTED = "reverted later"
BROAD = f"changed more than {MAX_FIX_FILES} source files"
SAME_PULL_REQUEST = "another commit of the same pull request or with the same subject"
COSMETIC = "changed only comments, white space, imports or types"

_MEMO = "cosmetic changes"

Change = tuple[bytes, bytes]  # a commit, and the name that a file had in it

# A line that is surely code, whatever the language: a call, an assignment or the head of a block. Comments, imports, decorators and
# signatures, whose types alone may have changed, need a parser; so does prose.
_CODE = regex(
    rb"(?!//|/?\*|#|--|@|[\"'`<>.]|(?:import|from|use|using|require\w*|include|package|def|fn|func|function|async|pub|export|type)\b)"
    rb".*(?:\w[\])]?[(\[]|[^=]=[^=>]|[{;:]$)",
    within=1000,
)
_WORD = regex(rb"\w+")


class CommitRef(Struct, frozen=True):
    """One commit as it is shown."""

    sha: str  # abbreviated to twelve
    when: datetime
    author: str
    subject: str


class Fix(NamedTuple):
    """A commit whose subject says that it fixes something, and the name that the file had in it."""

    sha: bytes
    ref: CommitRef
    path: bytes


class FileFixes(Struct, frozen=True):
    """The fixes of a file, newest first, and how many commits were left out, by reason."""

    counted: tuple[CommitRef, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()


class Claimed(NamedTuple):
    """What the log alone says of a file: fixes by their subjects, and commits already left out."""

    language: str
    fixes: Sequence[Fix]
    left_out: Counter[str]


def count_fixes(
    claimed: Mapping[str, Claimed],
    branch_of: Mapping[bytes, bytes],
    readable: Callable[[str], bool],
    tree: git.WorkTree,
    memory: MemoStore | None,
) -> dict[str, FileFixes]:
    """The fixes that count, by path. Changes are read of `readable` files only."""
    distinct = {path: len(_distinct(claim.fixes, branch_of)) for path, claim in claimed.items()}
    often = [path for path, number in distinct.items() if number >= MIN_READ_FIXES and readable(path)]
    often.sort(key=lambda path: (-distinct[path], path))
    cosmetic = _cosmetic_changes({path: claimed[path] for path in often}, tree, memory)
    return {path: _file_fixes(claim, branch_of, cosmetic) for path, claim in claimed.items()}


def _file_fixes(claim: Claimed, branch_of: Mapping[bytes, bytes], cosmetic: frozenset[Change]) -> FileFixes:
    if not claim.fixes and not claim.left_out:
        return FileFixes()
    real = [fix for fix in claim.fixes if (fix.sha, fix.path) not in cosmetic]
    counted = _distinct(real, branch_of)
    left_out = claim.left_out + Counter(
        {COSMETIC: len(claim.fixes) - len(real), SAME_PULL_REQUEST: len(real) - len(counted)}
    )
    return FileFixes(tuple(fix.ref for fix in counted), tuple(sorted((+left_out).items())))


def _distinct(fixes: Iterable[Fix], branch_of: Mapping[bytes, bytes]) -> list[Fix]:
    """Newest first, one for each pull request.

    The same subject twice is a fix that was cherry-picked and merged back, or a second attempt.
    """
    kept: list[Fix] = []
    seen: set[object] = set()
    newest: dict[tuple[str, str], datetime] = {}
    for fix in sorted(fixes, key=lambda fix: fix.ref.when, reverse=True):
        subject = fix.ref.subject
        keys = {branch_of.get(fix.sha), pull_request_number(subject)} - {None, ""}
        if len(subject.split()) >= MIN_DISTINCT_WORDS:
            keys.add(subject)
        work = (fix.ref.author, subject)
        again = work in newest and newest[work] - fix.ref.when < SAME_WORK
        newest[work] = fix.ref.when
        if not again and seen.isdisjoint(keys):
            kept.append(fix)
        seen |= keys
    return kept


def _cosmetic_changes(
    claimed: Mapping[str, Claimed], tree: git.WorkTree, memory: MemoStore | None
) -> frozenset[Change]:
    """The changes of no consequence, as commit and name then. What an earlier scan read is not read again."""
    languages: dict[Change, str] = {}
    for claim in claimed.values():
        if len(languages) + len(claim.fixes) <= MAX_READ_CHANGES:
            languages.update({(fix.sha, fix.path): claim.language for fix in claim.fixes})
    known = (load(memory, _MEMO, dict[bytes, bool]) if memory else None) or {}
    answers = {change: known[key] for change in languages if (key := b"\0".join(change)) in known}
    missing = languages.keys() - answers.keys()
    if missing:
        answers.update(_read(missing, languages, tree))
        if memory:
            save(memory, _MEMO, {b"\0".join(change): answer for change, answer in sorted(answers.items())})
    return frozenset(change for change, answer in answers.items() if answer)


def _read(
    missing: Iterable[Change], languages: Mapping[Change, str], tree: git.WorkTree
) -> dict[Change, bool]:
    """Whether each change is of no consequence. Only of small ones the whole file is read, and parsed."""
    answers: dict[Change, bool] = {}
    try:
        small = set()
        for patch in _patches(set(missing), tree, context_lines=0):
            answers[patch.sha, patch.path] = False
            if is_small(patch):
                small.add((patch.sha, patch.path))
        for patch in _patches(small, tree, WHOLE_FILE_LINES) if small else ():
            answers[patch.sha, patch.path] = is_cosmetic(patch, languages[patch.sha, patch.path])
    except Unavailable:  # a partial clone: what is not known to be cosmetic counts
        return answers
    return answers


def _patches(wanted: set[Change], tree: git.WorkTree, context_lines: int) -> Iterator[Patch]:
    shas, paths = sorted({sha for sha, _ in wanted}), sorted({path for _, path in wanted})
    patches = read_patches(tree, shas, paths, context_lines)
    return (patch for patch in patches if (patch.sha, patch.path) in wanted)


def is_small(patch: Patch) -> bool:
    """Whether so few of the changed lines look like code that only a parser can tell."""
    words = [
        Counter(filter(_CODE.match, map(_words, _changed(side)))) for side in (patch.before, patch.after)
    ]
    return sum((words[0] - words[1]).values()) + sum((words[1] - words[0]).values()) <= MAX_SMALL_LINES


def is_cosmetic(patch: Patch, language: str) -> bool:
    """Whether both sides of a patch with whole files have the same code."""
    before, after = patch.before, patch.after
    new = _tokens(after, language)
    if new and _lacks_a_word(before, new):
        return False  # without parsing the other side
    old = _tokens(before, language)
    if old is None or new is None:
        return [*map(_words, _changed(before))] == [*map(_words, _changed(after))]
    return old == new


def _lacks_a_word(version: Version, tokens: Iterable[tuple[int, int, bytes]]) -> bool:
    """Whether a word among the tokens of one side stands on no changed line of the other."""
    if any(b"\0" in line for line in version.lines):  # UTF-16: its lines are not what a parser reads
        return False
    changed = b"\n".join(_changed(version))
    return any(_WORD.fullmatch(text) and text not in changed for _, _, text in tokens)


def _changed(version: Version) -> list[bytes]:
    return [version.lines[number - 1] for number in version.changed]


def _words(line: bytes) -> bytes:
    return b" ".join(line.split())


def _tokens(version: Version, language: str) -> list[tuple[int, int, bytes]] | None:
    """The changed tokens: how many unchanged lines stand before each, its nesting and its text; None if unreadable."""
    from crimes.languages.engine.code_tokens import code_tokens  # loads the parser

    source = b"\n".join(version.lines)
    if len(source) > MAX_READ_BYTES:
        return None
    tokens = code_tokens(by_id[language], source, version.changed) if version.changed else []
    if tokens is None:
        return None
    return [
        (token.line - bisect_right(version.changed, token.line), token.nesting, token.text)
        for token in tokens
    ]
