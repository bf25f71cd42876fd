"""The detectors that know no language, one by one in each language: a place that is reported, and places beside it that are not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from crimes.detection.detector import Example
from crimes.detection.registry import catalogue
from tests.kit.examples import run
from tests.neutral.code import TONGUES, Code
from tests.neutral.hand import HAND, LACKS
from tests.neutral.made import MADE
from tests.project.test_language_examples import LANGUAGES, NEUTRAL

# Detectors of what only some languages have; they show it in those, in their own examples.
PARTLY = {
    "ambiguous_definition": "imports that name what they take from a file",
    "blocking_in_async": "async functions",
    "conflicting_default": "settings read with a default beside them, which each library does in its own way",
    "dynamic_dispatch": "code that is made or looked up by name while it runs",
    "import_cycle": "files that run when they are imported; tests/language_examples shows both sides",
    "import_side_effect": "files that run when they are imported",
    "lying_name": "names that promise only to look, and calls that do more, both known by name",
    "return_roulette": "functions whose result no compiler checks",
    "shared_mutable_state": "values of a module that functions change",
}


def _examples() -> Iterator[tuple[str, str, Example]]:
    for language in LANGUAGES:
        for name, make in MADE.items():
            yield name, language, make(Code(language))
        for by_hand in HAND:
            if language not in LACKS[by_hand.__name__]:
                yield by_hand.__name__, language, by_hand(language)


@pytest.mark.parametrize(
    ("detector", "example"),
    [pytest.param(name, example, id=f"{name}, {language}") for name, language, example in _examples()],
)
def test_neutral_example(detector: str, example: Example, tmp_path: Path) -> None:
    report = run(catalogue()[detector], example, tmp_path / "repo")
    found = sorted(f"{crime.file}:{crime.lines.start}" for crime in (*report.findings, *report.hidden))
    assert found == sorted(example.finds)
    assert report.files.partial == (), "the example has to be code of its language"


def test_all_languages_are_there() -> None:
    assert sorted(TONGUES) == LANGUAGES


def test_every_detector_for_any_language_is_shown_or_says_why_not() -> None:
    neutral = {detector.id for detector in catalogue().values() if "*" in detector.languages}
    shown = [*NEUTRAL, *MADE, *(by_hand.__name__ for by_hand in HAND)]
    assert sorted([*shown, *PARTLY]) == sorted(neutral)
