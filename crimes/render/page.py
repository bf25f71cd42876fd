"""A report as rows of markdown, shared by the page and the job summary. No text of a repository is put in a table."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.report import Crime, Report
from crimes.model.wording import count
from crimes.render.escape import code, escaped, named
from crimes.render.summary import lines_run, looked_at, not_looked_at, not_shown, totals
from crimes.render.text import risk
from crimes.render.trust_text import trust_lines

_LONGEST = 2_000  # characters of one message
_LONGEST_NAME = 500
_MOST_GAPS = 30


def rows(report: Report, most: int | None = None) -> Iterator[str]:
    """The whole page; `most` limits the findings listed, never those counted."""
    shown = report.findings[:most]
    yield from ("# crimes", "", escaped(totals(report), _LONGEST), "")
    yield from (f"- {named(sentence, _LONGEST)}" for sentence in trust_lines(report))
    if shown:
        yield from ("", "## Findings", "")
        yield from map(_entry, shown)
    if len(report.findings) > len(shown):
        yield from ("", f"{count(len(report.findings) - len(shown), 'finding')} more in the whole report.")
    yield from ("", "## What was looked at", "")
    told = [looked_at(report), *lines_run(report), *not_shown(report, verbose=True)]
    gaps = [f"Not covered: {gap}" for gap in not_looked_at(report, verbose=False)]
    yield from (f"- {escaped(sentence, _LONGEST)}" for sentence in told + gaps[:_MOST_GAPS])
    if len(gaps) > _MOST_GAPS:
        yield f"- {len(gaps) - _MOST_GAPS:,} more gaps in the whole report."


def _entry(crime: Crime) -> str:
    place = f"{crime.file}:{crime.lines.start}"
    cut = place if len(place) <= _LONGEST_NAME else f"...{place[-_LONGEST_NAME:]}"
    return (
        f"- **{crime.severity}** {risk(crime).strip()} {code(cut)} {escaped(crime.type, _LONGEST_NAME)} ({code(crime.id)}): "
        f"{named(crime.message, _LONGEST)}"
    )
