"""The scores of a finding. A new one is a row of `COMPONENTS`: the report, the configuration and the arithmetic follow from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, NamedTuple

from msgspec import Meta, Struct, defstruct

from crimes.model.hundredths import half_up
from crimes.model.severity import Severity
from crimes.model.trust import Share

_SEVERITY = {Severity.HIGH: 90, Severity.MEDIUM: 70, Severity.LOW: 45}
FULL_CHURN_COMMITS = 20  # in 90 days
FULL_BLAST_IMPORTERS = 50


class RanLines(Struct, frozen=True):
    """Lines that ran under the tests, of those that could have; stale when the file changed since."""

    covered: int  # lines that ran under the tests
    total: int  # lines that could have run
    stale: bool  # whether the file changed after the data were recorded


class RiskEvidence(Struct, frozen=True):
    """The raw counts behind churn, test_gap and blast_radius, for the file of the finding."""

    commits_90d: int  # commits that touched the file in the 90 days before the reference time
    commits_365d: int  # the same in 365 days
    commits_3y: int  # the same in three years
    importers_direct: int  # files that import it
    importers_sure: int  # files that reach it over imports that certainly execute
    # files that reach it over any import, also deferred, type-only and dynamic; the score uses this one
    importers_possible: int
    tests_importing: tuple[str, ...]  # test files that import it, at most five, sorted
    tests_importing_count: int  # how many test files import it
    tests_by_name: tuple[str, ...]  # test files with the matching name
    lines_run: RanLines | None = None  # coverage of the file; null without data, and never part of test_gap
    has_own_tests: bool = False  # whether the file holds its own tests, as Rust files do


class ScoreInputs(NamedTuple):
    """What scores are computed from."""

    severity: Severity
    confidence: int  # in hundredths
    test_gap: int  # in hundredths
    evidence: RiskEvidence


class Component(NamedTuple):
    """One part of agent_risk."""

    name: str  # in JSON, and in the configuration of weights
    label: str  # in text
    weight: int  # unless the configuration says otherwise; in hundredths, and all weights sum to 100
    measure: Callable[[ScoreInputs], int]  # in hundredths; more is worse
    about: str  # what it is a share of, where `crimes explain` has no words of its own for it
    since: str = "1.0"  # the version of the report that has it first: an older one is read as if it were 0


def severity_score(severity: Severity) -> int:
    """The number a severity stands for."""
    return _SEVERITY[severity]


def churn(commits: int) -> int:
    """Commits that touched the file in 90 days, full at 20."""
    return min(half_up(100 * commits, FULL_CHURN_COMMITS), 100)


def blast_radius(importers: int) -> int:
    """Files that reach the file over imports, full at 50."""
    return min(half_up(100 * importers, FULL_BLAST_IMPORTERS), 100)


COMPONENTS = (
    Component(
        name="severity",
        label="severity",
        weight=40,
        measure=lambda inputs: severity_score(inputs.severity),
        about="how bad the finding itself is",
    ),
    Component(
        name="confidence",
        label="confidence",
        weight=20,
        measure=lambda inputs: inputs.confidence,
        about="how certain the finding is",
    ),
    Component(
        name="churn",
        label="churn",
        weight=15,
        measure=lambda inputs: churn(inputs.evidence.commits_90d),
        about="commits in 90 days; 1 at 20 commits",
    ),
    Component(
        name="test_gap",
        label="test gap",
        weight=15,
        measure=lambda inputs: inputs.test_gap,
        about="whether tests reach the file",
    ),
    Component(
        name="blast_radius",
        label="blast radius",
        weight=10,
        measure=lambda inputs: blast_radius(inputs.evidence.importers_possible),
        about="files that import it, directly or not; 1 at 50 files",
    ),
)


if TYPE_CHECKING:

    class Scores(Struct, frozen=True):
        """A number in [0, 1] for each component, and agent_risk."""

        agent_risk: float | None

        def __init__(self, *, agent_risk: float | None, **components: float) -> None: ...
        def __getattr__(self, component: str) -> float: ...

    class Weights(Struct, frozen=True):
        """A number in [0, 1] for each component."""

        def __init__(self, **components: float) -> None: ...
        def __getattr__(self, component: str) -> float: ...

    class WeightsConfig(Struct, frozen=True):
        """A number of hundredths for each component."""

        def __init__(self, *values: int, **named: int) -> None: ...
        def __getattr__(self, component: str) -> int: ...

else:

    def _described(kind: type, component: Component) -> type:
        return Annotated[kind, Meta(description=f"{component.about[:1].upper()}{component.about[1:]}.")]

    def _fields(kind: type) -> list[tuple[str, type] | tuple[str, type, float]]:
        first = COMPONENTS[0].since
        return [
            (component.name, _described(kind, component), *(() if component.since == first else (0.0,)))
            for component in COMPONENTS
        ]

    _AgentRisk = Annotated[
        Share | None,
        Meta(description="The weighted sum of the others, for ranking; null when trust withholds scores."),
    ]

    Scores = defstruct(
        "Scores",
        [*_fields(Share), ("agent_risk", _AgentRisk)],
        namespace={"__doc__": "A number in [0, 1] with two decimals for each component, and agent_risk."},
        module=__name__,
        frozen=True,
        kw_only=True,
    )
    Weights = defstruct(
        "Weights",
        _fields(float),
        namespace={"__doc__": "The weights of agent_risk that were used; they sum to 1."},
        module=__name__,
        frozen=True,
        kw_only=True,
    )
    WeightsConfig = defstruct(
        "WeightsConfig",
        [(component.name, _described(int, component), component.weight) for component in COMPONENTS],
        namespace={"__doc__": "The weights of agent_risk in hundredths; they sum to 100."},
        module=__name__,
        frozen=True,
    )
