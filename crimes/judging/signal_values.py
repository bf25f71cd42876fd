"""What a signal was measured to be worth: the share of labelled findings with it that readers called useful, where there are labels.

The values are in `signal_values.json`, which `make docs` writes from the labels in `benchmarks/precision/labels`. A signal that
no labelled finding had keeps the value its detector starts with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from crimes.model.finding import Signal

VALUES_FILE = Path(__file__).with_name("signal_values.json")


class SignalValue(Struct, frozen=True, forbid_unknown_fields=True):
    """The measured worth of one signal of one detector."""

    value: int  # in hundredths
    findings: int  # labelled findings that had it
    repositories: int  # those are from


@cache
def signal_values() -> Mapping[str, Mapping[str, SignalValue]]:
    """The measured signals of each detector, by `signal_name`."""
    return msgspec.json.decode(VALUES_FILE.read_bytes(), type=dict[str, dict[str, SignalValue]])


def signal_name(category: str, source: str) -> str:
    """How a signal is called in labels and in the table: "syntax: tangled"."""
    return f"{category}: {source}"


def with_measured_values(detector: str, signals: Iterable[Signal]) -> tuple[Signal, ...]:
    """The signals of a detector, each with its measured value if it has one."""
    measured = signal_values().get(detector, {})
    return tuple(_measured(signal, measured) for signal in signals)


def _measured(signal: Signal, measured: Mapping[str, SignalValue]) -> Signal:
    worth = measured.get(signal_name(signal.category, signal.source))
    if worth is None:
        return signal
    return msgspec.structs.replace(signal, value=worth.value, measured_on=worth.findings)
