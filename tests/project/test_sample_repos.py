"""The sample repositories, each replayed with its history: the report is the expected one, twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.detection.registry import catalogue
from tests.kit.sample_history import SAMPLES, build, expected, names, report, stable


@pytest.mark.parametrize("name", names())
def test_report_of_a_sample_equals_the_expected_one(name: str, tmp_path: Path) -> None:
    root = build(name, tmp_path)
    assert stable(report(root)) == expected(name), "if this is an improvement: make docs"


@pytest.mark.parametrize("name", names())
def test_the_last_commit_completes_every_file(name: str, tmp_path: Path) -> None:
    root = build(name, tmp_path)
    built = {
        path.relative_to(root) for path in root.rglob("*") if path.is_file() and ".git" not in path.parts
    }
    assert built
    for path in built:
        assert (root / path).read_bytes() == (SAMPLES / name / path).read_bytes()


def test_together_they_show_every_detector() -> None:
    shown = {finding["type"] for name in names() for finding in expected(name)["findings"]}
    assert shown == {detector.id for detector in catalogue().values() if detector.default}


@pytest.mark.parametrize("name", names())
def test_a_sample_inside_this_repository_can_be_scanned_as_it_is(name: str) -> None:
    found = report(SAMPLES / name)
    assert found.findings
    assert not found.files.skipped
