"""Both states of a change, as the kinds of breakage see them."""

from __future__ import annotations

from typing import Protocol

from crimes.analyses.change.lost_names import Changes
from crimes.analyses.change.state import State


class TwoStates(Protocol):
    """Both states of a change. The changed files alone cost little; the whole states are built when they are asked for."""

    @property
    def changes(self) -> Changes: ...
    @property
    def changed_before(self) -> State: ...
    @property
    def changed_after(self) -> State: ...
    @property
    def before(self) -> State: ...
    @property
    def after(self) -> State: ...
