"""The numbers in docs/scoring.md are those of the code."""

from __future__ import annotations

import re

from crimes.detection.registry import catalogue
from crimes.model.hundredths import half_up
from crimes.model.kind import Kind
from crimes.model.scores import COMPONENTS, blast_radius, churn, severity_score
from crimes.model.severity import Severity
from tests.kit.paths import ROOT

PAGE = (ROOT / "docs/scoring.md").read_text("utf-8")


def rows(heading: str) -> dict[str, str]:
    """The first two columns of the table with this heading, as plain text."""
    _, _, text = PAGE.partition(f"| {heading} |")
    table = text.partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip().strip("`") for cell in row.strip("|").split("|")] for row in table]
    return {row[0]: row[1] for row in cells}


def test_weights_are_those_of_the_components() -> None:
    expected = {component.name: f"{component.weight / 100:.2f}" for component in COMPONENTS}
    assert rows("component") == expected
    formula = " + ".join(f"{weight} x {name}" for name, weight in expected.items())
    assert f"agent_risk = {formula}\n" in PAGE


def test_severities_are_those_of_the_code() -> None:
    assert rows("severity") == {
        str(severity): f"{severity_score(severity) / 100:.2f}" for severity in reversed(Severity)
    }


def test_curves_are_those_of_the_code() -> None:
    for name, curve in (("commits", churn), ("files", blast_radius)):
        line = next(row for row in PAGE.splitlines() if f"= min({name} / " in row)
        full = int(re.search(rf"{name} / (\d+), 1\)", line)[1])  # type: ignore[index]
        assert (curve(full - 1) < 100, curve(full)) == (True, 100)
        samples = re.findall(r"(\d+)(?: and more| commits?| files?)?: (\d\.\d\d)", line.partition(")")[2])
        assert len(samples) == 4
        for number, value in samples:
            assert f"{curve(int(number)) / 100:.2f}" == value


def test_the_example_adds_up() -> None:
    line = next(row.strip() for row in PAGE.splitlines() if row.strip().endswith("= 0.73"))
    terms = [
        [round(100 * float(number)) for number in term.split(" x ")]
        for term in line.partition(" = ")[0].split(" + ")
    ]
    assert [weight for weight, _ in terms] == [component.weight for component in COMPONENTS]
    assert half_up(sum(weight * value for weight, value in terms), 100) == 73
    assert (terms[2][1], terms[4][1]) == (churn(3), blast_radius(12))


def test_the_three_tiers_of_the_test_gap_are_listed() -> None:
    assert [*rows("test_gap")] == ["0.00", "0.50", "1.00"]


def test_every_type_of_place_fact_is_listed() -> None:
    places = {detector.id for detector in catalogue().values() if detector.kind is Kind.PLACE}
    section = PAGE.partition("## Two kinds")[2].partition("\n## ")[0]
    assert set(re.findall(r"^- \[`(\w+)`\]", section, re.M)) == places
    words = ("zero", "one", "two", "three", "four", "five", "six", "seven")
    assert f"There are {words[len(places)]} types:" in section
