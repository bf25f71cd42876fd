"""Every detector that knows no language, in every language: what it finds there and where it stays silent."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from crimes.detection.detector import Example
from crimes.detection.registry import catalogue
from crimes.languages import by_id
from tests.kit.examples import run
from tests.kit.paths import TESTS

FOLDER = TESTS / "language_examples"
LANGUAGES = sorted(path.stem for path in FOLDER.glob("[!_]*.py"))
EXAMPLES: list[tuple[str, str, Example]] = [
    (language, detector, example)
    for language in LANGUAGES
    for detector, example in import_module(f"tests.language_examples.{language}").EXAMPLES
]
NEUTRAL = (
    "god_function",
    "hidden_coupling",
    "hollow_test",
    "load_bearing_file",
    "swallowed_error",
    "untested_hotspot",
)


@pytest.mark.parametrize(
    ("language", "detector", "example"),
    [pytest.param(*one, id=f"{one[0]}, {one[1]}: {one[2].title}") for one in EXAMPLES],
)
def test_language_example(language: str, detector: str, example: Example, tmp_path: Path) -> None:
    report = run(catalogue()[detector], example, tmp_path / "repo")

    status = {run.id: (run.status, run.reason) for run in report.detectors}
    assert status[detector] == ("ran", ""), "an example must let its detector run"
    crimes = (*report.findings, *report.hidden)
    assert sorted(f"{crime.file}:{crime.lines.start}" for crime in crimes) == sorted(example.finds)
    assert all(crime.severity == (example.severity or crime.severity) for crime in crimes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_neutral_detector_speaks_the_language(language: str) -> None:
    assert language in by_id
    shown = {(detector, bool(example.finds)) for known, detector, example in EXAMPLES if known == language}
    missing = [
        f"{detector}: {'finds' if finds else 'silent'}"
        for detector in NEUTRAL
        for finds in (True, False)
        if (detector, finds) not in shown
    ]
    assert missing == []
