"""Trust in words: what each dimension rests on, what would help a weak one, how the composite came about."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from crimes.judging.trust.arithmetic import (
    IMPORTS,
    NO_PAST,
    PARSE,
    PAST,
    TESTS,
    Counts,
    TrustVerdict,
    has_past,
)
from crimes.judging.trust.sampling import Undersampling, max_composite
from crimes.model.hundredths import half_up, two_decimals
from crimes.model.trust import TrustSignal
from crimes.model.wording import count

_NOT_MEASURED = Fraction(80, 100)  # what a dimension without a value counts as


def signals_of(counts: Counts, values: Mapping[str, Fraction]) -> dict[str, tuple[TrustSignal, ...]]:
    """By dimension: what it rests on."""
    reasons = {
        PARSE: ("parser", _parsed_text(counts)),
        IMPORTS: ("imports", _imports_text(counts)),
        PAST: ("git", _past_text(counts)),
        TESTS: ("tests", _tests_text(counts)),
    }
    return {
        name: (TrustSignal(source, _hundredths(values[name]) / 100, reason),)
        for name, (source, reason) in reasons.items()
    }


def composite_reasons(result: TrustVerdict) -> Iterator[str]:
    """How the composite came about: the weakest dimension, the mean, and what limits it."""
    if result.composite is None:
        return
    values = {name: _NOT_MEASURED if value is None else value for name, value in result.weighed.items()}
    weakest = min(values, key=lambda name: values[name])
    mean = sum(values.values(), Fraction()) / len(values)
    yield f"0.6 x {_decimals(values[weakest])}, the weakest dimension: {weakest}"
    yield f"0.4 x {_decimals(mean)}, the mean of the four"
    for name, value in values.items():
        if value != result.dimensions[name]:
            yield f"{name} {_decimals(result.dimensions[name])} counts as {_decimals(value)} here: {_LENIENCE[name]}"
    if result.undersampling is not Undersampling.NONE:
        limit = _decimals(max_composite(result.undersampling))
        yield f"at most {limit}: {result.undersampling} undersampling"


_LENIENCE = {PARSE: "there was nothing to parse", TESTS: "there may be no tests to find"}


def _parsed_text(counts: Counts) -> str:
    if not counts.claimed:
        return "no source files"
    missing = counts.claimed - counts.ok - counts.partial
    rest = f", {counts.partial:,} in part, {missing:,} not" if counts.partial or missing else ""
    return f"{counts.ok:,} of {count(counts.claimed, 'source file')} parsed{rest}"


def _imports_text(counts: Counts) -> str:
    if not counts.graph:
        return "imports in these languages are not followed"
    total = counts.resolved + counts.unresolved
    if not total:
        return "no imports inside the repository"
    verb = "leads" if counts.resolved == 1 else "lead"
    return f"{counts.resolved:,} of {count(total, 'import')} inside the repository {verb} to a file"


def _past_text(counts: Counts) -> str:
    if not counts.git:
        return "no git history"
    if counts.cut:
        return f"{counts.cut} with {count(counts.days, 'day')} of history"
    return "complete history" if has_past(counts) else f"{NO_PAST}: all commits are of one day"


def _tests_text(counts: Counts) -> str:
    if not counts.test_files:
        return "no test files found"
    verb = "imports" if counts.tests_resolving == 1 else "import"
    return (
        f"{counts.tests_resolving:,} of {count(counts.test_files, 'test file')} {verb} code of the repository"
    )


def explain_weakness(name: str, counts: Counts) -> tuple[str, str]:
    """What is missing of a weak dimension, and what would help."""
    return _WEAKNESSES[name](counts)


def _weak_parsing(counts: Counts) -> tuple[str, str]:
    missing = counts.claimed - counts.ok - counts.partial
    return (
        f"{missing:,} of {count(counts.claimed, 'source file')} could not be parsed, {counts.partial:,} only in part",
        "run `crimes scan --verbose` to list them, then fix them, exclude them or raise max_file_bytes",
    )


def _weak_imports(counts: Counts) -> tuple[str, str]:
    if not counts.graph:
        return "imports in these languages are not followed, so dependents are unknown", "not possible yet"
    total = counts.resolved + counts.unresolved
    return (
        f"{counts.unresolved:,} of {total:,} imports inside the repository are unresolved, so dependents are missing",
        "list the folders that imports start from as `roots` in crimes.toml",
    )


def _weak_past(counts: Counts) -> tuple[str, str]:
    if not counts.git:
        return "no git history, so churn and co-change are unknown", "scan a git checkout"
    if not counts.cut:
        return (
            "all commits are of one day, so churn and co-change are unknown",
            "scan again when there are more commits, or import the earlier history",
        )
    seen = f"{counts.cut} with {count(counts.days, 'day')} of history, so churn and co-change are unknown"
    return seen, "run `git fetch --unshallow`, or set fetch-depth: 0 in CI"


def _weak_tests(counts: Counts) -> tuple[str, str]:
    return (
        "no test files found, so untested files cannot be told from files whose tests were missed",
        "if there are tests, list them as `tests` in crimes.toml",
    )


_WEAKNESSES: Mapping[str, Callable[[Counts], tuple[str, str]]] = {
    PARSE: _weak_parsing,
    IMPORTS: _weak_imports,
    PAST: _weak_past,
    TESTS: _weak_tests,
}


def _hundredths(value: Fraction) -> int:
    return half_up(100 * value.numerator, value.denominator)


def _decimals(value: Fraction) -> str:
    return two_decimals(_hundredths(value))
