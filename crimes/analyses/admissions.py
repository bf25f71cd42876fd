"""What a comment admits about the code it stands in: evidence for a finding in doubt, given by whoever wrote the code."""

from __future__ import annotations

import re
from collections.abc import Iterable

from crimes.detection.context import Pass
from crimes.detection.detector import Provider
from crimes.model.finding import Category, Finding, Signal
from crimes.model.lazy_regex import regex
from crimes.model.wording import cut_at_word

ADMITTED_VALUE = 70
_MAX_QUOTED_CHARS = 60
_MARKS = regex(r"^[\s#/*!-]+|[\s*/]+$")


def admitted_in_a_comment(words: str) -> Provider:
    """A provider of evidence: a comment inside the finding's lines, or right above them, matches these words."""
    pattern = regex(words, re.IGNORECASE)

    def admitted(scan: Pass, finding: Finding) -> Iterable[Signal]:
        place = finding.place
        file = scan.repo.files.get(place.path)
        for comment in file.facts.comments if file else ():
            inside = not place.symbol or place.start - 1 <= comment.line <= place.end
            if inside and (match := pattern.search(comment.text)):
                start = comment.text.rfind("\n", 0, match.start()) + 1
                row = _MARKS.sub("", comment.text[start:].partition("\n")[0])
                line = comment.line + comment.text.count("\n", 0, match.start())
                quoted = cut_at_word(row, _MAX_QUOTED_CHARS)
                yield Signal(
                    "comment",
                    Category.DOCS,
                    ADMITTED_VALUE,
                    f'a comment at line {line} admits it: "{quoted}"',
                )
                return

    return admitted
