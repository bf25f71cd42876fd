"""agent_risk: the components of a finding's scores in one number; all in hundredths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from crimes.model.hundredths import half_up, share, two_decimals
from crimes.model.scores import COMPONENTS, ScoreInputs, Scores, WeightsConfig

_SHOWN_ABOVE = 50


def measure(inputs: ScoreInputs) -> dict[str, int]:
    """The value of each component, by name."""
    return {component.name: component.measure(inputs) for component in COMPONENTS}


def agent_risk(values: Mapping[str, int], weights: WeightsConfig) -> int:
    """The weighted sum, rounded half up."""
    total = sum(weight * value for weight, value, _ in _terms(values, weights))
    return max(0, min(half_up(total, 100), 100))


def risk_trace(values: Mapping[str, int], weights: WeightsConfig) -> str:
    """agent_risk written out, so that a reader can check it."""
    terms = (
        f"{two_decimals(weight)} x {two_decimals(value)} {label}"
        for weight, value, label in _terms(values, weights)
    )
    return f"{two_decimals(agent_risk(values, weights))} = {' + '.join(terms)}"


def scores(values: Mapping[str, int], weights: WeightsConfig) -> Scores:
    """The components and agent_risk as a report has them."""
    shares = {name: share(value) for name, value in values.items()}
    return Scores(**shares, agent_risk=share(agent_risk(values, weights)))


def should_show_profile(churn: int, test_gap: int, blast_radius: int) -> bool:
    """Whether a report shows the risk profile unasked: one of the three is over a half."""
    return max(churn, test_gap, blast_radius) > _SHOWN_ABOVE


def _terms(values: Mapping[str, int], weights: WeightsConfig) -> Iterator[tuple[int, int, str]]:
    for component in COMPONENTS:
        yield getattr(weights, component.name), values[component.name], component.label
