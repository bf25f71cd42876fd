"""The report inside a GitHub job: annotations on stdout, and a page for the job summary. Neither needs a token.

Only a change is annotated: new findings, on lines that the change touched. A plain scan knows no change, so it prints how it
ended, and the page lists the worst findings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from crimes.model.change import ChangeItem, Spot
from crimes.model.report import Crime, HistoryCoverage, Report
from crimes.model.sanitize import safe
from crimes.model.severity import Severity
from crimes.model.wording import capitalized, count
from crimes.render.checkout import NOWHERE, Checkout
from crimes.render.escape import safe_address
from crimes.render.job_summary import rows
from crimes.render.summary import totals
from crimes.render.text import risk_profile, short_ids
from crimes.render.trust_text import endings, trust_advice

if TYPE_CHECKING:
    from crimes.workflows.change_summary import ChangeSummary

MAX_ANNOTATIONS_PER_LEVEL = 10  # GitHub takes so many from one step and silently drops the rest
_MAX_TITLE_CHARS = 255
_MAX_LINE_CHARS = 1_000
_LEVEL = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "notice"}


def render(report: Report, checkout: Checkout = NOWHERE, change: ChangeSummary | None = None) -> bytes:
    """A line for the log, then workflow commands: what went wrong, and the worst findings, as many as GitHub takes."""
    label, outcome = report.trust.label, change.verdict if change else totals(report)
    lines = [f"crimes: {safe(f'{capitalized(label)}. {capitalized(outcome)}')}"]
    if report.trust.is_collapsed:
        lines.append(f"crimes: {safe(trust_advice(report.trust))}")
    left = dict.fromkeys(_LEVEL.values(), MAX_ANNOTATIONS_PER_LEVEL)
    left["notice"] -= 1  # for the number of those left out
    for level, text in _faults(report, only_new=change is not None):
        left[level] -= 1
        lines.append(_command(level, text, title="crimes"))
    dropped = 0
    for item, place in _broken_places(change):
        if left["error"] > 0:
            left["error"] -= 1
            lines.append(_broken(item, checkout.path(place.file), place))
        else:
            dropped += 1
    places = [(crime, change.line_of(crime)) for crime in report.code_findings] if change else []
    ids = short_ids(report.code_findings)
    for crime, line in places:
        if line is None:
            continue
        level = _LEVEL[crime.severity]
        if left[level] > 0:
            left[level] -= 1
            lines.append(
                _annotation(
                    level, crime, report.history, ids[crime.id], checkout.path(crime.file), max(line, 1)
                )
            )
        else:
            dropped += 1
    if dropped:
        limit = f"GitHub shows at most {MAX_ANNOTATIONS_PER_LEVEL} annotations of a level per step"
        more = (
            f"{count(dropped, 'place is', 'places are')} not annotated: {limit}. The job summary says more."
        )
        lines.append(_command("notice", more, title="crimes"))
    return "".join(f"{line}\n" for line in lines).encode()


def summary(report: Report, checkout: Checkout = NOWHERE, change: ChangeSummary | None = None) -> bytes:
    """The page for the job summary, which is appended to what other commands of the step wrote there."""
    return "".join(f"{row}\n" for row in (*rows(report, checkout, change), "")).encode()


def _faults(report: Report, *, only_new: bool) -> Iterator[tuple[str, str]]:
    """Level and text of what went wrong; a gate that passed is no news."""
    failed = report.gate is not None and report.gate.exit != 0
    text = "; ".join(endings(report, quiet=True, only_new=only_new))
    if text:
        yield "error" if failed or not report.trust.finished else "notice", text


def _annotation(
    level: str, crime: Crime, history: HistoryCoverage, short_id: str, path: str, line: int
) -> str:
    """The fact, then after an empty line why it matters, what to do, its risk profile, and the page that says more."""
    profile = risk_profile(crime, history)
    reasons = [text for text in (crime.why, crime.fix, profile, safe_address(crime.docs)) if text]
    return _command(
        level,
        crime.fact or crime.message or crime.type,
        "",
        *reasons,
        title=f"{crime.type}: {crime.title} ({short_id})",
        file=path,
        line=str(line),
        endLine=str(line),
    )


def _broken_places(change: ChangeSummary | None) -> Iterator[tuple[ChangeItem, Spot]]:
    """Every place that a broken reference stands at, whether the change touched its line or not."""
    for item in change.broken if change else ():
        yield from ((item, place) for place in item.places)


def _broken(item: ChangeItem, path: str, place: Spot) -> str:
    line = str(max(place.line, 1))
    advice = ("", item.fix) if item.fix else ()
    return _command("error", item.fact, *advice, title=item.kind, file=path, line=line, endLine=line)


def _command(level: str, *message: str, **properties: str) -> str:
    properties["title"] = properties["title"][:_MAX_TITLE_CHARS]
    fields = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{level} {fields}::{'%0A'.join(_data(line[:_MAX_LINE_CHARS]) for line in message)}"


def _data(text: str) -> str:
    """One line of text, without escapes that the runner would decode."""
    return safe(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
