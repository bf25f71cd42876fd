"""The order of a report: what is worst comes first."""

from __future__ import annotations

import msgspec

from crimes.engine.report_builder import report_order
from crimes.model.report import Crime, MeasureOut
from tests.kit import reports


def complex_(name: str, complexity: int, risk: float = 0.7) -> Crime:
    made = reports.crime(symbol=name, evidence={"cognitive": MeasureOut(complexity, 25)})
    return msgspec.structs.replace(made, scores=msgspec.structs.replace(made.scores, agent_risk=risk))


def test_of_equal_risk_the_one_furthest_over_its_limit_comes_first() -> None:
    crimes = [complex_("a", 61), complex_("eval", 269), complex_("c", 25)]
    assert [one.symbol for one in sorted(crimes, key=report_order)] == ["eval", "a", "c"]


def test_risk_comes_before_the_limit() -> None:
    crimes = [complex_("long", 269), complex_("risky", 25, risk=0.8)]
    assert [one.symbol for one in sorted(crimes, key=report_order)] == ["risky", "long"]


def test_a_finding_without_a_limit_stands_behind() -> None:
    plain = reports.crime(symbol="plain", evidence={"subjects": MeasureOut(("a", "b"), None)})
    same = msgspec.structs.replace(plain, scores=msgspec.structs.replace(plain.scores, agent_risk=0.7))
    assert [one.symbol for one in sorted([same, complex_("over", 30)], key=report_order)] == ["over", "plain"]
