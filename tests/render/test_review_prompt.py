"""What a verifying agent is told, against the constants that records are read and scored with."""

from __future__ import annotations

import json

import pytest

from crimes.render.review_prompt import prompt
from crimes.workflows.review.policy import DEFAULT_CAP, SUMMARY_FROM, Threshold
from crimes.workflows.review.reading import ENUMS, REQUIRED, TEXTS, faults
from crimes.workflows.review.record_schema import FORBIDDEN, record_schema
from crimes.workflows.review.table import CONCORDANCE, CONTEXT, EVIDENCE, VERDICT
from tests.kit.paths import ROOT
from tests.kit.reviews import raw

TEXT = prompt(Threshold(55), DEFAULT_CAP)


def test_prompt_has_every_field_value_point_and_rule() -> None:
    for name in (*REQUIRED, *TEXTS):
        assert f"- `{name}`" in TEXT
    for kind in ENUMS.values():
        assert all(f"`{member}`" in TEXT for member in kind)
    for table in (VERDICT, EVIDENCE, CONTEXT):
        assert all(f"{name} {points:+d}" in TEXT for name, points in table.items())
    assert all(f"{points:+d}" in TEXT for points in CONCORDANCE)
    assert f"a score of {SUMMARY_FROM} or more" in TEXT
    assert "a score of 70 or more: a comment on its line, at most 2" in prompt(Threshold(70), 2)
    for name, value in FORBIDDEN.items():
        assert f"`{name}: {value}`" in TEXT


def test_prompt_ends_with_the_schema_that_is_published() -> None:
    printed = json.loads(TEXT.partition("```json\n")[2].partition("```")[0])
    published = json.loads((ROOT / "docs" / "records.schema.json").read_text("utf-8"))
    assert printed == record_schema()
    assert {key: published[key] for key in printed} == printed


@pytest.mark.parametrize("name", REQUIRED)
def test_schema_requires_what_the_reader_requires(name: str) -> None:
    record = raw()
    del record[name]
    assert faults(0, record)
    assert name in record_schema()["items"]["required"]


@pytest.mark.parametrize("name", ENUMS)
def test_schema_has_the_values_that_the_reader_takes(name: str) -> None:
    described = record_schema()["items"]["properties"][name]["enum"]
    assert all(not faults(0, raw(**{name: value})) for value in described)
    assert faults(0, raw(**{name: "something else"}))
