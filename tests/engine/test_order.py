"""The order of a report: what is worst comes first."""

from __future__ import annotations

import msgspec

from crimes.engine.report_builder import report_order
from crimes.model.edit_risk import RankedFiles
from crimes.model.report import Crime, MeasureOut
from tests.kit import reports


def complex_(name: str, complexity: int, risk: float = 0.7) -> Crime:
    made = reports.crime(symbol=name, evidence={"cognitive": MeasureOut(complexity, 25)})
    return msgspec.structs.replace(made, scores=msgspec.structs.replace(made.scores, agent_risk=risk))


def test_finding_furthest_over_its_limit_comes_first_at_equal_risk() -> None:
    crimes = [complex_("a", 61), complex_("eval", 269), complex_("c", 25)]
    assert [crime.symbol for crime in sorted(crimes, key=report_order(RankedFiles()))] == ["eval", "a", "c"]


def test_risk_comes_before_the_limit() -> None:
    crimes = [complex_("long", 269), complex_("risky", 25, risk=0.8)]
    assert [crime.symbol for crime in sorted(crimes, key=report_order(RankedFiles()))] == ["risky", "long"]


def test_finding_without_a_limit_comes_last() -> None:
    plain = reports.crime(symbol="plain", evidence={"subjects": MeasureOut(("a", "b"), None)})
    same = msgspec.structs.replace(plain, scores=msgspec.structs.replace(plain.scores, agent_risk=0.7))
    assert [
        crime.symbol for crime in sorted([same, complex_("over", 30)], key=report_order(RankedFiles()))
    ] == [
        "over",
        "plain",
    ]


def test_edit_risk_of_the_file_decides_where_agent_risk_ties() -> None:
    ranked = reports.ranked_files("src/risky.py", "src/calm.py")
    calm = msgspec.structs.replace(complex_("calm", 269), file="src/calm.py", severity="high")
    risky = msgspec.structs.replace(complex_("risky", 30), file="src/risky.py")
    unranked = msgspec.structs.replace(complex_("test", 900), file="tests/test_it.py")
    above = msgspec.structs.replace(complex_("above", 1, risk=0.71), file="src/calm.py")
    ordered = sorted([unranked, calm, risky, above], key=report_order(ranked))
    assert [crime.symbol for crime in ordered] == ["above", "risky", "calm", "test"]


def test_edit_risk_decides_nothing_where_agent_risk_is_withheld() -> None:
    ranked = reports.ranked_files("src/risky.py", "src/calm.py")
    crimes = [
        msgspec.structs.replace(crime, scores=msgspec.structs.replace(crime.scores, agent_risk=None))
        for crime in (
            msgspec.structs.replace(complex_("risky", 30), file="src/risky.py"),
            msgspec.structs.replace(complex_("calm", 269), file="src/calm.py"),
        )
    ]
    assert [crime.symbol for crime in sorted(crimes, key=report_order(ranked))] == ["calm", "risky"]
