"""Rows of a briefing on what to run after the edit, and on what the project asks to be read before it.

Standard library only, like `brief`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crimes.render.fitting import File, Name, Row, Sentence, command_row

if TYPE_CHECKING:
    from crimes.workflows.briefing.record import Briefing

RULES = "House rules"
_KINDS = {"lint": "lint with ", "types": "check types with "}


def test_command_rows(briefing: Briefing) -> Iterator[Row]:
    """The command that runs the tests; where none is known, why."""
    tests = briefing.tests
    if tests.command:
        known = {
            *tests.importing,
            *tests.by_name,
            *(companion.file for companion in briefing.companions),
        }
        yield command_row("Tests", tests.command, known, needed=True)
    elif tests.command_note:
        text = Sentence(f"not sure which tests to run: {tests.command_note}")
        yield Row("Tests", "notes", "", (text,))


def rule_rows(briefing: Briefing) -> Iterator[Row]:
    """Commands that lint the file and check its types, and the instruction files that apply to it, the nearest first."""
    for check in briefing.checks:
        yield Row(RULES, "checks", "", (_KINDS.get(check.kind, "run "), Name(check.command)))
    for file in briefing.instructions:
        yield Row(RULES, "instructions", "read first", (File(file),))
