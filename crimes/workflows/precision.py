"""How often a detector's findings were worth reading, as measured on samples that people judged.

The numbers are in `precision.json`, which `docs/generate.py` writes from the labels in `benchmarks/precision/labels`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

PRECISION_FILE = Path(__file__).with_name("precision.json")


class Precision(Struct, frozen=True, forbid_unknown_fields=True):
    """Verdicts of people who read the code, on the last sample of a detector's findings."""

    findings: int  # that were read
    judged: int  # verdicts on them: some were read by two people
    worth_acting: int  # on the spot
    worth_knowing: int  # before the next edit there
    noise: int  # true, and of no use
    wrong: int  # not true
    repositories: int  # the sample is from

    @property
    def useful_percent(self) -> int:
        """The share that was worth acting on or knowing."""
        return _percent(self.worth_acting + self.worth_knowing, self.judged)

    @property
    def minor_percent(self) -> int:
        """The share that was true and of no use; what rounding leaves, so that the three shares add up."""
        return 100 - self.useful_percent - self.wrong_percent

    @property
    def wrong_percent(self) -> int:
        return _percent(self.wrong, self.judged)


@cache
def measured_precision() -> Mapping[str, Precision]:
    """The precision of every detector that was measured, by its id."""
    return msgspec.json.decode(PRECISION_FILE.read_bytes(), type=dict[str, Precision])


def _percent(part: int, whole: int) -> int:
    return (200 * part + whole) // (2 * whole)
