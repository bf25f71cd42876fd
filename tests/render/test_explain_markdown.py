"""Explanations as markdown: parsed back, whatever the repository holds."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from crimes.detection.registry import catalogue
from crimes.model.severity import Severity
from crimes.render.explain_markdown import detector_markdown, finding_markdown
from crimes.workflows.explanation import DetectorPage, ExampleFinding, FindingDetails, detector_page
from crimes.workflows.source_lines import Source
from tests.kit.hostile_text import HOSTILE, is_clean, tainted_finding
from tests.kit.reports import crime, report

TITLES = ["Why", "What to do", "Code", "Evidence", "Related places"]


def headings(page: str) -> list[str]:
    tokens = MarkdownIt("commonmark").enable("table").parse(page)
    return [tokens[index + 1].content for index, token in enumerate(tokens) if token.type == "heading_open"]


def kinds(page: str) -> set[str]:
    tokens = MarkdownIt("commonmark").enable("table").parse(page)
    inner = {child.type for token in tokens for child in token.children or ()}
    return {token.type for token in tokens} | inner


@pytest.mark.parametrize(
    "text", [*HOSTILE, "# x", "```\n# x", "<img src=x>", "![a](http://b)", "@all #1"], ids=ascii
)
def test_hostile_text_adds_nothing_to_the_page_of_a_finding(text: str) -> None:
    details = FindingDetails(tainted_finding(text), None, Source((text, "x", text) * 9, ""), report().history)
    harmless = FindingDetails(tainted_finding("harmless"), None, Source(("x",) * 27, ""), report().history)
    page = finding_markdown(details)
    assert is_clean(page)
    assert len(headings(page)) == len(headings(finding_markdown(harmless)))
    assert not kinds(page) & {"html_block", "html_inline", "link_open", "image", "table_open", "hr"}


def test_code_with_fences_stays_in_one_block() -> None:
    source = Source(("````sh", "make", "````", "# not a heading") * 5)
    page = finding_markdown(FindingDetails(crime(), None, source, report().history))
    tokens = MarkdownIt("commonmark").parse(page)
    (code,) = [token for token in tokens if token.type == "fence" and "make" in token.content]
    assert code.markup == "`````"
    assert code.content.count("# not a heading") == 3


def test_page_of_a_finding_has_its_parts() -> None:
    details = FindingDetails(crime(why="It hurts."), None, Source(("x",) * 40), report().history)
    assert headings(finding_markdown(details))[1:6] == TITLES
    withheld = finding_markdown(
        FindingDetails(crime(fix="Move it."), None, Source(()), report().history, withheld="too little seen")
    )
    assert "Withheld: too little seen." in withheld
    assert "Move it." not in withheld


def page_with_example(text: str) -> DetectorPage:
    example = ExampleFinding("0123456789ab", Severity.LOW, text, 1, text, text)
    return detector_page(catalogue()["god_function"], example=example)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_example_adds_nothing_to_the_page_of_a_detector(text: str) -> None:
    page = detector_markdown(page_with_example(text))
    assert is_clean(page)
    assert headings(page) == headings(detector_markdown(page_with_example("harmless")))
