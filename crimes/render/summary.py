"""The end of a report for people: totals, and an honest account of what was not looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from crimes.model.report import CoverageSource, Report, Selection, SkippedFile, code_only
from crimes.model.wording import count
from crimes.render.risk_text import LIMITED, counts_text, edit_risk_text
from crimes.render.trust_text import trust_advice
from crimes.workflows.riskiest_files import RiskyFile

_MAX_EXAMPLES = 3


def totals(report: Report) -> str:
    """The number of findings, by severity."""
    summary = report.summary
    if not report.trust.finished:
        return "the scan did not finish, so its findings are unknown"
    if report.trust.is_collapsed:
        counted = f"{count(summary.findings, 'finding')} in {count(summary.files_with_findings, 'file')}"
        types = f" ({_tally(summary.by_type)})" if summary.by_type else ""
        return f"{counted} counted and not listed{types}: {report.trust.withheld['findings']}"
    if not summary.findings:
        return "no findings"
    levels = [f"{getattr(summary, level):,} {level}" for level in ("high", "medium", "low")]
    shown = ", ".join(level for level in levels if not level.startswith("0 "))
    return f"{count(summary.findings, 'finding')} in {count(summary.files_with_findings, 'file')}: {shown}"


def collapse_text(report: Report) -> str:
    """What a scan that collapsed says: how many findings it counted, why it lists none, and what would help."""
    return f"{totals(report)}. {trust_advice(report.trust)}".strip()


def trust_notices(report: Report) -> list[str]:
    """How far to trust a scan, for the log beside a format that has no room for it; none for one that is trusted."""
    caveat = f"trust: {report.trust.caveat}" if report.trust.caveat else ""
    return [*filter(None, (caveat, collapse_text(report) if report.trust.is_collapsed else ""))]


def nothing_to_read(report: Report) -> str:
    """That there was no source file; empty when there was one."""
    if report.trust.degraded_category != "no-files":
        return ""
    return f"No source files found in {report.repository}."


def riskiest_heading(report: Report, files: Sequence[RiskyFile]) -> str:
    """What the list of these files is, and how to read it."""
    ranked = report.edit_risk
    whole = files[0].ranked.rank == 1 and files[-1].ranked.rank == len(files)
    total = count(ranked.ranked, "source file")
    first = "The first" if len(files) == 1 else f"The first {len(files)}"
    if ranked.ranked == 1:
        place = "The only source file"
    elif len(files) == 1 and not whole:
        place = f"Ranked by edit risk among all {total}"
    elif whole:
        place = f"{first} of {total} by edit risk"
    else:
        place = f"{first} here by edit risk, ranked among all {total}"
    if ranked.history_limited:
        return f"{place}, computed from size, complexity and visible commits ({LIMITED})."
    share = "with the share of similar files that needed a fix within six months"
    more = (
        " Run `crimes explain ID` with the id at the end of a row for details."
        if any(file.facts for file in files)
        else ""
    )
    return f"{place}, {share}. Commits and fixes are those of the year before {report.history.reference_time[:10]}.{more}"


def risky_file_text(risky: RiskyFile) -> str:
    """The edit risk of a file, what it rests on, and the facts about the file."""
    ranked = risky.ranked
    return "; ".join(filter(None, (edit_risk_text(ranked), counts_text(ranked), risky.facts_text)))


def low_confidence(report: Report) -> str:
    """How many findings of low confidence are listed besides those that the totals count."""
    number = len(code_only(report.hidden))
    return f"; also listed: {number:,} of low confidence" if number else ""


def omitted_findings(report: Report, verbose: bool, *, hints: bool = True) -> Iterator[str]:
    """How many findings are not listed, and why; `hints` says by which option they are."""
    summary = report.summary
    if summary.hidden_low_confidence and not verbose:
        number = summary.hidden_low_confidence
        shown = "it" if number == 1 else "them"
        hint = f": show {shown} with --verbose" if hints else ""
        yield f"{count(number, 'low-confidence finding')} hidden{hint}"
    if report.ignored:
        yield f"{count(len(report.ignored), 'finding')} ignored"
    if verbose and summary.discarded:
        yield f"{count(summary.discarded, 'finding')} dropped for lack of evidence"
    if verbose and summary.merged:
        yield f"{count(summary.merged, 'finding')} merged into a stronger one at the same place"


def more_findings(left_out: int) -> str:
    """How many findings were not shown, and how to see them."""
    return f"{count(left_out, 'more finding')}: show {'it' if left_out == 1 else 'them'} with --all"


def amount_read(report: Report) -> str:
    """How much was read."""
    return f"{count(report.files.read, 'file')}, {count(report.files.logic_lines, 'line')} of code"


def files_read(report: Report) -> str:
    """How much was read, by language."""
    languages = f" ({_tally(report.files.by_language)})" if report.files.by_language else ""
    return f"Read {amount_read(report)}{languages}"


def scope_of(report: Report) -> Iterator[str]:
    """Which files the findings are limited to, where they are."""
    scope = report.working_set
    if scope is not None:
        since = f" since {scope.base[:12]}" if scope.base else ""
        yield f"Only findings that concern {count(len(scope.files), 'file')} ({scope.kind}{since})"
    if report.selection is not None:
        yield _selection_text(report.selection)
        for run in report.detectors:
            if run.id in report.selection.select and run.status == "skipped":
                yield f"{run.id} did not run: {run.reason}"


def _selection_text(selection: Selection) -> str:
    """What the report was narrowed down to, and how much of it that leaves out."""
    parts = (
        ", ".join(selection.paths),
        f"only {', '.join(selection.select)}" if selection.select else "",
        f"without {', '.join(selection.ignore)}" if selection.ignore else "",
        f"{selection.severity} or worse" if selection.severity else "",
        f"except {', '.join(selection.exclude)}" if selection.exclude else "",
    )
    left_out = f" ({count(selection.left_out, 'other finding')} not shown)" if selection.left_out else ""
    return f"Selected: {'; '.join(filter(None, parts))}{left_out}"


def coverage_data(report: Report) -> Iterator[str]:
    """Which coverage data were used, and how many lines they say ran."""
    used = [f"{source.file} ({source.format})" for source in report.coverage.sources if source.matched]
    if used:
        files = report.coverage.files
        covered, total = sum(file.covered for file in files), sum(file.total for file in files)
        yield f"Coverage data of {count(len(files), 'file')}: {covered:,} of {count(total, 'line')} ran, from {', '.join(used)}"


def scan_gaps(report: Report, verbose: bool) -> Iterator[str]:
    """What was not read, not parsed, not resolved or not run, each with its reason; detectors that are off when verbose."""
    files, imports, history = report.files, report.imports, report.history
    if files.skipped:
        yield f"{count(len(files.skipped), 'file')} not read: {_reasons(files.skipped, verbose)}"
    if files.partial:
        yield f"{count(len(files.partial), 'file')} read in part: {_reasons(files.partial, verbose)}"
    if files.not_supported:
        number = sum(files.not_supported.values())
        yield f"{count(number, 'file')} that no detector reads: {_tally(files.not_supported, 3)}"
    if imports.unresolved:
        share = 100 * imports.unresolved / (imports.internal + imports.unresolved)
        examples = imports.unresolved_examples if verbose else imports.unresolved_examples[:1]
        shown = f": {', '.join(examples)}" if examples else ""
        unresolved = count(imports.unresolved, "import")
        yield f"{unresolved} unresolved, {share:.1f}% of those inside the repository{shown}"
    if history.limited:
        yield f"history limited: {history.reason}"
    skipped: dict[str, list[str]] = {}
    for run in report.detectors:
        if run.status == "skipped":
            skipped.setdefault(run.reason, []).append(run.id)
    for reason, ids in skipped.items():
        yield f"{count(len(ids), 'detector')} skipped, {reason}: {', '.join(ids)}"
    off = [run.id for run in report.detectors if run.status == "off"]
    if off and verbose:
        yield f"{count(len(off), 'detector')} off: {', '.join(off)}"
    for source in report.coverage.sources:
        yield from _unused_coverage(source)
    examples = report.coverage.unmatched_examples + report.coverage.ambiguous_examples
    if examples and verbose:
        yield f"names in coverage data that match no file: {', '.join(examples)}"
    yield from report.coverage.notices
    yield from report.warnings


def gaps_in_short(report: Report, *, hints: bool = True) -> Iterator[str]:
    """What was not read, parsed, resolved or run as numbers, in one line; warnings have a line each."""
    files = report.files
    numbers = (
        (len(files.skipped), "file", "not read"),
        (len(files.partial), "file", "read in part"),
        (sum(files.not_supported.values()), "file", "that no detector reads"),
        (report.imports.unresolved, "import", "unresolved"),
        (sum(run.status == "skipped" for run in report.detectors), "detector", "skipped"),
    )
    counted = [f"{count(number, noun)} {what}" for number, noun, what in numbers if number]
    if counted:
        yield f"Not analysed: {', '.join(counted)}{' (details with --verbose)' if hints else ''}"
    if report.history.limited:
        yield f"History is limited: {report.history.reason}"
    for source in report.coverage.sources:
        yield from _unused_coverage(source)
    yield from report.coverage.notices
    yield from report.warnings


def _unused_coverage(source: CoverageSource) -> Iterator[str]:
    """What in a coverage file could not be used or trusted."""
    if source.unmatched:
        yield f"{source.file}: {count(source.unmatched, 'name matches', 'names match')} no file in the repository"
    if source.ambiguous:
        yield f"{source.file}: {count(source.ambiguous, 'name matches', 'names match')} several files"
    if source.ignored:
        yield f"{source.file}: {count(source.ignored, 'invalid entry', 'invalid entries')}"
    if source.stale:
        yield f"{source.file} is older than {count(source.stale, 'file')} it describes, so it does not count for them"


def _tally(numbers: Mapping[str, int], limit: int = 6) -> str:
    """The largest entries, and how many kinds are left out."""
    ranked = sorted(numbers.items(), key=lambda item: (-item[1], item[0]))
    named = [f"{name or 'no extension'} {number:,}" for name, number in ranked[:limit]]
    if len(ranked) > limit:
        named.append(f"{len(ranked) - limit:,} more kinds" if len(ranked) > limit + 1 else "1 more kind")
    return ", ".join(named)


def _reasons(skipped: tuple[SkippedFile, ...], verbose: bool) -> str:
    """The reasons, commonest first, each with its first files (all of them when verbose)."""
    reasons = Counter(item.reason for item in skipped)
    texts = []
    for reason, number in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
        paths = [item.path for item in skipped if item.reason == reason]
        shown = paths if verbose else paths[:_MAX_EXAMPLES]
        more = f", and {number - len(shown):,} more" if number > len(shown) else ""
        texts.append(f"{reason} ({', '.join(shown)}{more})")
    if len(texts) > _MAX_EXAMPLES and not verbose:
        texts[_MAX_EXAMPLES:] = [f"and {count(len(texts) - _MAX_EXAMPLES, 'more reason')}"]
    return "; ".join(texts)
