"""The colours of owners can be told apart by people who do not see red, green or blue."""

from __future__ import annotations

import math
import re
from itertools import combinations

import pytest

from crimes.render.html.scales import MAX_OWNERS
from crimes.render.html.shell import asset

# How light arrives, in linear RGB (Machado, Oliveira and Fernandes 2009, without any of the cone).
SIGHT = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
_TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_WHITE = (0.95047, 1.0, 1.08883)
CLEARLY_APART = 15.0  # in CIELAB, where 2.3 is just noticeable side by side


def _times(matrix: tuple[tuple[float, ...], ...], values: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, values, strict=True)) for row in matrix]


def _lab(colour: str, sight: str) -> tuple[float, float, float]:
    shares = [value / 255 for value in bytes.fromhex(colour.removeprefix("#"))]
    light = [((part + 0.055) / 1.055) ** 2.4 if part > 0.04045 else part / 12.92 for part in shares]
    seen = [min(max(part, 0.0), 1.0) for part in _times(SIGHT[sight], light)]
    x, y, z = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in (a / b for a, b in zip(_times(_TO_XYZ, seen), _WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _owner_colours(dark: bool) -> list[str]:
    """Of the owners with a colour of their own, of all others, and of files without an owner."""
    css = asset("map.css")
    found = [
        re.search(rf"\.owner-{name} {{ fill: (#\w{{6}});", css) for name in (*range(MAX_OWNERS), "other")
    ]
    none = re.search(r"--none: light-dark\((#\w{6}), (#\w{6})\)", asset("base.css"))
    assert none
    return [*(match[1] for match in found if match), none[2 if dark else 1]]


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("dark", [False, True])
def test_owners_can_be_told_apart(sight: str, dark: bool) -> None:
    colours = _owner_colours(dark)
    assert len(colours) == MAX_OWNERS + 2
    near = {
        (a, b): distance
        for a, b in combinations(colours, 2)
        if (distance := math.dist(_lab(a, sight), _lab(b, sight))) < CLEARLY_APART
    }
    assert not near
