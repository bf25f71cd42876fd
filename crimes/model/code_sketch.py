"""Sketches of code: equal for the same words, similar where most lines are the same.

A sketch is a digest of all words; after a dot may follow the smallest digests of its lines. The smallest members of two
large sets show how much they share, so a hundred characters do for code of any length.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence

_MIN_WORDS = _MIN_LINES = 8  # shorter code is the same in too many places
_MAX_SKETCH_LINES = 16
_MIN_PIECE_LINES = 4  # lines of a piece that a sketch has to show
_MIN_PIECE_SHARE = 0.8  # of a piece, that the whole has
_MIN_LEFT_SHARE = 0.5  # of a piece, that what remains of the whole no longer has


def sketch_of(rows: Sequence[Sequence[str]], *, with_lines: bool) -> str:
    """The sketch of code given as the words of its lines; empty when it is too short to tell from other code."""
    words = [word for row in rows for word in row]
    if len(words) < _MIN_WORDS:
        return ""
    digest = hashlib.sha256(" ".join(words).encode("utf-8", "replace")).hexdigest()[:16]
    lines = {" ".join(row) for row in rows if len(row) > 1} if with_lines else ()
    if len(lines) < _MIN_LINES:
        return digest
    digests = {f"{zlib.crc32(line.encode('utf-8', 'replace')) & 0xFFFFFF:06x}" for line in lines}
    return f"{digest}.{''.join(sorted(digests)[:_MAX_SKETCH_LINES])}"


def exact_digest(sketch: str) -> str:
    """The part that only the same words share."""
    return sketch.partition(".")[0]


def similarity(left: str, right: str) -> float:
    """The share of lines that two sketches have in common, from 0 to 1; 0 when one has no lines."""
    first, second = line_digests(left), line_digests(right)
    if not first or not second:
        return 0.0
    smallest = sorted(first | second)[:_MAX_SKETCH_LINES]
    return len(first.intersection(second, smallest)) / len(smallest)


def is_piece(piece: str, whole: str, rests: Sequence[str]) -> bool:
    """Whether one piece of code was taken out of another, of which `rests` are what remains: they no longer have most of it."""
    ours, theirs = line_digests(piece), line_digests(whole)
    known = {line for line in ours if line <= _last_known(theirs)}
    if len(known) < _MIN_PIECE_LINES or len(known & theirs) < _MIN_PIECE_SHARE * len(known):
        return False
    left = (line for line in known if not any(_may_have(line_digests(rest), line) for rest in rests))
    return sum(1 for _ in left) >= _MIN_LEFT_SHARE * len(known)


def _may_have(lines: frozenset[str], line: str) -> bool:
    return line in lines or line > _last_known(lines)


def _last_known(lines: frozenset[str]) -> str:
    """The last digest up to which a sketch has every line."""
    return max(lines) if len(lines) >= _MAX_SKETCH_LINES else "g" if lines else ""


def line_digests(sketch: str) -> frozenset[str]:
    """The digests of the lines of a sketch."""
    digests = sketch.partition(".")[2]
    return frozenset(digests[at : at + 6] for at in range(0, len(digests), 6))
