"""Text that tries to act on a terminal, a log or a page, and findings full of it."""

from __future__ import annotations

import unicodedata

from crimes.model.report import Crime, Lines, MeasureOut, RelatedOut, SignalOut
from crimes.model.severity import Severity
from tests.kit.reports import crime

HOSTILE = (
    "a\nsrc/fake.py:1: high god_function 0.99 [0000000] all is well",
    "a\r\x1b[2K clean",
    "\x1b]0;new title\x07",
    "\x1b]8;;http://example.org\x1b\\link",
    "\x9b31mred",
    "[red]markup[/red]",
    "[/]",
    "[link=file:///etc]x[/link]",
    "\u202egnp.exe",
    "\u2066\u2069\u200b\u200d\ufeff\u00ad",
    "caf\udce9.py",
    "\U000e0041\U000e0042",
    "tab\there",
    "\x00",
    ":smile:",
    "`code` ``` <!-- comment --> <script>alert(1)</script>",
    "![i](http://e.org/i.png) [l](http://e.org) <http://e.org> @team\n# h\n---\n> q",
)

# File names that a repository can have.
HOSTILE_NAMES = (
    "new\nline.py",
    "\x1b]0;title\x07.py",
    "[red]x[/].py",
    "\u202egnp.py",
    "caf\udce9.py",
    "`tick`.py",
    "-rf.py",
    "<!--x-->.py",
)


def is_clean(text: str) -> bool:
    """Whether no control, format, surrogate or separator character is left."""
    return all(
        char == "\n" or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in text
    )


def tainted_finding(text: str) -> Crime:
    """A finding with the text wherever a repository can put it."""
    return crime(
        file=f"src/{text}.py",
        symbol=text,
        message=text,
        severity=Severity.HIGH,
        title=text,
        evidence={text: MeasureOut(text), "names": MeasureOut((text,))},
        related=(RelatedOut(text, Lines(1, 1), text, text),),
        notes=(text,),
        confidence_signals=(SignalOut(text, "syntax", text, 0.8, text),),
        confidence_caps=(text,),
        confidence_trace=text,
    )
