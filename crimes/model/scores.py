"""The scores of a finding. A new one is a row of `COMPONENTS`: the report, the configuration and the arithmetic follow from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, defstruct

from crimes.model.hundredths import half_up
from crimes.model.severity import Severity
from crimes.model.trust import Share

_SEVERITY = {Severity.HIGH: 90, Severity.MEDIUM: 70, Severity.LOW: 45}
_FULL_CHURN_COMMITS = 20  # in 90 days
_FULL_BLAST_IMPORTERS = 50


class RanLines(Struct, frozen=True):
    """Lines that ran under the tests, of those that could have; stale when the file changed since."""

    covered: int
    total: int
    stale: bool


class RiskEvidence(Struct, frozen=True):
    """The raw counts behind churn, test_gap and blast_radius, for the file of the finding."""

    commits_90d: int
    commits_365d: int
    commits_3y: int
    importers_direct: int
    importers_sure: int  # transitive, over edges that certainly execute
    importers_possible: int  # transitive, with deferred, type-only and dynamic edges; the score uses this one
    tests_importing: tuple[str, ...]  # at most five, sorted
    tests_importing_count: int
    tests_by_name: tuple[str, ...]
    lines_run: RanLines | None = None  # where coverage data tell; never part of test_gap


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


def severity_score(severity: Severity) -> int:
    """The number a severity stands for."""
    return _SEVERITY[severity]


def churn(commits: int) -> int:
    """Commits that touched the file in 90 days, full at 20."""
    return min(half_up(100 * commits, _FULL_CHURN_COMMITS), 100)


def blast_radius(importers: int) -> int:
    """Files that reach the file over imports, full at 50."""
    return min(half_up(100 * importers, _FULL_BLAST_IMPORTERS), 100)


COMPONENTS = (
    Component("severity", "severity", 40, lambda inputs: severity_score(inputs.severity)),
    Component("confidence", "confidence", 20, lambda inputs: inputs.confidence),
    Component("churn", "churn", 15, lambda inputs: churn(inputs.evidence.commits_90d)),
    Component("test_gap", "test gap", 15, lambda inputs: inputs.test_gap),
    Component(
        "blast_radius", "blast radius", 10, lambda inputs: blast_radius(inputs.evidence.importers_possible)
    ),
)

if TYPE_CHECKING:

    class Scores(Struct, frozen=True):
        """A number in [0, 1] for each component, and agent_risk."""

        agent_risk: float | None

        def __init__(self, *values: float | None, **named: float | None) -> None: ...
        def __getattr__(self, component: str) -> float: ...

    class Weights(Struct, frozen=True):
        """A number in [0, 1] for each component."""

        def __init__(self, *values: float, **named: float) -> None: ...
        def __getattr__(self, component: str) -> float: ...

    class WeightsConfig(Struct, frozen=True):
        """A number of hundredths for each component."""

        def __init__(self, *values: int, **named: int) -> None: ...
        def __getattr__(self, component: str) -> int: ...

else:
    Scores = defstruct(
        "Scores",
        # agent_risk is null when trust withholds scores.
        [*((component.name, Share) for component in COMPONENTS), ("agent_risk", Share | None)],
        namespace={"__doc__": "Six numbers in [0, 1], two decimals."},
        module=__name__,
        frozen=True,
    )
    Weights = defstruct(
        "Weights",
        [(component.name, float) for component in COMPONENTS],
        namespace={"__doc__": "The weights of agent_risk that were used; they sum to 1."},
        module=__name__,
        frozen=True,
    )
    WeightsConfig = defstruct(
        "WeightsConfig",
        [(component.name, int, component.weight) for component in COMPONENTS],
        namespace={"__doc__": "The weights of agent_risk in hundredths; they sum to 100."},
        module=__name__,
        frozen=True,
    )
