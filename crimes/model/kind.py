"""What a finding is about: code that can be fixed, or a place that asks for care."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """`code`: something can be fixed here. `place`: be careful here; never new, never fixed, never gates."""

    CODE = "code"
    PLACE = "place"
