"""Coverage files of every format, of real tools and of hostile strangers."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crimes.analyses.coverage import recorder
from crimes.analyses.coverage.recorder import Malformed
from crimes.analyses.coverage.sniff import read_coverage
from crimes.model.line_coverage import Recorded
from tests.kit.paths import COVERAGE_DATA

CART_PY = {
    **dict.fromkeys((4, 5, 6, 7, 9, 10, 12, 15), True),
    **dict.fromkeys((8, 11, 16, 17, 18, 19), False),
}
CART_JS = {**dict.fromkeys((4, 5, 6, 9, 11, 14, 22), True), **dict.fromkeys((7, 15, 16, 17, 19), False)}


def sample(name: str) -> Recorded:
    return read_coverage((COVERAGE_DATA / name).read_bytes())


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("coverage_py.json", "coverage.py JSON"),
        ("coverage_py.xml", "Cobertura XML"),
        ("coverage_py.lcov", "lcov"),
    ],
)
def test_three_formats_of_coverage_py_agree(name: str, format: str) -> None:
    found = sample(name)
    assert found.format == format
    assert found.files["src/shop/cart.py"] == CART_PY
    assert found.files["src/shop/never.py"] == {1: False, 2: False}
    assert found.files["src/shop/__init__.py"] == {}
    assert len(found.files) == 5
    assert found.ignored == 0


@pytest.mark.parametrize("name", ["nyc.lcov", "nyc_cobertura.xml"])
def test_two_formats_of_istanbul_agree(name: str) -> None:
    assert sample(name).files == {"src/cart.js": CART_JS}


def test_lcov_of_c8_counts_every_line() -> None:
    lines = sample("c8.lcov").files["src/cart.js"]
    assert sorted(lines) == list(range(1, 23))
    assert [line for line, ran in lines.items() if not ran] == [7, 8, 15, 16, 17, 18, 19]


def test_jacoco_with_its_document_type_groups_and_sessions() -> None:
    found = sample("jacoco.xml")
    assert found.format == "JaCoCo XML"
    assert found.made == 1_760_000_100
    assert found.files == {
        "org/example/shop/Cart.java": {3: True, 5: True, 6: False, 8: True},
        "org/example/shop/rates/Tax.java": {7: False},
    }


def test_go_blocks_are_lines_and_a_line_of_two_blocks_ran_when_one_did() -> None:
    found = sample("cover.out")
    assert found.files == {
        "example.org/shop/cart/cart.go": {5: True, 6: True, 7: True, 8: False, 9: False, 10: True},
        "example.org/shop/main.go": {3: False, 4: False, 5: False},
        "example.org/shop/empty.go": {},
    }


def test_cobertura_of_dotnet_with_a_byte_order_mark() -> None:
    found = sample("coverlet.xml")
    assert found.files == {"Shop\\Cart.cs": {4: True, 5: False}}
    assert (found.roots, found.made) == (("D:\\Work\\Shop\\src\\",), 1_760_000_000)


def test_cobertura_of_gcovr_with_a_huge_count_and_decimals_in_its_time() -> None:
    found = sample("gcovr.xml")
    assert found.files == {"src/cart.c": {3: True, 4: True, 9: False}}
    assert found.made == 1_760_000_000


def test_times_are_stated_in_milliseconds_seconds_or_not_at_all() -> None:
    def made(stamp: str) -> int | None:
        return read_coverage(f'<coverage timestamp="{stamp}"><packages/></coverage>'.encode()).made

    assert made("1760000000123") == made("1760000000") == 1_760_000_000
    assert made("0") is made("") is made("yesterday") is made("9" * 30) is None


def test_json_timestamp_is_read_with_or_without_a_zone() -> None:
    def made(stamp: str) -> int | None:
        return read_coverage(json.dumps({"meta": {"timestamp": stamp}, "files": {}}).encode()).made

    assert made("2025-10-09T08:53:20") == made("2025-10-09T10:53:20+02:00") == 1_760_000_000
    assert made("soon") is None


def test_lines_of_one_file_listed_twice_are_merged() -> None:
    twice = b"TN:a\nSF:x.py\nDA:1,0\nDA:2,1\nend_of_record\nTN:b\nSF:x.py\nDA:1,3\nDA:2,0\nDA:3,0\nend_of_record\n"
    assert read_coverage(twice).files == {"x.py": {1: True, 2: True, 3: False}}


def test_joined_go_profiles_repeat_the_mode() -> None:
    joined = b"mode: set\na.go:1.1,1.9 1 0\nmode: set\na.go:1.1,1.9 1 1\n"
    assert read_coverage(joined).files == {"a.go": {1: True}}


def test_comments_may_stand_before_an_lcov_record() -> None:
    assert read_coverage(b"# made by hand\n\n# twice\nSF:a.c\nDA:1,1\n").files == {"a.c": {1: True}}


def test_invalid_entries_are_counted_and_ignored() -> None:
    lcov = read_coverage(
        b"SF:a.py\nDA:-4,1\nDA:5,-3\nDA:0,1\nDA:x,1\nDA:7\nDA:99999999999,1\nDA:8,2\nend_of_record\nDA:9,1\n"
    )
    assert (lcov.files, lcov.ignored) == ({"a.py": {8: True}}, 7)
    go = read_coverage(
        b"mode: set\na.go:-1.1,2.1 1 1\na.go:3.1,3.2 1 one\na.go:4.1,4.2 1 -1\na.go:5.1,5.2 1 1\n"
    )
    assert (go.files, go.ignored) == ({"a.go": {5: True}}, 3)
    as_json = read_coverage(
        b'{"meta": {}, "files": {"a.py": {"executed_lines": [-1, 0, 2], "missing_lines": []}}}'
    )
    assert (as_json.files, as_json.ignored) == ({"a.py": {2: True}}, 2)
    jacoco = read_coverage(
        b'<report><package name="p"><sourcefile name="A.java"><line nr="-1" ci="1"/><line nr="2" ci="-1"/><line/>'
        b'<line nr="3" ci="1"/></sourcefile></package></report>'
    )
    assert (jacoco.files, jacoco.ignored) == ({"p/A.java": {3: True}}, 3)


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE coverage [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(10))
    + "]><coverage><sources><source>&k;</source></sources></coverage>"
)
EXTERNAL = (
    '<!DOCTYPE report [<!ENTITY x SYSTEM "{url}">]>'
    '<report><package name="&x;"><sourcefile name="a"/></package></report>'
)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (LAUGHS, "declares entities"),
        (EXTERNAL.format(url="file:///etc/passwd"), "declares entities"),
        ('<!DOCTYPE report [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x"> %x;]><report/>', "declares entities"),
        ('<!DOCTYPE coverage [<!ATTLIST line hits CDATA "1">]><coverage/>', "declares entities"),
        ("<coverage><packages>&nbsp;</packages></coverage>", "not well-formed"),
        ("<coverage><packages>", "not well-formed"),
        ("<coverage>\0</coverage>", "not well-formed"),
        ("<coverage>" + "<packages>" * 60, "nested too deeply"),
        ("<packages/>", "neither Cobertura nor JaCoCo"),
        ('<coverage clover="4.4"><project timestamp="1"/></coverage>', "neither Cobertura nor JaCoCo"),
        ('<report><row line="1"/></report>', "neither Cobertura nor JaCoCo"),
        ("{" * 100_000, "not valid JSON"),
        ('{"x": ' + "[" * 100_000, "nested too deeply"),
        ('{"meta": {}, "files": []}', "not a coverage.py report"),
        ('{"a.js": {"path": "a.js", "statementMap": {}}}', "not a coverage.py report"),
        (
            '{"meta": {}, "files": {"a": {"executed_lines": ["1"], "missing_lines": []}}}',
            "not a coverage.py report",
        ),
        ('{"meta"', "not valid JSON"),
        ("", "it is empty"),
        (" \n", "it is empty"),
        ("\0\0\0", "its format is unknown"),
        ("PK\x03\x04", "its format is unknown"),
        ("SQLite format 3\0", "coverage json"),
        ("mode: set\nnothing here\n", "no entry in it can be read"),
        ("TN:\nDA:1,1\n", "no entry in it can be read"),
    ],
)
def test_untrustworthy_data_is_refused_with_a_reason(data: str, reason: str) -> None:
    with pytest.raises(Malformed, match=reason):
        read_coverage(data.encode())


def test_a_document_cannot_choose_its_decoder() -> None:
    assert (
        read_coverage(b'<?xml version="1.0" encoding="rot13"?><coverage><packages/></coverage>').files == {}
    )
    with pytest.raises(Malformed, match="not well-formed"):
        read_coverage(
            '<?xml version="1.0" encoding="utf-7"?><coverage><packages/>+AKM-é</coverage>'.encode("latin-1")
        )


def test_document_type_declarations_never_open_files_or_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The DTD a document names exists here, as a file and on a server: neither is asked for."""
    (tmp_path / "report.dtd").write_text('<!ENTITY x "expanded">')
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/report.dtd"
        for dtd in ("report.dtd", (tmp_path / "report.dtd").as_uri(), url):
            document = f'<!DOCTYPE report SYSTEM "{dtd}"><report><package name="p"><sourcefile name="a&x;b"/></package></report>'
            names = " ".join(read_coverage(document.encode()).files)
            assert "expanded" not in names
        with pytest.raises(TimeoutError):
            server.accept()


