"""The labels hold, and a detector below the line does not ship as default."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benchmarks.precision.labels import FOLDER, load_labels, precision_of
from crimes.detection.registry import builtin


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.jsonl")), ids=lambda path: path.stem)
def test_labels_are_of_a_detector_and_complete(path: Path) -> None:
    assert path.stem in builtin()
    labels = load_labels(path.stem)
    assert all(len(label.fingerprint) == 32 and label.reason and label.commit for label in labels)
    seen = [(label.round, label.repository, label.fingerprint, label.reading) for label in labels]
    assert len(seen) == len(set(seen)), "a reading of a finding is stored once a round"


@pytest.mark.parametrize("detector", sorted(builtin()))
def test_imprecise_detectors_are_off_by_default(detector: str) -> None:
    precision = precision_of(detector)
    if precision is not None and not precision.ships_on:
        assert not builtin()[detector].default, (
            f"{precision.good:.0%} good, {precision.false} of {precision.read} false"
        )


def test_a_wrong_label_is_refused(tmp_path: Path) -> None:
    text = '{"repository": "a", "commit": "b", "fingerprint": "c", "label": "fine", "reason": "d"}\n'
    (tmp_path / "god_function.jsonl").write_text(text)
    with pytest.raises(msgspec.ValidationError, match="fine"):
        load_labels("god_function", tmp_path)


def test_the_last_round_counts(tmp_path: Path) -> None:
    def line(number: int, label: str, round_: int) -> str:
        return f'{{"repository": "a", "commit": "b", "fingerprint": "{number}", "label": "{label}", "reason": "r", "round": {round_}}}\n'

    text = line(1, "false", 1) + "".join(line(n, "acting" if n > 2 else "noise", 2) for n in range(15))
    (tmp_path / "god_function.jsonl").write_text(text + line(1, "false", 3))  # too small a sample
    last = precision_of("god_function", tmp_path)
    assert last is not None
    assert (last.round, last.read, last.acting, last.noise, last.false, last.good) == (2, 15, 12, 3, 0, 0.8)
    assert last.ships_on


def test_what_the_rules_no_longer_report_is_kept_and_not_counted(tmp_path: Path) -> None:
    def line(number: int, label: str, extra: str = "") -> str:
        return f'{{"repository": "a", "commit": "b", "fingerprint": "{number}", "label": "{label}", "reason": "r"{extra}}}\n'

    text = "".join(line(n, "acting") for n in range(15)) + line(20, "false", ', "gone": true')
    (tmp_path / "god_function.jsonl").write_text(text)
    last = precision_of("god_function", tmp_path)
    assert last is not None
    assert (last.findings, last.false) == (15, 0)
    assert len(load_labels("god_function", tmp_path)) == 16
