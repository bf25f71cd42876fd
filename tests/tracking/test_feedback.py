"""Verdicts on findings: kept line by line, found by id, held against what was stated."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crimes import __version__
from crimes.model.codec import encode
from crimes.model.errors import EnvironmentFault, UsageError
from crimes.render.calibration import lines
from crimes.render.lines import plain
from crimes.tracking.feedback import (
    PATH,
    Feedback,
    FeedbackVerdict,
    append_feedback,
    feedback_on,
    last_verdicts,
    read_feedback,
)
from crimes.workflows.calibration import BANDS, calibrate, wilson
from tests.kit.command import run_crimes
from tests.kit.reports import crime, report

ONE = crime()


def feedback(verdict: str = "tp", note: str = "", **changes: Any) -> Feedback:
    made = crime(**changes)
    return feedback_on(made, report(made), FeedbackVerdict(verdict), note)


def feedback_with(confidence: float, verdict: str, number: int = 0, type_: str = "god_function") -> Feedback:
    band = next(band for least, band in zip((0.8, 0.55, 0.3, 0), BANDS, strict=True) if confidence >= least)
    mark = f"{number:032x}"
    return Feedback(1, mark[:12], mark, type_, confidence, band, FeedbackVerdict(verdict), "", "0.1.0", "")  # type: ignore[arg-type]


def test_verdict_is_stored_as_one_complete_line(tmp_path: Path) -> None:
    append_feedback(tmp_path, feedback("fp", 'not here: "quoted"\nsecond line é\udce9'))
    append_feedback(tmp_path, feedback("tp"))
    first, second = (tmp_path / PATH).read_bytes().splitlines()
    assert json.loads(first) == {
        "version": 1,
        "id": ONE.id,
        "fingerprint": ONE.fingerprint,
        "type": "god_function",
        "confidence": 0.8,
        "band": "strong",
        "verdict": "fp",
        "note": 'not here: "quoted"\nsecond line é\\udce9',
        "tool": __version__,
        "commit": "0123456789ab",
    }
    assert json.loads(second)["verdict"] == "tp"
    assert [record.verdict for record in read_feedback(tmp_path)] == [FeedbackVerdict.FP, FeedbackVerdict.TP]


def test_without_a_file_there_are_no_verdicts(tmp_path: Path) -> None:
    assert read_feedback(tmp_path) == ()
    (tmp_path / ".crimes").write_text("a file")
    assert read_feedback(tmp_path) == ()


def test_truncated_line_does_not_swallow_the_next_verdict(tmp_path: Path) -> None:
    append_feedback(tmp_path, feedback("tp"))
    whole = (tmp_path / PATH).read_bytes()
    (tmp_path / PATH).write_bytes(whole[:-20])
    append_feedback(tmp_path, feedback("fp"))
    assert (tmp_path / PATH).read_bytes() == whole[:-20] + b"\n" + whole.replace(b'"tp"', b'"fp"')


def test_every_malformed_line_is_named_and_the_file_stays_as_it_is(tmp_path: Path) -> None:
    good = msgspec.json.encode(feedback("tp"))
    wrong = {
        2: (b"junk", "malformed"),
        3: (good.replace(b'"tp"', b'"maybe"'), "Invalid enum value"),
        4: (good.replace(b'"version":1', b'"version":7'), "it has version 7, but this crimes reads 1"),
        5: (good.replace(b"0.8", b"1.8"), "confidence"),
        6: (good.replace(b'"note"', b'"mote"'), "mote"),
        7: (b'{"version": 1, "x": ' + b"[" * 100_000, "unknown field"),
        8: (b'{"version": "\xff"}', ""),
        9: (good[:-9], "malformed"),
        10: (b"<<<<<<< ours", "malformed"),
        12: (good.replace(b'"strong"', b'"certain"'), "band"),
    }
    rows = [good, *(wrong.get(number, (b"",))[0] for number in range(2, 13)), good]
    (tmp_path / ".crimes").mkdir()
    data = b"\r\n".join(rows)
    (tmp_path / PATH).write_bytes(data)
    with pytest.raises(UsageError) as told:
        read_feedback(tmp_path)
    _, *faults = str(told.value).split("\n")
    assert [int(fault.split()[1].rstrip(":")) for fault in faults] == list(wrong)
    for fault, (_, reason) in zip(faults, wrong.values(), strict=True):
        assert reason in fault
    assert (tmp_path / PATH).read_bytes() == data


def test_a_thousand_faults_are_counted_not_listed(tmp_path: Path) -> None:
    (tmp_path / ".crimes").mkdir()
    (tmp_path / PATH).write_bytes(b"x\n" * 1_000)
    with pytest.raises(UsageError, match="and 980 more"):
        read_feedback(tmp_path)


def test_feedback_behind_a_link_is_neither_written_nor_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "feedback.jsonl").write_text("secret")
    by_file, by_folder = tmp_path / "by_file", tmp_path / "by_folder"
    (by_file / ".crimes").mkdir(parents=True)
    (by_file / PATH).symlink_to(outside / "feedback.jsonl")
    by_folder.mkdir()
    (by_folder / ".crimes").symlink_to(outside)
    for root in (by_file, by_folder):
        with pytest.raises(EnvironmentFault, match="the verdict was not saved"):
            append_feedback(root, feedback())
        with pytest.raises(EnvironmentFault, match="cannot be read"):
            read_feedback(root)
    assert (outside / "feedback.jsonl").read_text() == "secret"


def test_pipe_or_folder_in_place_of_the_file_does_not_block(tmp_path: Path) -> None:
    (tmp_path / ".crimes").mkdir()
    os.mkfifo(tmp_path / PATH)
    with pytest.raises(EnvironmentFault):
        append_feedback(tmp_path, feedback())
    (tmp_path / PATH).unlink()
    (tmp_path / PATH).mkdir()
    with pytest.raises(EnvironmentFault):
        append_feedback(tmp_path, feedback())


def test_verdicts_given_at_once_do_not_mix(tmp_path: Path) -> None:
    records = [feedback("tp", "n" * number, line=number + 1) for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda record: append_feedback(tmp_path, record), records))
    assert sorted(len(record.note) for record in read_feedback(tmp_path)) == list(range(200))


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append_feedback(tmp_path, feedback("tp"))
    before = (tmp_path / PATH).read_bytes()
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:10]))
    with pytest.raises(EnvironmentFault, match="no space left"):
        append_feedback(tmp_path, feedback("fp"))
    assert (tmp_path / PATH).read_bytes() == before


def test_long_note_is_refused() -> None:
    with pytest.raises(UsageError, match="at most 2,000"):
        feedback("tp", "x" * 2_001)


def test_untrusted_report_cannot_inject_values_into_the_file() -> None:
    with pytest.raises(UsageError, match="not written by crimes"):
        feedback("tp", fingerprint="../../x")
    with pytest.raises(UsageError, match="not written by crimes"):
        feedback("tp", confidence_band="certain")


def test_the_last_verdict_on_a_finding_counts() -> None:
    first, other, second = (
        feedback_with(0.8, "tp", 1),
        feedback_with(0.8, "tp", 2),
        feedback_with(0.9, "fp", 1),
    )
    assert last_verdicts((first, other, second)) == (second, other)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(0, 1, 0, 79), (1, 1, 21, 100), (8, 10, 49, 94), (0, 10, 0, 28), (10, 10, 72, 100), (50, 100, 40, 60)],
)
def test_wilson_intervals_as_published(successes: int, n: int, low: int, high: int) -> None:
    assert wilson(successes, n) == (low, high)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_interval_contains_the_observed_share_and_is_symmetric(case: tuple[int, int]) -> None:
    successes, n = case
    low, high = wilson(successes, n)
    assert 0 <= low <= round(100 * Decimal(successes) / n) + 1
    assert high >= int(100 * Decimal(successes) / n)
    assert abs((100 - high) - wilson(n - successes, n)[0]) <= 1


def test_calibration_table_has_rows_per_detector_and_band() -> None:
    verdicts = [feedback_with(0.9, "tp", number) for number in range(6)]
    verdicts += [feedback_with(0.85, "fp", 10 + number) for number in range(2)]
    verdicts += [feedback_with(0.6, "fp", 20 + number, "import_cycle") for number in range(9)]
    verdicts += [feedback_with(0.56, "tp", 30, "import_cycle")]
    table = calibrate(verdicts)
    assert table.all is not None
    assert (table.all.n, table.all.tp) == (18, 7)
    assert [(band.band, band.row.n) for band in table.bands] == [("strong", 8), ("moderate", 10)]
    god, cycle = table.detectors
    assert (god.type, god.all.n, god.all.stated, god.all.precision) == ("god_function", 8, 0.89, 0.75)
    assert (god.all.low, god.all.high, god.all.agrees) == (0.41, 0.93, "yes")
    assert (cycle.all.stated, cycle.all.precision, cycle.all.agrees) == (0.6, 0.1, "stated_too_high")
    shown = plain(lines(table)).splitlines()
    assert shown[0].split() == ["detector", "band", "verdicts", "stated", "observed", "95%", "interval"]
    assert shown[4] == "god_function  strong    8         0.89    0.75      0.41 to 0.93  agrees"
    assert shown[5].split()[-3:] == ["stated", "too", "high"]


def test_few_verdicts_are_undecided_and_many_can_show_low_confidence() -> None:
    few = calibrate([feedback_with(0.8, "fp", 1)]).all
    many = calibrate([feedback_with(0.55, "tp", number) for number in range(20)]).all
    assert few is not None
    assert many is not None
    assert (few.agrees, many.agrees) == ("too_few", "stated_too_low")


def test_empty_calibration_explains_how_to_give_a_verdict() -> None:
    assert "crimes feedback right ID" in plain(lines(calibrate(())))


# The commands.


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a report in which two findings share an id, and one is hidden."""
    folder = tmp_path / "shop"
    folder.mkdir()
    twin = crime("src/b.py", 20, id="abcdef012345")
    other = crime("src/c.py", 30, id="abcdef012345")
    kept = report(ONE, twin, other, hidden=(crime("src/odd.py", 3),))
    (folder / "report.json").write_bytes(encode(kept))
    return folder


