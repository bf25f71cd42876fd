"""The report for a person at a terminal: trust, the findings, why they matter and what to do, totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from crimes.model.report import Crime, Report, code_only
from crimes.model.trust import TRUSTED
from crimes.model.wording import capitalized
from crimes.render.code_frame import frame
from crimes.render.finding_lines import Layout
from crimes.render.glyphs import bar
from crimes.render.lines import Line, Link, Span, bullet, heading, line, no_link, without_double_blanks
from crimes.render.summary import (
    amount_read,
    coverage_data,
    gaps_in_short,
    low_confidence,
    more_findings,
    nothing_to_read,
    omitted_findings,
    riskiest_heading,
    risky_file_text,
    scan_gaps,
    scope_of,
    totals,
)
from crimes.render.text import (
    LOW_CONFIDENCE,
    brief_profile,
    by_file,
    by_type,
    risk_profile,
    short_ids,
    stands_out,
)
from crimes.render.trust_text import (
    GATE_STYLE,
    TRUST_STYLE,
    diagnostic_lines,
    gate_line,
    quiet_headline,
    trust_remarks,
)
from crimes.workflows.explanation import blamed_lines
from crimes.workflows.riskiest_files import riskiest_files

_MAX_FRAMES = 3
_FRAME_LINES = 6
_LINES_BEFORE_BLAMED = 2

# The lines of a file as they were scanned; none if they are not known.
ReadLines = Callable[[str], Sequence[str]]
Advice = Mapping[str, tuple[str, str]]  # by type: why it matters, what to do


def _no_source(path: str) -> Sequence[str]:
    return ()


def lines(
    report: Report,
    *,
    top: int | None,
    always_profile: bool,
    verbose: bool,
    quiet: bool = False,
    place: str = "",
    link: Link = no_link,
    group_by: str = "",
    columns: int = 100,
    fail_mark: str = "✗",
    source: ReadLines = _no_source,
    advice: Advice | None = None,
    until_head: bool = False,
    pictures: bool = False,
) -> Iterator[Line]:
    """The whole report. `top` limits the findings shown, never those counted; `quiet` leaves the findings, a scan of which nothing can be concluded, and a gate that did not pass.

    `place` holds the arguments that `crimes explain` needs besides an id to find this scan; `link` makes URLs of lines.
    `group_by` is "file", "type" or empty for the order of the report. `source` reads the code for frames, `advice` holds
    why and fix of detectors; a type that is missing there takes those of its first finding. `until_head` says that commits
    are counted back from the last one. `pictures` adds bars of edit risk.
    """
    failed = frozenset(report.gate.failed) if report.gate else frozenset()
    layout = Layout(short_ids((*report.findings, *report.hidden)), columns, link, failed, fail_mark)
    page = _Page(
        report, layout, group_by, always_profile, _no_source if quiet else source, advice or {}, until_head
    )
    findings = report.code_findings
    shown, hidden = findings[:top], code_only(report.hidden) if verbose else ()
    if nothing := nothing_to_read(report):
        text = (*(() if quiet else (line(nothing),)), *_endings(report, layout.short, quiet=quiet))
    elif quiet:
        headline = quiet_headline(report.trust)
        text = (
            *((line(Span(headline, "bad")),) if headline else ()),
            *page.findings(shown, hidden),
            *_endings(report, layout.short, quiet=True),
        )
    else:
        text = (
            *_beginning(report),
            line(),
            *_header(shown, layout, group_by),
            *page.findings(shown, hidden),
            *(() if group_by == "type" else page.advice_by_type((*shown, *hidden))),
            *_riskiest(report, layout, pictures=pictures),
            *_ending(report, layout.short, len(findings) - len(shown), verbose),
            *(_next_step(layout.short[shown[0].id], place) if shown else ()),
        )
    return without_double_blanks(text)


class _Page:
    """The findings of a report, and the advice on them; a file's heading has the risk profile of all findings under it."""

    def __init__(
        self,
        report: Report,
        layout: Layout,
        group_by: str,
        always_profile: bool,
        source: ReadLines,
        advice: Advice,
        until_head: bool,
    ) -> None:
        self._report, self._layout, self._group_by = report, layout, group_by
        self._always_profile, self._source, self._advice = always_profile, source, advice
        self._until_head = until_head
        self._totals = Counter(crime.type for crime in report.code_findings)
        self._has_profile = False
        self._frames_left = _MAX_FRAMES

    def findings(self, shown: Sequence[Crime], hidden: Sequence[Crime]) -> Iterator[Line]:
        """The findings, then those of low confidence."""
        yield from self._groups(shown, self._totals)
        if hidden:
            yield from heading(LOW_CONFIDENCE)
            yield from self._groups(hidden, {})

    def _groups(self, crimes: Sequence[Crime], totals: Mapping[str, int]) -> Iterator[Line]:
        """Findings, under headings if they are grouped; `totals` are those of each type, shown or not."""
        if self._group_by == "file":
            for group in by_file(crimes):
                place = Span(group[0].file, "path", self._layout.link(group[0].file, group[0].lines.start))
                yield line(place, fixed=True)
                yield from self._profile(group[0], indent=2)
                yield from (*self._rows(group), line())
        elif self._group_by == "type":
            for group in by_type(crimes):
                yield from self._advice_on(group, _shown_text(len(group), totals.get(group[0].type, 0)))
                yield from (*self._rows(group), line())
        else:
            yield from self._rows(crimes)

    def advice_by_type(self, crimes: Sequence[Crime]) -> Iterator[Line]:
        """Why each type of finding matters and what to do about it, once."""
        groups = by_type(crimes)
        if groups:
            yield from heading("Why it matters" if self._no_fixes else "Why it matters, and what to do")
        for group in groups:
            yield from self._advice_on(group, indent=2)

    def _rows(self, crimes: Iterable[Crime]) -> Iterator[Line]:
        for crime in crimes:
            yield from self._layout.rows(crime, in_file=self._group_by == "file")
            if self._group_by != "file":
                yield from self._profile(crime, indent=self._layout.fact_indent)
            yield from self._frame(crime)

    def _profile(self, crime: Crime, indent: int) -> Iterator[Line]:
        """The risk profile of a finding whose file stands out; in full once, then in fewer words."""
        if self._always_profile or stands_out(crime):
            text = risk_profile(crime, self._report.history, until_head=self._until_head)
            brief = brief_profile(crime, self._report.history) if self._has_profile else text
            self._has_profile = True
            yield self._layout.aside(text, brief, indent)

    def _frame(self, crime: Crime) -> Iterator[Line]:
        """The blamed line and its neighbours, for the first few findings that blame one: a whole file has none."""
        if not self._frames_left or (not crime.symbol and crime.lines.end <= 1):
            return
        number, source = blamed_lines(crime)[0], self._source(crime.file)
        first = max(number - _LINES_BEFORE_BLAMED, 1)
        while first < number <= len(source) and not source[first - 1].strip():
            first += 1  # a blank line says nothing
        window = first, first + _FRAME_LINES - 1
        rows = list(frame(source, number, number, window=window, indent=self._layout.fact_indent))
        if rows:
            self._frames_left -= 1
            yield from (*rows, line())

    @property
    def _no_fixes(self) -> bool:
        return "actions" in self._report.trust.withheld

    def _advice_on(self, group: Sequence[Crime], number: str = "", indent: int = 0) -> Iterator[Line]:
        first = group[0]
        why, fix = self._advice.get(first.type, (first.why, first.fix))
        texts = (why,) if self._no_fixes else (why, fix)
        yield line(
            Span(f"{first.type}{number}", "heading"),
            "".join(f"  {text}" for text in (" ".join(filter(None, texts)),) if text),
            indent=indent,
            hang=2,
        )


