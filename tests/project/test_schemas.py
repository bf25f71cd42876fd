"""The published schemas describe every property, in the words beside the fields of the structs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import Struct

from docs.generators.field_comments import as_sentence, field_comments
from docs.schema import ADDRESS, SCHEMAS
from tests.kit.paths import ROOT


def published(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((ROOT / "docs" / name).read_text("utf-8"))
    return loaded


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_property_has_a_description(name: str) -> None:
    schema = published(name)
    nameless = [
        f"{title}.{property_}"
        for title, definition in schema["$defs"].items()
        for property_, value in definition.get("properties", {}).items()
        if not value.get("description")
    ]
    assert nameless == [], "write a comment beside the field"
    assert schema["$id"] == f"{ADDRESS}/{name}"


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_object_has_a_description(name: str) -> None:
    definitions = published(name)["$defs"].items()
    assert [title for title, item in definitions if "properties" in item and "description" not in item] == []


class Base(Struct):
    size: int  # in bytes


class Commented(Base):
    """Fields with a comment beside, above, after several lines, and without one."""

    beside: str  # `a` or `b`
    # The first line
    # and the second.
    above: str = "#"
    long: tuple[
        str,
        int,
    ] = ("", 0)  # a pair
    bare: int = 0

    # apart from the field
    other: int = 0


def test_a_comment_beside_or_above_a_field_is_its_description() -> None:
    assert field_comments(Commented) == {
        "size": "In bytes.",
        "beside": "`a` or `b`.",
        "above": "The first line and the second.",
        "long": "A pair.",
        "other": "Apart from the field.",
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("its name", "Its name."),
        ("major.minor: so", "major.minor: so."),
        ("agent_risk then", "agent_risk then."),
        ("", ""),
    ],
)
def test_a_sentence_begins_with_a_capital_unless_it_begins_with_code(text: str, expected: str) -> None:
    assert as_sentence(text) == expected
