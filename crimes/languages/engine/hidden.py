"""Characters that a reader of the source does not see."""

from __future__ import annotations

from collections import Counter

from crimes.languages.engine.lines import Lines
from crimes.model.facts import Hidden
from crimes.model.lazy_regex import regex

# Direction controls, characters without width (a joiner between letters or signs of a script is none of them: the
# detector decides), and the tag and variation characters that can spell out a text nobody sees.
_UNSEEN = regex(
    rb"\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xa4\xa6-\xa9]|\xef\xbb\xbf|\xf3\xa0[\x80-\x87][\x80-\xbf]"
)
MAX_ENTRIES = 50


def hidden_characters(source: bytes, lines: Lines) -> tuple[Hidden, ...]:
    """Each kind of hidden character per line, with its count; only the first MAX_ENTRIES."""
    if source.isascii():
        return ()
    counts: Counter[tuple[int, int]] = Counter()
    for match in _UNSEEN.finditer(source):
        counts[lines.line(match.start()), ord(match.group().decode())] += 1
        if len(counts) >= MAX_ENTRIES:
            break
    return tuple(Hidden(line, point, count) for (line, point), count in sorted(counts.items()))