def _shown_text(shown: int, total: int) -> str:
    """How many findings of a type there are, and how many of them are shown if not all."""
    return f" ({shown:,} of {total:,} shown)" if total > shown else f" ({shown:,})"


def _header(shown: Sequence[Crime], layout: Layout, group_by: str) -> Iterator[Line]:
    """The names of the columns, and the order of the findings where it is that of agent_risk."""
    if not shown:
        return
    risks = [crime.scores.agent_risk or 0 for crime in shown]
    is_sorted = not group_by and len(shown) > 1 and risks == sorted(risks, reverse=True)
    note = "; riskiest first" if is_sorted else ""
    yield layout.header("line" if group_by == "file" else "file:line", note)


def _beginning(report: Report) -> Iterator[Line]:
    """The repository, how much was read, and how far to trust the scan."""
    trust = report.trust
    yield line(
        Span(report.repository, "heading"),
        f": {amount_read(report)}, ",
        Span(trust.classification, TRUST_STYLE.get(trust.classification, "bad")),
        f": {trust.main_reason}" if trust.classification != TRUSTED and trust.reasons else "",
    )
    yield from map(line, (*trust_remarks(trust), *scope_of(report)))


def _riskiest(report: Report, layout: Layout, *, pictures: bool) -> Iterator[Line]:
    """The files where the next fix is most likely, each with what that rests on and the facts about it."""
    files = riskiest_files(report)
    highest = max((risky.ranked.edit_risk for risky in files), default=0) or 1
    if files:
        yield from heading("Files most likely to need a fix")
        bars = " Bars show edit risk relative to the first file." if pictures and len(files) > 1 else ""
        yield line(Span(f"{riskiest_heading(report, files)}{bars}", "dim"), indent=2)
    for risky in files:
        picture = (Span(f"{bar(risky.ranked.edit_risk / highest)} ", "mark"),) if pictures else ()
        path = Span(risky.ranked.file, "path", layout.link(risky.ranked.file, 1))
        yield line(f"{risky.ranked.rank:>3}. ", *picture, path, fixed=True)
        ids = " ".join(layout.short[fact.id] for fact in risky.facts)
        yield line(risky_file_text(risky), Span(f"  {ids}" if ids else "", "dim"), indent=5)


def _ending(report: Report, short: Mapping[str, str], left_out: int, verbose: bool) -> Iterator[Line]:
    """Totals, what is not shown, what was not covered, and how a gate ended."""
    total = f"{totals(report)}{low_confidence(report) if verbose else ''}"
    yield from heading(capitalized(total))
    if left_out:
        yield line(more_findings(left_out))
    yield from map(line, (*omitted_findings(report, verbose), *coverage_data(report)))
    if not verbose:
        yield from (line(Span(text, "dim")) for text in gaps_in_short(report))
    elif gaps := list(scan_gaps(report, verbose)):
        yield from heading("Not analysed")
        yield from map(bullet, gaps)
    yield from _endings(report, short)


def _next_step(id_: str, place: str) -> Iterator[Line]:
    yield line()
    yield line(f"Run `crimes explain {id_}{place}` for details on the top finding.", fixed=True)


def _endings(report: Report, short: Mapping[str, str], *, quiet: bool = False) -> Iterator[Line]:
    """What went wrong during the scan, and how a gate ended, coloured; when `quiet`, only a gate that did not pass."""
    yield from map(line, diagnostic_lines(report))
    if report.gate is not None and (report.gate.exit or not quiet):
        style = GATE_STYLE.get(report.gate.outcome, "bad")
        yield line(Span(gate_line(report.gate, short, trust=report.trust), style))
