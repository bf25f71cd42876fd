"""The line hash is GitHub's own: these values are the ones its upload action computes."""

from __future__ import annotations

import pytest

from crimes.render.line_hash import line_hashes

MIXED = [
    "e9496ae3ebfced30:1",
    "fb7c023a8b9ccb3f:1",
    "ce8ba1a563dcdaca:1",
    "e20e36e16fcb0cc8:1",
    "b3edc88f2938467e:1",
    "c8e28b0b4002a3a0:1",
    "c129715d7a2bc9a3:1",
]


@pytest.mark.parametrize(
    ("content", "hashes"),
    [
        ("", ["c129715d7a2bc9a3:1"]),
        (
            " a\nb\n  \t\tc\n d",
            ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"],
        ),
        (" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n", MIXED),
        (" hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r", MIXED),
        (" hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n", MIXED),
        (" hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n", MIXED),
        (
            "Lorem ipsum dolor sit amet.\n" * 10,
            [
                *(f"a7f2ff13bc495cf2:{number}" for number in range(1, 7)),
                "a7f2ff1481e87703:1",
                "a9cf91f7bbf1862b:1",
                "55ec222b86bcae53:1",
                "cc97dc7b1d7d8f7b:1",
                "c129715d7a2bc9a3:1",
            ],
        ),
    ],
)
def test_line_hashes_equal_those_of_github(content: str, hashes: list[str]) -> None:
    assert line_hashes(content.encode()) == hashes


def test_a_character_beyond_the_basic_plane_counts_as_two() -> None:
    """As in a reader that looks at UTF-16: the hundred characters of the first line end one earlier."""
    assert line_hashes(("😀" + "a" * 98 + "b").encode()) == line_hashes(("😀" + "a" * 98 + "c").encode())
    assert line_hashes(("é" + "a" * 98 + "b").encode()) != line_hashes(("é" + "a" * 98 + "c").encode())


def test_any_bytes_can_be_hashed() -> None:
    assert len(line_hashes(b"\xff\xfe\n\x00\xc3\n")) == 3
