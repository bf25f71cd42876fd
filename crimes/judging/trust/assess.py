"""How far a scan can be trusted, as a report states it: the verdict on its counts, and what would help."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction

from crimes.detection.detector import Detector
from crimes.judging.gates import Metric, weak_for
from crimes.judging.trust.applicability import detector_fits
from crimes.judging.trust.arithmetic import (
    BLAST_RADIUS,
    CHURN,
    PARSE,
    TEST_GAP,
    Counts,
    TrustVerdict,
    bottlenecks,
    is_collapsed,
    second_language_weight,
    stopped_verdict,
    verdict,
    withholds_actions,
)
from crimes.judging.trust.counts import ScanInputs, count_inputs, is_code
from crimes.languages import by_id
from crimes.model.facts import Role
from crimes.model.hundredths import half_up, share
from crimes.model.repository import File
from crimes.model.trust import Bottleneck, DetectorFit, RepositoryProfile, Trust, TrustSummary
from crimes.model.wording import count

_WRITTEN_HERE = frozenset(Role) - {Role.GENERATED, Role.VENDORED}


def trust_in(
    inputs: ScanInputs,
    detectors: Mapping[str, Detector],
    turned_off: Collection[str] = (),
    skipped: Mapping[str, str] | None = None,
) -> Trust:
    """The trust in a scan that came to its end."""
    counts = count_inputs(inputs)
    languages = {file.language for file in inputs.repo.files.values()}
    result = verdict(counts)
    values = result.dimensions
    return _build_trust(
        result,
        bottlenecks=tuple(_bottleneck(name, values[name], counts) for name in bottlenecks(values)),
        applicability=tuple(detector_fits(detectors, counts, languages, turned_off, skipped or {})),
        profile=profile_of(inputs.repo.files.values()),
    )


def no_trust(category: str) -> Trust:
    """The trust in a scan that was stopped: none. `category` is timeout, out-of-memory or crash."""
    return _build_trust(stopped_verdict(category), bottlenecks=(), applicability=(), profile=_profile(""))


def _build_trust(
    result: TrustVerdict,
    bottlenecks: tuple[Bottleneck, ...],
    applicability: tuple[DetectorFit, ...],
    profile: RepositoryProfile,
) -> Trust:
    areas = [reason.area for reason in result.reasons]
    return Trust(
        classification=result.class_,
        can_compare=result.can_compare,
        can_gate=result.can_gate,
        validity=result.validity,
        status=result.status,
        degraded_category=result.category or None,
        composite=_share(result.composite),
        dimensions={name: _share(value) for name, value in result.dimensions.items()},
        summary=_summary(result),
        reasons=tuple(f"{reason.area}: {reason.text}" for reason in result.reasons),
        gates={str(metric): weak_for(metric, areas) for metric in Metric},
        withheld=dict(_withheld(result.mean)),
        bottlenecks=bottlenecks,
        applicability=applicability,
        profile=profile,
    )


def _summary(result: TrustVerdict) -> TrustSummary | None:
    if result.mean is None:
        return None
    return TrustSummary(*(_rounded(value) for value in (*result.summary.values(), result.mean)))


def _withheld(mean: Fraction | None) -> Iterator[tuple[str, str]]:
    """What is not given because too little was seen."""
    if mean is None:
        return
    seen = f"too little was seen (mean {_rounded(mean):.2f}"
    if is_collapsed(mean):
        yield "scores", f"{seen}, at least 0.20 needed) for scores to mean anything"
    if withholds_actions(mean):
        yield "actions", f"{seen}, at least 0.40 needed) to say what to do"


def _bottleneck(name: str, value: Fraction | None, counts: Counts) -> Bottleneck:
    explanation, fix = _EXPLANATIONS[name](counts)
    return Bottleneck(name, _rounded(value or Fraction()), explanation, fix)


def _parse(counts: Counts) -> tuple[str, str]:
    missing = counts.claimed - counts.ok - counts.partial
    return (
        f"{missing:,} of {count(counts.claimed, 'source file')} could not be parsed, {counts.partial:,} only in part",
        "run `crimes scan --verbose` to list them, then fix them, exclude them or raise max_file_bytes",
    )


def _blast_radius(counts: Counts) -> tuple[str, str]:
    if not counts.graph:
        return "imports in these languages are not followed, so dependents are unknown", "not possible yet"
    total = counts.resolved + counts.unresolved
    return (
        f"{counts.unresolved:,} of {total:,} imports inside the repository are unresolved, so dependents are missing",
        "list the folders that imports start from as `roots` in crimes.toml",
    )


def _churn(counts: Counts) -> tuple[str, str]:
    if not counts.git:
        return "no git history, so churn and co-change are unknown", "scan a git checkout"
    seen = f"{counts.cut} with {count(counts.days, 'day')} of history, so churn and co-change are unknown"
    return seen, "run `git fetch --unshallow`, or set fetch-depth: 0 in CI"


def _test_gap(counts: Counts) -> tuple[str, str]:
    return (
        "no test files found, so untested files cannot be told from files whose tests were missed",
        "if there are tests, list them as `tests` in crimes.toml",
    )


_EXPLANATIONS: Mapping[str, Callable[[Counts], tuple[str, str]]] = {
    PARSE: _parse,
    BLAST_RADIUS: _blast_radius,
    CHURN: _churn,
    TEST_GAP: _test_gap,
}


def profile_of(files: Iterable[File]) -> RepositoryProfile:
    """The language most of the code is in, and a second one that is too large to be left out."""
    lines: Counter[str] = Counter()
    for file in files:
        if is_code(file.language) and file.role in _WRITTEN_HERE:
            lines[by_id[file.language].name] += file.facts.logic_lines
    total = lines.total()
    ranked = sorted(lines.items(), key=lambda item: (-item[1], item[0]))
    if not total:
        return _profile(ranked[0][0] if ranked else "")
    (first, most), *others = ranked
    for second, number in others[:1]:
        ratio = second_language_weight(Fraction(most, total), Fraction(number, total))
        if ratio is not None:
            return RepositoryProfile(first, second, _rounded(ratio))
    return _profile(first)


def _profile(language: str) -> RepositoryProfile:
    return RepositoryProfile(primary_language=language, second_language="", ratio=None)


def _rounded(value: Fraction) -> float:
    return share(half_up(100 * value.numerator, value.denominator))


def _share(value: Fraction | None) -> float | None:
    return None if value is None else _rounded(value)
