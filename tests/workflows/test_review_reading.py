"""Records that are none: every fault is found, and named with its record and its field."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st

from crimes.model.errors import UsageError
from crimes.workflows.review.reading import MAX_CHARS, REQUIRED, read_records
from tests.kit.reviews import given, raw, record


def errors(*items: Any) -> list[str]:
    return [error for refused in given(*items).refused for error in refused.errors]


def text_errors(text: str) -> list[str]:
    return [error for refused in read_records(text.encode(), "r").refused for error in refused.errors]


def test_all_faults_of_all_records_are_reported_at_once() -> None:
    told = errors(raw(line=0, verdict="MAYBE"), raw(), 7, raw(file="/etc/passwd", in_diff="yes"))
    assert [error.partition(" ")[0] for error in told] == [
        "finding[0]",
        "finding[0]",
        "finding[2]",
        "finding[3]",
        "finding[3]",
    ]
    assert 'field "in_diff" must be a boolean, found "yes"' in told[3]
    assert 'field "file" must be relative to the repository, found "/etc/passwd"' in told[4]


def test_valid_records_are_kept_beside_refused_ones() -> None:
    made = given(raw(line=1), raw(line=-1), raw(line=3))
    assert [record.number for record in made.records] == [0, 2]
    assert [refusal.number for refusal in made.refused] == [1]


@pytest.mark.parametrize("name", REQUIRED)
def test_every_field_is_required(name: str) -> None:
    without = {key: value for key, value in raw().items() if key != name}
    for item in (without, raw(**{name: None})):
        assert errors(item) == [f'finding[0] is missing required field "{name}"']


@pytest.mark.parametrize("name", REQUIRED)
@pytest.mark.parametrize("value", [[], {}, [1], 3.5, 1e400, -(10**30), "\x1b[2J"])
def test_a_value_of_a_wrong_type_is_named(name: str, value: Any) -> None:
    if name == "file" and value == "\x1b[2J":  # a file may be called that
        return
    (error,) = text_errors(f"[{json.dumps(raw(**{name: value}))}]".replace("Infinity", "1e400"))
    assert error.startswith("finding[0] ")
    assert name in error
    assert error.isprintable()


@pytest.mark.parametrize(
    "value", [True, False, "", " 3", "3 ", "-3", "+3", "0", "٣", "1_0", 2**31, "99999999999", "9" * 5000]
)
def test_invalid_line_numbers_are_refused(value: Any) -> None:
    (error,) = errors(raw(line=value))
    assert 'field "line" must be a positive integer' in error
    assert len(error) < 200


@pytest.mark.parametrize("digits", ["9" * 19, "9" * 25, "9" * 10_000, "-" + "9" * 5_000])
def test_numbers_of_thousands_of_digits_are_a_fault_of_their_field(digits: str) -> None:
    (error,) = text_errors(f"[{json.dumps(raw(line=0)).replace(': 0', ': ' + digits, 1)}]")
    assert 'field "line" must be a positive integer' in error
    assert len(error) < 200


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../outside.py",
        "a/../../b",
        "a/..",
        "..",
        "..\\b",
        "a\\..\\..\\b",
        "C:\\x",
        "c:/x",
        "\\\\host\\share",
        "\\x",
        "~/x",
        "~root",
        "",
        "  ",
        ".",
        "./",
        "a\0b",
    ],
)
def test_paths_that_lead_elsewhere_are_refused(path: str) -> None:
    (error,) = errors(raw(file=path))
    assert error.startswith('finding[0] field "file" must')


@pytest.mark.parametrize(
    ("path", "read_as"),
    [
        ("./a//b.py", "a/b.py"),
        ("a..b/c..", "a..b/c.."),
        ("new\nline.py", "new\nline.py"),
        ("ä b/'x'", "ä b/'x'"),
    ],
)
def test_relative_file_paths_are_accepted(path: str, read_as: str) -> None:
    assert record(file=path).file == read_as


@pytest.mark.parametrize("key", ["line", "file", "verdict", "title", "something"])
def test_a_key_given_twice_is_a_fault(key: str) -> None:
    body = json.dumps(raw(title="x", something=1))
    doubled = body[:-1] + f', "{key}": {json.dumps(raw().get(key, "x"))}}}'
    assert text_errors(f"[{body}, {doubled}]") == [f'finding[1] field "{key}" is given more than once']


@pytest.mark.parametrize("name", MAX_CHARS)
def test_a_huge_text_is_refused(name: str) -> None:
    assert errors(raw(**{name: "x" * MAX_CHARS[name]})) == []
    (error,) = errors(raw(**{name: "x" * (MAX_CHARS[name] + 1)}))
    assert error.startswith(f'finding[0] field "{name}" has {MAX_CHARS[name] + 1:,} characters')


@pytest.mark.parametrize("name", ["file", "id", "title", "message"])
def test_lone_surrogate_is_refused(name: str) -> None:
    (error,) = text_errors(f"[{json.dumps(raw(**{name: 'X'})).replace('X', chr(92) + 'ud800')}]")
    assert error.startswith(f'finding[0] field "{name}" contains half a character')


@pytest.mark.parametrize("name", ["id", "title", "message"])
def test_text_fields_refuse_other_types(name: str) -> None:
    assert errors(raw(**{name: 3})) == [f'finding[0] field "{name}" must be a string, found 3']
    assert errors(raw(**{name: None})) == []


@pytest.mark.parametrize("item", [None, 3, "x", [], True])
def test_record_that_is_no_object_is_refused(item: Any) -> None:
    (error,) = errors(item)
    assert error.startswith("finding[0] must be an object, found ")


def test_a_field_that_is_not_known_is_named_and_not_used() -> None:
    assert record(sugestion="x").checks == ('field "sugestion" is unknown and was ignored',)


def test_flags_may_be_written_as_texts() -> None:
    made = record(in_diff="TRUE", in_changed_code="False")
    assert (made.in_diff, made.in_changed_code) == (True, False)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "not valid JSON"),
        (b"[", "not valid JSON"),
        (b"[{]", "not valid JSON"),
        (b"[1,]", "not valid JSON"),
        (b"[NaN]", "NaN is not a JSON value"),
        (b'[{"line": Infinity}]', "Infinity is not a JSON value"),
        (b"\xff\xfe[]", "not UTF-8: byte 0"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b" " * 20_000_001, "larger than 20,000,000 bytes"),
        (b"[] []", "not valid JSON"),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_malformed_json_is_refused_with_a_reason(data: bytes, told: str) -> None:
    with pytest.raises(UsageError, match="records") as caught:
        read_records(data, "records")
    assert told in str(caught.value)


def test_a_byte_order_mark_is_no_fault() -> None:
    assert read_records(b"\xef\xbb\xbf[]", "r").records == ()


json_values: st.SearchStrategy[Any] = st.one_of(
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
    st.sampled_from([None, [], {}, [[]], {"": None}]),
)


@examples(st.fixed_dictionaries({}, optional=dict.fromkeys([*REQUIRED, "title", "message"], json_values)))
def test_any_record_is_read_or_refused(item: dict[str, Any]) -> None:
    made = given(item, item)
    assert len(made.records) + len(made.refused) == 2
    assert all(refused.errors for refused in made.refused)


@examples(st.sampled_from(REQUIRED), json_values)
def test_fault_of_any_value_names_its_field(name: str, value: Any) -> None:
    for error in errors(raw(**{name: value})):
        assert name in error
        assert "\n" not in error
