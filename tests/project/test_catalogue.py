"""Conventions that every detector keeps, checked over the whole catalogue."""

from __future__ import annotations

import dataclasses
import importlib
import re
from pathlib import Path, PurePosixPath

import msgspec
import pytest

import crimes_detectors
from crimes.detection.context import Analysis
from crimes.detection.detector import Detector
from crimes.detection.doc_sections import doc_sections
from crimes.detection.registry import DOCS_ADDRESS, catalogue
from crimes.languages import by_id
from crimes.model.kind import Kind
from tests.kit.paths import ROOT

FOLDER = Path(crimes_detectors.__path__[0])
# What "any language" promises at least.
ANY_FAMILIES = {"python", "javascript"}

EXAMPLE_LINES = range(5, 19)
MAX_DETECTORS_OFF = 3
MAX_SENTENCE_CHARS = 160  # a list shows both once for each type

each_detector = pytest.mark.parametrize(
    "detector", [pytest.param(detector, id=detector.id) for detector in catalogue().values()]
)


def test_the_folder_listing_is_the_catalogue() -> None:
    names = {path.stem for path in FOLDER.glob("*.py")} - {"__init__"}
    assert set(catalogue()) == names


def test_at_most_three_judged_detectors_are_off_by_default() -> None:
    """A new one is off until it has been judged; then its page says why it stays off."""
    off = [detector for detector in catalogue().values() if not detector.default]
    explained = [detector.id for detector in off if "It is off by default: " in detector.doc]
    assert len(explained) <= MAX_DETECTORS_OFF, explained
    labelled = {path.stem for path in (ROOT / "benchmarks/precision/labels").glob("*.jsonl")}
    assert {detector.id for detector in off} & labelled <= set(explained)


@each_detector
def test_the_id_is_the_file_name(detector: Detector) -> None:
    module = importlib.import_module(f"crimes_detectors.{detector.id}")
    assert msgspec.structs.replace(module.DETECTOR, docs=detector.docs) == detector


@each_detector
def test_the_address_of_the_page_leads_to_a_page(detector: Detector) -> None:
    assert detector.docs.startswith(DOCS_ADDRESS)
    assert Path("docs", detector.docs.removeprefix(f"{DOCS_ADDRESS}/")).is_file()


@each_detector
def test_why_and_fix_are_one_short_sentence_each(detector: Detector) -> None:
    for sentence in (detector.why, detector.fix):
        assert sentence.endswith((".", "?")), sentence
        assert len(sentence) <= MAX_SENTENCE_CHARS, sentence


@each_detector
def test_documentation_has_summary_reason_and_remedy(detector: Detector) -> None:
    first, _, rest = detector.doc.strip().partition("\n")
    assert first.endswith("."), "the first line is one sentence"
    headings = [title for title in doc_sections(detector.doc) if title]
    assert headings == ["Why it matters", "What to do", "Before", "After", "What it does not report"]
    for section in rest.split("## ")[1:]:
        assert len(section.split("\n", 1)[1].split()) >= 5, f"a section without text: {section!r}"


@each_detector
@pytest.mark.parametrize("heading", ["Before", "After"])
def test_documentation_shows_short_code_before_and_after(detector: Detector, heading: str) -> None:
    (block,) = doc_sections(detector.doc)[heading]
    first, *code, last = block.splitlines()
    assert re.fullmatch(r"```[a-z]+", first), "one fenced block, and it names its language"
    assert last == "```"
    assert len(code) in EXAMPLE_LINES, f"{len(code)} lines"


@each_detector
def test_documentation_lists_what_is_accepted(detector: Detector) -> None:
    items = doc_sections(detector.doc)["What it does not report"]
    assert items
    assert all(item.startswith("- ") for item in items)


@each_detector
def test_detector_has_a_reporting_and_a_silent_example(detector: Detector) -> None:
    assert any(example.finds for example in detector.examples)
    assert any(not example.finds for example in detector.examples)
    titles = [example.title for example in detector.examples]
    assert len(set(titles)) == len(titles)


@each_detector
def test_detector_has_a_reporting_example_in_each_language_family(detector: Detector) -> None:
    if "*" in detector.languages:
        claimed = ANY_FAMILIES
    else:
        claimed = {by_id[language].family for language in detector.languages}
    found = {place.rpartition(":")[0] for example in detector.examples for place in example.finds}
    shown = {
        language.family
        for language in by_id.values()
        for path in found
        if path.endswith(language.extensions) or PurePosixPath(path).name in language.file_names
    }
    assert claimed <= shown


@each_detector
def test_every_option_has_a_default_and_help(detector: Detector) -> None:
    for field in dataclasses.fields(detector.options):
        assert field.default is not dataclasses.MISSING, field.name
        help_ = field.metadata.get("help", "")
        assert help_.endswith("."), f"{field.name}: {help_!r} is no sentence"


@each_detector
def test_examples_set_only_options_that_exist(detector: Detector) -> None:
    known = {field.name for field in dataclasses.fields(detector.options)}
    used = {name for example in detector.examples for name in example.options}
    assert used <= known


@each_detector
def test_detector_declares_each_analysis_once(detector: Detector) -> None:
    declared = (*detector.needs, *detector.wants, *detector.in_each_file)
    assert all(isinstance(analysis, Analysis) for analysis in declared)
    names = [analysis.name for analysis in declared]
    assert len(set(names)) == len(names)


@each_detector
def test_per_file_analyses_are_named_after_their_detector(detector: Detector) -> None:
    """It is kept under that name: two of one name would take each other's."""
    assert all(analysis.name.startswith(f"{detector.id}.") for analysis in detector.in_each_file)


def test_facts_about_places_come_from_five_detectors() -> None:
    """Each says how a file is changed or reached: the pull request that makes it appear need not be wrong."""
    assert {id_ for id_, detector in catalogue().items() if detector.kind is Kind.PLACE} == {
        "dynamic_dispatch",
        "hidden_coupling",
        "load_bearing_file",
        "repeat_offender",
        "untested_hotspot",
    }
