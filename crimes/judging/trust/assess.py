"""How far a scan can be trusted, as a report states it: the verdict on its counts, and what would help."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction

from crimes.detection.detector import Detector
from crimes.judging.gates import Metric, weak_for
from crimes.judging.trust.applicability import detector_fits
from crimes.judging.trust.arithmetic import (
    HALF,
    IMPORTS,
    PARSE,
    PAST,
    TESTS,
    Counts,
    TrustVerdict,
    bottlenecks,
    is_collapsed,
    level,
    second_language_weight,
    stopped_verdict,
    verdict,
    withholds_actions,
)
from crimes.judging.trust.counts import ScanInputs, count_inputs, is_code
from crimes.judging.trust.explanations import composite_reasons, explain_weakness, signals_of
from crimes.languages import by_id
from crimes.model.facts import Role
from crimes.model.hundredths import half_up, share
from crimes.model.repository import File
from crimes.model.trust import (
    Bottleneck,
    DetectorFit,
    RepositoryProfile,
    Trust,
    TrustSignal,
    TrustSummary,
    Withheld,
)

_WRITTEN_HERE = frozenset(Role) - {Role.GENERATED, Role.VENDORED}


# The names these dimensions had up to schema 1.2; they are those of scores, which mean the opposite.
_OLD_NAMES = {PARSE: "parse", IMPORTS: "blast_radius", PAST: "churn", TESTS: "test_gap"}


def fits_of(
    inputs: ScanInputs, detectors: Mapping[str, Detector], turned_off: Collection[str]
) -> tuple[DetectorFit, ...]:
    """What each detector can say about a repository."""
    languages = {file.language for file in inputs.repo.files.values()}
    any_files = bool(inputs.repo.paths)
    return tuple(detector_fits(detectors, count_inputs(inputs), languages, turned_off, any_files=any_files))


def trust_in(inputs: ScanInputs, fits: tuple[DetectorFit, ...]) -> Trust:
    """The trust in a scan that came to its end, in which the detectors fit so."""
    counts = count_inputs(inputs)
    result = verdict(counts)
    weak = sorted(bottlenecks(result.weighed), key=lambda name: result.dimensions[name])
    return build_trust(
        result,
        signals=signals_of(counts, result.dimensions),
        bottlenecks=tuple(_bottleneck(name, result.dimensions[name], counts) for name in weak),
        applicability=fits,
        profile=profile_of(inputs.repo.files.values()),
    )


def no_trust(category: str) -> Trust:
    """The trust in a scan that was stopped: none. `category` is timeout, out-of-memory or crash."""
    return build_trust(
        stopped_verdict(category), signals={}, bottlenecks=(), applicability=(), profile=_profile("")
    )


def build_trust(
    result: TrustVerdict,
    signals: dict[str, tuple[TrustSignal, ...]],
    bottlenecks: tuple[Bottleneck, ...],
    applicability: tuple[DetectorFit, ...],
    profile: RepositoryProfile,
) -> Trust:
    """The verdict as a report states it, with what each gate rests on and what is withheld."""
    areas = [reason.area for reason in result.reasons]
    old = {_OLD_NAMES[name]: _share(value) for name, value in result.weighed.items()}
    return Trust(
        classification=result.class_,
        can_compare=result.can_compare,
        can_gate=result.can_gate,
        validity=result.validity,
        status=result.status,
        degraded_category=result.category or None,
        composite=_share(result.composite),
        dimensions={**{name: _share(value) for name, value in result.dimensions.items()}, **old},
        summary=_summary(result),
        reasons=tuple(f"{reason.area}: {reason.text}" for reason in result.reasons),
        gates={str(metric): tuple(dict.fromkeys(weak_for(metric, areas))) for metric in Metric},
        withheld={str(what): reason for what, reason in _withheld(result)},
        bottlenecks=bottlenecks,
        applicability=applicability,
        profile=profile,
        mean=_share(result.mean),
        level=level(result.composite),
        composite_reasons=tuple(composite_reasons(result)),
        signals=signals,
        undersampling=result.undersampling,
    )


def _summary(result: TrustVerdict) -> TrustSummary | None:
    if result.mean is None:
        return None
    return TrustSummary(*(_rounded(value) for value in (*result.dimensions.values(), result.mean)))


def _withheld(result: TrustVerdict) -> Iterator[tuple[str, str]]:
    """What is not given because too little was seen."""
    if result.mean is None:
        return
    seen = f"too little was seen: the mean of the dimensions is {_rounded(result.mean):.2f}"
    if is_collapsed(result.mean):
        for what in (Withheld.FINDINGS, Withheld.SCORES):
            yield what, f"{seen}, at least 0.20 needed"
    if withholds_actions(result.mean):
        yield Withheld.ACTIONS, f"{seen}, at least 0.40 needed"
    if result.composite is not None and result.composite < HALF:
        for what in (Withheld.EDIT_RISK, Withheld.VERDICT, Withheld.SUGGESTIONS):
            yield what, f"trust is too low: {_rounded(result.composite):.2f}, at least 0.50 needed"


def _bottleneck(name: str, value: Fraction, counts: Counts) -> Bottleneck:
    explanation, fix = explain_weakness(name, counts)
    return Bottleneck(name, _rounded(value), explanation, fix)


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