def test_feedback_takes_the_beginning_of_an_id(root: Path) -> None:
    done = run_crimes(
        root, "feedback", "fp", ONE.id[:5].upper(), "--note", "by design", "--from", "report.json"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Recorded as wrong: god_function {ONE.id} at src/core.py:10")
    (record,) = read_feedback(root)
    assert (record.fingerprint, record.note, record.verdict) == (
        ONE.fingerprint,
        "by design",
        FeedbackVerdict.FP,
    )


@pytest.mark.parametrize(
    ("word", "verdict"), [("right", "tp"), ("Right", "tp"), ("tp", "tp"), ("wrong", "fp"), ("fp", "fp")]
)
def test_feedback_takes_words_and_stores_what_older_records_hold(root: Path, word: str, verdict: str) -> None:
    done = run_crimes(root, "feedback", word, ONE.id, "--from", "report.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert ("right" if verdict == "tp" else "wrong") in done.stdout
    assert json.loads((root / PATH).read_text())["verdict"] == verdict


def test_feedback_takes_hidden_findings_and_fingerprints(root: Path) -> None:
    hidden = crime("src/odd.py", 3)
    assert run_crimes(root, "feedback", "tp", hidden.id, "--from", "report.json").returncode == 0
    twin = crime("src/b.py", 20, id="abcdef012345")
    assert run_crimes(root, "feedback", "tp", twin.fingerprint, "--from", "report.json").returncode == 0
    assert [record.fingerprint for record in read_feedback(root)] == [hidden.fingerprint, twin.fingerprint]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("maybe", "abcdef"), "'maybe' is not a verdict; use 'right' or 'wrong'"),
        (("tp", "abc"), "too short"),
        (("tp", "0000000"), "'0000000' is not a finding in the last scan of shop"),
        (("tp", "abcdef"), "2 findings share the id abcdef012345"),
    ],
)
def test_feedback_on_an_unknown_finding_writes_nothing(
    root: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run_crimes(root, "feedback", *arguments, "--from", "report.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert not (root / PATH).exists()


def test_calibration_is_shown_as_text_and_json(root: Path) -> None:
    assert "No verdicts" in run_crimes(root, "calibration").stdout
    run_crimes(root, "feedback", "tp", ONE.id, "--from", "report.json")
    run_crimes(root, "feedback", "fp", ONE.id, "--from", "report.json")
    shown = run_crimes(root, "calibration")
    assert "1 finding judged" in shown.stdout
    table = json.loads(run_crimes(root, "calibration", "--format", "json").stdout)
    assert table["all"] == {
        "n": 1,
        "tp": 0,
        "stated": 0.8,
        "precision": 0.0,
        "low": 0.0,
        "high": 0.79,
        "agrees": "too_few",
    }
    assert table["detectors"][0]["type"] == "god_function"


def test_calibration_of_a_broken_file_ends_with_two(root: Path) -> None:
    run_crimes(root, "feedback", "tp", ONE.id, "--from", "report.json")
    with (root / PATH).open("a") as file:
        file.write("\x1b[2Jjunk\n")
    done = run_crimes(root, "calibration", "--format", "json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "line 2: " in done.stderr
    assert "\x1b" not in done.stderr
