"""All names of a repository, for the checks of `crimes claims`."""

from __future__ import annotations

import msgspec

from crimes.analyses.claims.lookup import Defined, DefinedNames, defined_in
from crimes.detection.context import Analysis, Context
from crimes.detection.per_file import per_file
from crimes.model.digests import digest_of
from crimes.model.facts import FileFacts


def _file_names_digest(facts: FileFacts) -> bytes:
    """A digest of the names that a file defines."""
    return _digest(defined_in(facts))


# Separate from their digests: they are read only when one of those changed.
_DEFINED = per_file("defined", Defined, defined_in)
_FILE_NAMES_DIGEST = per_file("named", bytes, _file_names_digest)


def _names(context: Context) -> DefinedNames:
    """Every path of the repository, and what each file defines."""
    return DefinedNames(context.repo.paths, context[_DEFINED])


def _names_digest(context: Context) -> bytes:
    """A digest of all names in the repository."""
    return _digest((sorted(context.repo.paths), sorted(context[_FILE_NAMES_DIGEST].items())))


ALL_NAMES = Analysis("all names", _names)
NAMES_DIGEST = Analysis("all named", _names_digest)


def _digest(value: object) -> bytes:
    try:
        encoded = msgspec.msgpack.encode(value)
    except UnicodeEncodeError:  # a file name that is not UTF-8
        encoded = repr(value).encode("ascii", "backslashreplace")
    return digest_of(encoded)
