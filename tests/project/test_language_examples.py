"""Every detector for any language shows in every language what it reports and what it leaves alone, or says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.detection.detector import Example
from crimes.detection.registry import catalogue
from crimes.languages import by_id
from tests.kit.examples import run
from tests.kit.paths import TESTS
from tests.language_examples import EXCUSES, LANGUAGES, own_examples, shared_examples

EXAMPLES: list[tuple[str, str, Example]] = [
    (language, detector, example)
    for language in LANGUAGES
    for detector, examples in (
        *own_examples(language).items(),
        *((detector, [example]) for detector, example in shared_examples(language).items()),
    )
    for example in examples
]


@pytest.mark.parametrize(
    ("detector", "example"),
    [
        pytest.param(detector, example, id=f"{language}, {detector}: {example.title}")
        for language, detector, example in EXAMPLES
    ],
)
def test_detector_reports_exactly_what_the_example_promises(
    detector: str, example: Example, tmp_path: Path
) -> None:
    report = run(catalogue()[detector], example, tmp_path / "repo")

    status = {run.id: (run.status, run.reason) for run in report.detectors}
    assert status[detector] == ("ran", ""), "an example must let its detector run"
    assert report.files.partial == (), "an example has to be code of its language"
    crimes = (*report.findings, *report.hidden)
    assert sorted(f"{crime.file}:{crime.lines.start}" for crime in crimes) == sorted(example.finds)
    assert all(crime.severity == (example.severity or crime.severity) for crime in crimes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_detector_for_any_language_is_shown_in_the_language_or_excused(language: str) -> None:
    assert language in by_id
    own, shared = own_examples(language), shared_examples(language)
    both_sides = {
        detector
        for detector, examples in own.items()
        if {bool(example.finds) for example in examples} == {True, False}
    }
    reported = {detector for detector, examples in own.items() if any(example.finds for example in examples)}
    excused = {detector for detector, reasons in EXCUSES.items() if reasons.get(language)}
    for_any_language = {detector.id for detector in catalogue().values() if "*" in detector.languages}

    assert both_sides | shared.keys() | excused == for_any_language
    assert not excused & (reported | shared.keys()), "an excuse is not needed where something is reported"
    assert all(example.finds for example in shared.values())


def test_every_language_with_a_module_of_examples_is_tested() -> None:
    modules = {path.stem for path in (TESTS / "language_examples").glob("[!_]*.py")}
    assert modules - {"code", "same_code", "shared", "tables"} == set(LANGUAGES)
