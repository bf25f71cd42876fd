"""A signal is worth what was measured; without labels, what its detector starts with."""

from __future__ import annotations

from crimes.judging.signal_values import SignalValue, signal_name, signal_values, with_measured_values
from crimes.model.finding import Category, Signal


def test_measured_value_replaces_the_starting_value() -> None:
    measured = signal_values()["god_function"]["history: fixes"]
    (signal,) = with_measured_values("god_function", [Signal("fixes", Category.HISTORY, 75, "5 fixes")])
    assert (signal.value, signal.measured_on) == (measured.value, measured.findings)
    assert signal.reason == "5 fixes"


def test_signal_without_labels_keeps_its_value() -> None:
    signal = Signal("parser", Category.SYNTAX, 80, "a match")
    assert with_measured_values("god_function", [signal]) == (signal,)
    assert with_measured_values("detector_of_a_plugin", [signal]) == (signal,)


def test_same_source_in_another_category_is_another_signal() -> None:
    assert signal_name(Category.DOCS, "fixes") != signal_name(Category.HISTORY, "fixes")
    signal = Signal("fixes", Category.DOCS, 70, "named in a document")
    assert with_measured_values("god_function", [signal]) == (signal,)


def test_table_states_the_sample_of_each_value() -> None:
    for signals in signal_values().values():
        for worth in signals.values():
            assert isinstance(worth, SignalValue)
            assert 2 <= worth.value <= 98
            assert worth.findings >= worth.repositories >= 1
