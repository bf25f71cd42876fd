"""What can be said of a change besides its findings has a meaning in words."""

from __future__ import annotations

from crimes.analyses.change.kinds import KINDS
from crimes.model.change import CHANGE_KINDS


def test_every_kind_has_a_meaning() -> None:
    assert [kind.name for kind in KINDS] == list(CHANGE_KINDS)
