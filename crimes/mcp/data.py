"""Facts of the last scan as the data of answers, and what of them fits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from crimes.mcp import answers
from crimes.model.kind import Kind
from crimes.model.report import Crime
from crimes.model.sanitize import safe
from crimes.render.brief_rows import (
    copy_rows,
    evidence_text,
    places_by_file,
    profile_text,
    public_names,
)
from crimes.render.fitting import to_markdown
from crimes.render.impact import summary
from crimes.render.risk_text import risk_sentence
from crimes.workflows.briefing.record import Briefing
from crimes.workflows.briefing.target import symbols_asked_for
from crimes.workflows.check import Check
from crimes.workflows.hotspots import Hotspots

_LIST_LENGTHS = (200, 100, 50, 30, 20, 12, 8, 5, 3, 2, 1)  # tried until an answer fits
_MAX_COMPANIONS = 5


def to_fitting_dict(
    answer: answers.Answer, max_bytes: int, max_rows: int = _LIST_LENGTHS[0], whole: str = ""
) -> dict[str, Any]:
    """An answer as plain data of at most `max_bytes` of JSON, with its lists cut evenly to `max_rows` or as far as they must be.

    The list `whole` is cut only if nothing else helps.
    """
    data = answer.model_dump(mode="json", exclude_defaults=True)
    cut: dict[str, Any] = {}
    lengths = [length for length in _LIST_LENGTHS if length <= max_rows]
    for length, spared in ((length, spared) for spared in (whole, "") for length in lengths):
        left: dict[str, int] = {}
        cut = {**_cut(data, length, spared, left), **({"not_shown": left} if left else {})}
        if len(msgspec.json.encode(cut)) <= max_bytes:
            break
    return cut


def _cut(value: Any, length: int, spared: str, left: dict[str, int], key: str = "") -> Any:
    """The same value with shorter lists, and text that is safe to show."""
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, dict):
        return {name: _cut(item, length, spared, left, name) for name, item in value.items()}
    if isinstance(value, list):
        if len(value) > length and key != spared:
            left[key] = left.get(key, 0) + len(value) - length
            value = value[:length]
        return [_cut(item, length, spared, left, key) for item in value]
    return value


def file_data(briefing: Briefing) -> answers.FileData:
    """A briefing as data."""
    ranked = briefing.edit_risk
    called = {call.file for call in briefing.calls} | {place.file for place in briefing.references}
    return answers.FileData(
        file=briefing.file,
        part=briefing.focus,
        edit_risk=risk_sentence(ranked, briefing.ranked_files) if ranked else "",
        risk_profile=profile_text(briefing) if briefing.role else "",
        findings=[finding_data(crime) for crime in briefing.findings if crime.kind is Kind.CODE],
        facts=[
            f"{crime.short or crime.title}. {crime.fix}"
            for crime in briefing.findings
            if crime.kind is Kind.PLACE
        ],
        changes_with_it=[
            answers.Companion(file=item.file, commits_with_it=item.commits, of_its_last=item.of)
            for item in briefing.companions[:_MAX_COMPANIONS]
        ],
        called_at=places_by_file(call for call in briefing.calls if not call.test),
        named_at=places_by_file(place for place in briefing.references if not place.test),
        used_by=[
            f"{user.file} ({', '.join(user.names)})" if user.names else user.file
            for user in briefing.users
            if not user.test and user.file not in called
        ],
        copies=[to_markdown(row.parts) for row in copy_rows(briefing)],
        names=[
            answers.NameData(
                signature=symbol.signature,
                line=symbol.start,
                exported_by=symbol.exported_by,
                public_api=symbol.public_api,
                documented_in=symbol.documented_in,
            )
            for symbol in public_names(briefing)
        ],
        tests=test_data(briefing),
        checks=[check.command for check in briefing.checks],
        read_first=list(briefing.instructions),
        fixes=[f"{fix.date} {fix.sha} {fix.subject}" for fix in briefing.fixes],
        not_known=list(briefing.limits),
    )


def test_data(briefing: Briefing) -> answers.TestData:
    """What a briefing says of tests."""
    tests = briefing.tests
    return answers.TestData(
        command=tests.command,
        not_sure=tests.command_note,
        imported_by=list(tests.importing),
        called_at=places_by_file(call for call in briefing.calls if call.test),
        also=[evidence_text(item) for item in tests.evidence if item.kind != "changes_with_it"],
    )


def impact_data(briefing: Briefing) -> answers.Impact:
    """What an edit to the symbol of a briefing reaches."""
    symbol = symbols_asked_for(briefing)[0]
    return answers.Impact(
        symbol=symbol.name,
        defined_at=f"{briefing.file}:{symbol.start}",
        signature=symbol.signature,
        exported_by=symbol.exported_by,
        public_api=symbol.public_api,
        documented_in=symbol.documented_in,
        trust=briefing.trust,
        breaks=summary(briefing),
        called_at=[
            f"{call.file}:{call.line}" + (f" in {call.caller}" if call.caller else "")
            for call in briefing.calls
            if not call.test
        ],
        named_at=places_by_file(briefing.references),
        tests=test_data(briefing),
        not_known=list(briefing.limits),
    )


def finding_data(crime: Crime) -> answers.FindingData:
    """A finding in short."""
    return answers.FindingData(**_finding_fields(crime))


def _finding_fields(crime: Crime) -> dict[str, Any]:
    return {
        "id": crime.id,
        "severity": crime.severity,
        "type": crime.type,
        "at": f"{crime.file}:{crime.lines.start}",
        "message": crime.fact or crime.message,
        "symbol": crime.symbol,
    }


def explained_data(crime: Crime, *, with_advice: bool) -> answers.Explained:
    """A finding with why it is one, and what to do."""
    return answers.Explained(
        **_finding_fields(crime),
        agent_risk=crime.scores.agent_risk,
        confidence=crime.scores.confidence,
        why=crime.why,
        fix=crime.fix if with_advice else "",
        evidence=[f"{name}: {measure.value}" for name, measure in crime.evidence.items()],
        related=[f"{place.file}:{place.lines.start} {place.note}".rstrip() for place in crime.related],
    )


def hot_files(hotspots: Hotspots) -> list[answers.HotFile]:
    """Ranked files as data."""
    return [
        answers.HotFile(
            rank=spot.rank,
            file=spot.file,
            needs_a_fix=spot.band,
            commits_in_a_year=spot.commits_365d,
            fixes_in_a_year=spot.fixes_365d,
            lines=spot.lines,
            complexity=spot.complexity,
            findings=spot.findings,
            worst_finding=spot.worst_id,
            facts=list(spot.places),
        )
        for spot in hotspots.files
    ]


def check_data(check: Check) -> answers.ChangeCheck:
    """A check of the work tree as data."""
    return answers.ChangeCheck(
        verdict=check.verdict,
        why=[check.line, *check.why],
        broken=_changes(check.broken),
        look=_changes(check.look),
        new=[finding_data(crime) for crime in check.new],
        fixed=[finding_data(crime) for crime in check.fixed],
        not_edited=[
            f"{item.file} (in {item.commits} of the last {item.of} commits of {item.edited})"
            for item in check.forgotten
        ],
        run=list(check.commands),
        tests=list(check.tests_not_run),
        notes=list(check.warnings),
        trust=check.trust,
    )


def _changes(items: Iterable[Any]) -> list[answers.ChangeData]:
    return [answers.ChangeData(fact=item.fact, fix=item.fix, places=_places(item.places)) for item in items]


def _places(places: Sequence[Any]) -> list[str]:
    return [f"{place.file}:{place.line}" if place.line else place.file for place in places]
