"""The skeleton of pages: its policy, and that no text can leave its place."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
from html.parser import HTMLParser

import pytest

from crimes.render.html.elements import Html, table, tag
from crimes.render.html.shell import asset, data_text, page
from tests.kit.hostile_text import HOSTILE, is_clean

BREAKING_OUT = (
    *HOSTILE,
    "</script><script>window.PWNED=1</script>",
    "<!--<script>",
    "]]>",
    '" onload="window.PWNED=1',
    "'><img src=x onerror=alert(1)>",
    "\u2028\u2029",
    "x" * 10_000,
)


class _Elements(HTMLParser):
    """The elements of a page, each with its attributes and the text right inside of it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._open = f"{tag} {dict(attrs).get('type', '') or ''}".strip()

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        self.texts[self._open] = self.texts.get(self._open, "") + data

    def names(self) -> list[str]:
        return [name for name, _ in self.found]


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_policy_allows_the_two_blocks_of_the_page_and_nothing_else() -> None:
    elements = _Elements(page("Map", tag("p", "text"), data={"a": 1}).decode())
    (policy,) = [attributes["content"] for _, attributes in elements.found if "http-equiv" in attributes]
    assert policy == "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(elements.texts['script'])}",
            f"style-src {_hash(elements.texts['style'])}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    assert not any(name.startswith("on") or name == "style" for _, found in elements.found for name in found)


@pytest.mark.parametrize("text", BREAKING_OUT, ids=lambda text: ascii(text)[:30])
def test_no_text_of_a_repository_becomes_markup(text: str) -> None:
    body = tag("main", tag("p", text, title=text), table(text, (text,), ((text, text),)))
    shown = page(text, body, data={text: [text, {"deep": text}]}).decode()
    plain = page(
        "a", tag("main", tag("p", "a", title="a"), table("a", ("a",), (("a", "a"),))), data={}
    ).decode()
    assert _Elements(shown).names() == _Elements(plain).names()
    assert is_clean(shown)


@pytest.mark.parametrize("text", BREAKING_OUT, ids=lambda text: ascii(text)[:30])
def test_data_cannot_end_their_element_and_read_back(text: str) -> None:
    encoded = data_text({"value": text})
    assert not re.search("[<>&\u2028\u2029]", encoded)
    assert len(json.loads(encoded)["value"]) <= 4 * 2_000


def test_markup_of_ours_stays_and_text_beside_it_is_escaped() -> None:
    assert tag("p", Html("<b>x</b>"), "<i>") == "<p><b>x</b>&lt;i&gt;</p>"
    assert (
        tag("rect", class_="a", data_file=3, width=1.5, x=None)
        == '<rect class="a" data-file="3" width="1.5"/>'
    )


def test_the_page_asks_for_nothing() -> None:
    assert not re.search(
        r"https?://(?!www\.w3\.org/2000/svg)|@import|url\(", asset("base.css") + asset("base.js")
    )


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_the_scale_runs_from_light_to_dark_or_back_so_that_hue_is_not_needed(theme: int) -> None:
    steps = re.findall(r"--step-\d: light-dark\((#\w{6}), (#\w{6})\)", asset("base.css"))
    values = [luminance(step[theme]) for step in steps]
    assert len(values) == 8
    ordered = values if theme else values[::-1]
    # The eye needs about a sixth more light to see a step.
    assert all((after + 0.05) / (before + 0.05) > 1.16 for before, after in itertools.pairwise(ordered))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_names_on_the_map_can_be_read_on_every_colour(theme: int) -> None:
    """Contrast of at least 4.5, as WCAG asks for small text."""
    (low,) = re.findall(r"--on-low: light-dark\((#\w{6}), (#\w{6})\)", asset("base.css"))
    (high,) = re.findall(r"--on-high: light-dark\((#\w{6}), (#\w{6})\)", asset("base.css"))
    raised = {int(step) for step in re.findall(r"\.on-step-(\d)", asset("map.css"))}
    steps = re.findall(r"--step-\d: light-dark\((#\w{6}), (#\w{6})\)", asset("base.css"))
    for number, step in enumerate(steps):
        name = (high if number in raised else low)[theme]
        dark, light = sorted((luminance(name), luminance(step[theme])))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (number, name, step[theme])
