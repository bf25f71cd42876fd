"""Unverified claims in texts of the repository, checked against the repository itself."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from crimes.analyses.claims.audit import Claim, audit
from crimes.analyses.claims.lookup import Defined, Names, Repository, defined_in, symbols_of
from crimes.analyses.claims.matching import mentions_any
from crimes.analyses.claims.text import Document, read_document
from crimes.analyses.repository_names import folders_of
from crimes.config.claims.phrases import STRONG_PHRASES
from crimes.config.claims.settings import Settings
from crimes.detection.context import Analysis, Context
from crimes.detection.per_file import per_file
from crimes.incremental.query import MemoPredicate, MemoStore, load, save
from crimes.model.digests import digest_of
from crimes.model.facts import FileFacts
from crimes.model.lazy_regex import regex
from crimes.model.repository import Repo

# Every strong phrase contains one of these words, and matches the pattern below.
_HINTS = ("sure", "idea", "clue", "know", "think", "believe", "suspect", "hopefully", "should")  # fmt: skip
_GUESS_HINT = regex(
    r"(?:not|really|quite|entirely|exactly|all)\W+sure|unsure|no\W+(?:idea|clue)|know\W+why"
    r"|(?:\bi|not|n't|'d|would)\W+(?:think|believe|suspect)|hopefully|should\W+(?:\w+\W+)?work"
)
# Longer ones were not written for a reader.
_MAX_COMMENT_CHARACTERS = 10_000
_MAX_DOCUMENT_CHARACTERS = 100_000


def holds_a_guess(comment: str) -> bool:
    """Whether a comment, given without its markers, contains the words of a guess."""
    return mentions_any(comment[:_MAX_COMMENT_CHARACTERS], STRONG_PHRASES)


def may_hold_a_guess(comment: str) -> bool:
    """A quick test that excludes most comments: whether this one can contain a guess at all."""
    lower = comment.lower()
    return any(hint in lower for hint in _HINTS) and _GUESS_HINT.search(lower) is not None


class Claims(Struct, frozen=True, dict=True):
    """Claims without support. Paths and symbols beside a claim are looked up in the repository."""

    repo: Repo
    settings: Settings
    memory: MemoStore | None = None
    names_digest: Callable[[], bytes] = bytes  # of all names in the repository
    defined: Callable[[], Mapping[str, Defined]] = dict  # by path: what the file defines

    def read(self, comments: Iterable[str], documents: Iterable[str]) -> dict[str, Document]:
        """Comments that contain a guess, and documents, parsed for `in_comment` and `in_document`.

        Parsed texts come from `memory`: the parser alone takes longer to load than all other work here.
        """
        wanted = {text: text[:_MAX_COMMENT_CHARACTERS] for text in comments}
        wanted |= {text: text[:_MAX_DOCUMENT_CHARACTERS] for text in documents}
        before: dict[bytes, Document] = {}
        if self.memory and wanted:
            before = load(self.memory, "documents", dict[bytes, Document]) or {}
        now, documents_by_text = {}, {}
        for text, cut in wanted.items():
            key = _digest(cut)
            documents_by_text[text] = now[key] = before[key] if key in before else read_document(cut)
        if self.memory and now.keys() != before.keys():
            save(self.memory, "documents", now)
        return documents_by_text

    def in_comment(self, path: str, comment: Document) -> tuple[Claim, ...]:
        """The guesses that a comment of this file admits; other claims in comments are noise."""
        return audit(
            comment, self.settings, self._around(path).verifies, STRONG_PHRASES, contradictions=False
        )

    def in_document(self, path: str, document: Document) -> tuple[Claim, ...]:
        """The guesses that a document admits, and where it contradicts itself."""
        return audit(document, self.settings, self._around(path).verifies, STRONG_PHRASES)

    def _around(self, path: str) -> Repository:
        return replace(self._repository, folder=posixpath.dirname(path), _answers={})

    @cached_property
    def _repository(self) -> Repository:
        paths = self.repo.paths | folders_of(self.repo.paths)
        return Repository(paths.__contains__, self.repo.read, Names(self.repo.paths).ending, self._has_symbol)

    def _has_symbol(self, text: str) -> bool:
        # A repository has many names, and most questions were asked by the last scan.
        return self._answers.answer(text, lambda text: self.names.has_symbol(text))

    @cached_property
    def _answers(self) -> MemoPredicate:
        return MemoPredicate(self.memory, "symbols", self.names_digest)

    @cached_property
    def names(self) -> Names:
        """All names in the repository."""
        return Names(self.repo.paths, frozenset(symbols_of(self.defined())))


def build(context: Context) -> Claims:
    """Names are collected only when a claim needs them."""
    return Claims(
        context.repo,
        context.config.claims,
        context.memory,
        lambda: context[NAMES_DIGEST],
        lambda: context[_DEFINED],
    )


CLAIMS = Analysis("claims", build)


def _file_names_digest(facts: FileFacts) -> bytes:
    """A digest of the names that a file defines."""
    return _digest(defined_in(facts))


# Separate from their digests: they are read only when one of those changed.
_DEFINED = per_file("defined", Defined, defined_in)
_FILE_NAMES_DIGEST = per_file("named", bytes, _file_names_digest)


def _names_digest(context: Context) -> bytes:
    """A digest of all names in the repository."""
    return _digest((sorted(context.repo.paths), sorted(context[_FILE_NAMES_DIGEST].items())))


NAMES_DIGEST = Analysis("all named", _names_digest)


def _digest(value: object) -> bytes:
    try:
        encoded = msgspec.msgpack.encode(value)
    except UnicodeEncodeError:  # a file name that is not UTF-8
        encoded = repr(value).encode("ascii", "backslashreplace")
    return digest_of(encoded)
