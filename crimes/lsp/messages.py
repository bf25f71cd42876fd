"""Findings, facts and actions as messages of the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types
from pygls.workspace import PositionCodec

from crimes.lsp.service import Lens
from crimes.model.report import Crime
from crimes.model.sanitize import safe
from crimes.model.severity import Severity

EXPLAIN, BRIEFING, PLACE_CURSOR = "crimes.explain", "crimes.briefing", "crimes.placeCursor"
SOURCE = "crimes"
# Nothing here is an error of the program, and a hint would be left out of most lists.
_SEVERITIES = {
    Severity.HIGH: types.DiagnosticSeverity.Warning,
    Severity.MEDIUM: types.DiagnosticSeverity.Information,
    Severity.LOW: types.DiagnosticSeverity.Information,
}


def diagnostic(crime: Crime, root: Path, lines: Sequence[str], codec: PositionCodec) -> types.Diagnostic:
    """A finding at its first line: a whole function underlined would hide what the editor marks inside it."""
    related = [
        types.DiagnosticRelatedInformation(
            types.Location((root / other.file).as_uri(), _lines_range(other.lines.start, other.lines.end)),
            safe(other.note or other.symbol or other.file),
        )
        for other in crime.related
    ]
    return types.Diagnostic(
        range=codec.range_to_client_units(lines, first_line(crime, lines)),
        message=safe(crime.fact or crime.message),
        severity=_SEVERITIES[crime.severity],
        code=crime.type,
        code_description=types.CodeDescription(crime.docs) if crime.docs else None,
        source=SOURCE,
        related_information=related or None,
        data={"id": crime.id},
    )


def first_line(crime: Crime, lines: Sequence[str]) -> types.Range:
    """From where the finding begins to the end of that line; at the last line if the file is shorter now."""
    number = min(crime.lines.start, max(len(lines), 1)) - 1
    length = len(lines[number].rstrip("\r\n")) if lines else 0
    start = min(max(crime.columns.start - 1, 0), length)
    return types.Range(types.Position(number, start), types.Position(number, length))


def _lines_range(start: int, end: int) -> types.Range:
    return types.Range(types.Position(max(start - 1, 0), 0), types.Position(max(end, 1), 0))


def code_lens(lens: Lens, uri: str) -> types.CodeLens:
    """A line of facts; choosing it opens the explanation of the finding, or the briefing."""
    at = types.Position(max(lens.line - 1, 0), 0)
    command = (
        types.Command(safe(lens.text), EXPLAIN, arguments=[uri, lens.id])
        if lens.id
        else types.Command(safe(lens.text), BRIEFING, arguments=[uri])
    )
    return types.CodeLens(types.Range(at, at), command)


def explain_action(problem: types.Diagnostic, uri: str, id_: str) -> types.CodeAction:
    """Opens the explanation of a finding."""
    title = f"Explain this {problem.code} ({id_[:7]})"
    return types.CodeAction(
        title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[problem],
        command=types.Command(title, EXPLAIN, arguments=[uri, id_]),
    )


def ignore_action(
    problem: types.Diagnostic, uri: str, line_text: str, comment: str, *, takes_snippets: bool
) -> types.CodeAction:
    """Inserts a comment above the line and leaves the cursor where the reason goes: without one nothing is ignored.

    `comment` has `{}` in place of the reason.
    """
    line = problem.range.start.line
    indent = line_text[: len(line_text) - len(line_text.lstrip())].rstrip("\r\n")
    at = types.Range(types.Position(line, 0), types.Position(line, 0))
    before, _, after = comment.partition("{}")
    action = types.CodeAction(
        f"Ignore this {problem.code}, with a reason",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[problem],
    )
    if takes_snippets:
        text = f"{indent}{_snippet_text(before)}${{1:reason}}{_snippet_text(after)}\n"
        edit = types.SnippetTextEdit(range=at, snippet=types.StringValue(text))
        document = types.OptionalVersionedTextDocumentIdentifier(uri)
        action.edit = types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, [edit])])
        return action
    action.edit = types.WorkspaceEdit({uri: [types.TextEdit(at, f"{indent}{before}{after}\n")]})
    column = len(f"{indent}{before}")
    action.command = types.Command("Type the reason", PLACE_CURSOR, arguments=[uri, line, column])
    return action


def _snippet_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")