SAMPLES = tuple(path.read_bytes() for path in sorted(COVERAGE_DATA.iterdir()))
SCRAPS = st.sampled_from(
    [b"", b"\0", b"\xa2", b"-1", b"9" * 30, b"NaN", b'"', b"{", b"<line", b"&x;", b"\nSF:", b"\nDA:1,"]
)


@given(
    st.sampled_from(SAMPLES),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 60), SCRAPS), max_size=5),
)
def test_damaged_files_are_read_or_refused(data: bytes, damage: list[tuple[int, int, bytes]]) -> None:
    for at, length, scrap in damage:
        at %= len(data) + 1
        data = data[:at] + scrap + data[at + length :]
    try:
        found = read_coverage(data)
    except Malformed:
        return
    assert all(line > 0 for lines in found.files.values() for line in lines)


def test_json_that_is_no_text_is_refused() -> None:
    with pytest.raises(Malformed, match="not valid JSON"):
        read_coverage(b'{"meta": {"timestamp": "\xa2"}, "files": {}}')


HUGE = 50_000_000


@pytest.mark.parametrize(
    "made",
    [
        lambda: (
            b"SF:" + b"a" * HUGE + b"\nDA:1,1\nend_of_record\nSF:b.py\nDA:1,1\nDA:2," + b"9" * (HUGE - 1_000)
        ),
        lambda: b"mode: set\n" + b"a" * HUGE + b"\nb.py:1.1,1.2 1 1\n",
        lambda: (
            b'<coverage><packages><class filename="b.py"><line number="1" hits="1"/></class><!--'
            + b"x" * HUGE
            + b"--></packages></coverage>"
        ),
        lambda: (
            b'{"x": "'
            + b"a" * HUGE
            + b'", "meta": {}, "files": {"b.py": {"executed_lines": [1], "missing_lines": []}}}'
        ),
    ],
    ids=["lcov", "go", "cobertura", "json"],
)
def test_a_line_of_fifty_megabytes_is_survived(made: Callable[[], bytes]) -> None:
    assert read_coverage(made()).files == {"b.py": {1: True}}


def test_oversized_data_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Malformed, match="larger than 100,000,000 bytes"):
        read_coverage(b" " * (recorder.MAX_FILE_BYTES + 1))
    monkeypatch.setattr(recorder, "MAX_LINES", 1_000)
    with pytest.raises(Malformed, match="more than 1,000 lines"):
        read_coverage(b"mode: set\na.go:1.1,999999999.1 1 1\n")


def test_names_with_nul_and_control_characters_are_kept_verbatim() -> None:
    assert read_coverage(b"SF:a\0b\x1b[2J.py\nDA:1,1\n").files == {"a\0b\x1b[2J.py": {1: True}}
    assert read_coverage(b"SF:caf\xe9.py\nDA:1,1\n").files == {"caf\udce9.py": {1: True}}
