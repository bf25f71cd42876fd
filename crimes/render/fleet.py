"""A fleet for people: a run that ended, the report on a run, and two runs compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from crimes.model.wording import count, cut_at_word
from crimes.render.lines import Line, Span, bullet, heading, line, table
from crimes.render.risk_text import YEAR_OF_EACH

if TYPE_CHECKING:
    from crimes.workflows.fleet.diff import ChangedFinding, FleetDiff, RepositoryChange
    from crimes.workflows.fleet.report import FailedRepository, FleetReport, RankedRepository
    from crimes.workflows.fleet.run import FleetRun

_MAX_FAILED = 10  # at the end of a run
_MAX_FINDINGS = 3  # of a repository, in a comparison
_MAX_TEAMS = 4  # beside a type of finding
_MAX_REASON_CHARS = 100


def run_lines(run: FleetRun) -> Iterator[Line]:
    """What became of a run, and what to do next."""
    info = run.info
    scanned = f"{info.scanned:,} scanned, {info.known:,} unchanged since their last scan"
    failed = f", {info.failed:,} not scanned" if info.failed else ""
    took = f"in {info.seconds:,.0f} s with {count(info.workers, 'worker')}"
    yield line(f"Run {info.id}: {_repositories(info.repositories)} {took}: {scanned}{failed}.")
    not_scanned = [result for result in run.results if not result.is_scanned]
    for result in not_scanned[:_MAX_FAILED]:
        yield bullet(f"{result.member.name}: {result.status}: {result.reason}")
    if len(not_scanned) > _MAX_FAILED:
        yield bullet(f"{len(not_scanned) - _MAX_FAILED:,} more: see them with `crimes fleet report`")
    yield line("Run `crimes fleet report` to see where the risk is.")


def report_lines(report: FleetReport, *, top: int) -> Iterator[Line]:
    """The report on a run: repositories, what changed, files, types and teams, and what is not ranked."""
    info = report.run
    yield line(
        f"Run {info.id}: {_repositories(info.repositories)}, {len(report.repositories):,} ranked, "
        f"{len(report.unranked):,} not trusted, {len(report.failed):,} not scanned."
    )
    yield line(
        f"{count(report.findings, 'finding')} in {count(report.lines, 'line')} of code of the trusted repositories."
    )
    yield from (line(note) for note in report.notes)
    if report.repositories:
        yield from heading("Riskiest repositories (sum of agent_risk per 1,000 lines)")
        yield from table(
            ("", "repository", report.by, "risk", "findings", "per 1,000", "lines", "since the run before"),
            [_ranked_row(report, row) for row in report.repositories[:top]],
        )
        yield from _more(len(report.repositories), top)
    yield from _changes(report, top)
    if report.files:
        yield from heading(f"Files most likely to need a fix, of all ({YEAR_OF_EACH})")
        for file in report.files[:top]:
            band = f" {file.band};" if file.band else ""
            yield line(
                Span(f"{file.repository} {file.file}", "path"),
                f" {file.edit_risk:.1f}:{band} {count(file.lines, 'line')}, complexity {file.complexity:,}, "
                f"{count(file.commits_365d, 'commit')} and {count(file.fixes_365d, 'fix', 'fixes')}",
                indent=2,
                hang=2,
            )
    yield from _types_and_teams(report, top)
    yield from _not_ranked(report, top)


def _ranked_row(report: FleetReport, row: RankedRepository) -> tuple[str, ...]:
    change = ""
    if row.change:
        change = f"{row.change.findings:+,} findings, {row.change.risk_per_kloc:+.2f} risk"
    elif row.repository in report.added:
        change = "new in the fleet"
    team = row.group if report.by == "group" else row.tags.get(report.by, "")
    return (
        f"{row.rank}.",
        row.repository,
        team or "-",
        f"{row.risk_per_kloc:.2f}",
        f"{row.findings:,}",
        f"{row.findings_per_kloc:.2f}",
        f"{row.lines:,}",
        change,
    )


def _changes(report: FleetReport, top: int) -> Iterator[Line]:
    changed = [row for row in report.repositories if row.change]
    if report.previous:
        yield from heading(f"Changed since {report.previous}")
        order = sorted(changed, key=lambda row: (-_risk_change(row), row.repository))
        worse = [row for row in order if _risk_change(row) > 0]
        better = [row for row in reversed(order) if _risk_change(row) < 0]
        for title, rows in (("more risk", worse), ("less risk", better)):
            for row in rows[:top]:
                assert row.change
                yield bullet(
                    f"{row.repository}: {title}, {row.change.risk_per_kloc:+.2f} per 1,000 lines, {row.change.findings:+,} findings"
                )
        same = len(changed) - len(worse) - len(better)
        if same:
            yield bullet(f"{_repositories(same)} with new commits and the same risk")
        if not changed:
            yield bullet("no trusted repository has new commits")
        for title, names in (("new in the fleet", report.added), ("no longer in the fleet", report.removed)):
            if names:
                yield bullet(f"{title}: {_listed(names, top)}")


def _risk_change(row: RankedRepository) -> float:
    return row.change.risk_per_kloc if row.change else 0.0


def _types_and_teams(report: FleetReport, top: int) -> Iterator[Line]:
    if report.types:
        yield from heading(f"Findings by type and {report.by}")
        rows = []
        for row in report.types[:top]:
            teams = [f"{team or 'none'} {number:,}" for team, number in row.by_team.items()]
            rows.append(
                (
                    row.type,
                    f"{row.findings:,}",
                    f"{row.per_kloc:.2f}",
                    f"{row.repositories:,}",
                    _listed(teams, _MAX_TEAMS),
                )
            )
        yield from table(("type", "findings", "per 1,000", "repositories", report.by), rows)
        yield from _more(len(report.types), top)
    if any(team.team for team in report.teams):
        yield from heading(f"By {report.by}")
        yield from table(
            (report.by, "risk", "findings", "per 1,000", "lines", "repositories", "not ranked"),
            [
                (
                    team.team or "none",
                    f"{team.risk_per_kloc:.2f}",
                    f"{team.findings:,}",
                    f"{team.findings_per_kloc:.2f}",
                    f"{team.lines:,}",
                    f"{team.repositories:,}",
                    f"{team.not_ranked:,}",
                )
                for team in report.teams[:top]
            ],
        )
        yield from _more(len(report.teams), top)


def _not_ranked(report: FleetReport, top: int) -> Iterator[Line]:
    if report.unranked:
        yield from heading("Not ranked: too little was seen to compare them")
        for row in report.unranked[:top]:
            reason = cut_at_word(row.reasons[0], _MAX_REASON_CHARS) if row.reasons else "no reason given"
            yield bullet(
                f"{row.repository}: {row.trust}; {reason}; {count(row.findings, 'finding')} in {count(row.lines, 'line')}"
            )
        yield from _more(len(report.unranked), top)
    if report.failed:
        yield from heading("Not scanned")
        yield from (bullet(_failed_text(row)) for row in report.failed[:top])
        yield from _more(len(report.failed), top)


def _failed_text(row: FailedRepository) -> str:
    return f"{row.repository}: {row.status}: {row.reason}"


def diff_lines(diff: FleetDiff, *, top: int) -> Iterator[Line]:
    """Two runs compared: sums over trusted repositories, then each repository that changed."""
    yield line(
        f"{diff.before.id} to {diff.after.id}: {count(diff.new, 'new finding')}, {diff.fixed:,} fixed, in repositories trusted "
        f"in both runs; {_repositories(diff.unchanged)} unchanged."
    )
    trusted = [change for change in diff.changed if change.trusted]
    for change in trusted[:top]:
        yield from _change_lines(change)
    yield from _more(len(trusted), top)
    others = [change for change in diff.changed if not change.trusted]
    if others:
        yield from heading("Not counted")
        for change in others[:top]:
            yield bullet(
                f"{change.repository}: {change.why}; {len(change.new):,} new, {len(change.fixed):,} fixed"
            )
        yield from _more(len(others), top)
    if diff.statuses:
        yield from heading("Scanned in one run only")
        for status in diff.statuses[:top]:
            reason = f": {status.reason}" if status.reason else ""
            yield bullet(
                f"{status.repository}: {status.before or 'not there'} before, {status.after or 'not there'} now{reason}"
            )
        yield from _more(len(diff.statuses), top)


def _change_lines(change: RepositoryChange) -> Iterator[Line]:
    yield line()
    yield line(
        Span(change.repository, "path"),
        f" {change.before[:10]}..{change.after[:10]}: {len(change.new):,} new, {len(change.fixed):,} fixed, risk "
        f"{change.risk_before:.2f} to {change.risk_after:.2f} per 1,000 lines",
    )
    yield from _finding_lines("new", change.new)
    yield from _finding_lines("fixed", change.fixed)


def _finding_lines(title: str, findings: Sequence[ChangedFinding]) -> Iterator[Line]:
    for finding in findings[:_MAX_FINDINGS]:
        yield bullet(f"{title}: {finding.file}:{finding.line}: {finding.type}: {finding.fact}")
    if len(findings) > _MAX_FINDINGS:
        yield bullet(f"{title}: {len(findings) - _MAX_FINDINGS:,} more")


def _repositories(number: int) -> str:
    return count(number, "repository", "repositories")


def _more(number: int, shown: int) -> Iterator[Line]:
    if number > shown:
        yield line(f"{number - shown:,} more: show them with --top {number}", indent=2)


def _listed(names: Iterable[str], shown: int) -> str:
    names = list(names)
    more = f" and {len(names) - shown:,} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
