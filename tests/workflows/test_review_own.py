"""crimes' own findings on a real diff: what is new, where it can stand, how severe it may be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from crimes.config.schema import Config
from crimes.detection.registry import catalogue
from crimes.engine import read_files
from crimes.engine.scan import scan
from crimes.model.report import DetectorRun, Lines, MeasureOut, RelatedOut, SignalOut
from crimes.model.severity import Severity
from crimes.render.lines import plain
from crimes.render.review import lines
from crimes.render.review_github import payload
from crimes.render.review_markdown import markdown
from crimes.render.review_parts import headline, remarks
from crimes.system.git_diff import Change, Difference, difference
from crimes.workflows.review.assemble import assemble
from crimes.workflows.review.own import OwnReview, gaps, own_records, review_own
from crimes.workflows.review.policy import arrange, parse_threshold, place
from crimes.workflows.review.reading import Input
from crimes.workflows.review.record import Evidence, Kind, Record, ReviewVerdict, Visibility
from crimes.workflows.review.result import Review
from crimes.workflows.scan_options import ScanOptions
from crimes.workflows.session import Session
from tests.kit.gitrepo import GitRepo
from tests.kit.little_seen import SMALL, SOUND, WITHOUT_ADVICE
from tests.kit.reports import crime, report

BODY = "".join(
    f"{'    ' * depth}if a > {depth}:\n{'    ' * (depth + 1)}a += {depth}\n" for depth in range(1, 12)
)
FILLER = "".join(f"value_{number} = {number}\n" for number in range(60))


def tangled(name: str = "tangled") -> str:
    return f"def {name}(a):\n{BODY}    return a\n"


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    made = GitRepo(tmp_path / "shop")
    made.commit(
        {
            "shop/old.py": tangled("old") + FILLER,
            "shop/plain.py": "def plain(a):\n    return a\n",
            "AGENTS.md": "Payments are in `shop/plain.py`.\n",
        }
    )
    return made


def own(repo: GitRepo) -> list[Record]:
    """What --own adds, with the last commit as the base."""
    diff = difference(repo.path, repo.git("rev-parse", "HEAD"))
    return list(review_own(Session(repo.path, ScanOptions(cache=False)), diff).records)


def test_new_finding_is_placed_on_its_line(repo: GitRepo) -> None:
    repo.write({"shop/plain.py": "def plain(a):\n    return a\n\n\n" + tangled()})
    (made,) = [record for record in own(repo) if "god_function" in record.title]
    assert (made.file, made.line, made.placed) == ("shop/plain.py", 5, True)
    assert (made.in_diff, made.in_changed_code) == (True, True)
    # The verdict follows from what the labels say the signal is worth; `judged` has a test of its own.
    strong = "strong" in {crime.confidence_band for crime in scan(repo.path, Config()).report.findings}
    assert made.verdict is (ReviewVerdict.CONFIRMED if strong else ReviewVerdict.LIKELY)
    assert (made.evidence, made.context) == (Evidence.DIRECT, Visibility.FULL)
    assert (made.category, made.drafter, made.number) == (Kind.MAINTAINABILITY, None, None)
    assert made.checks[0] == "new: the base does not have it"
    assert place(made, 55).points.score == (100 if strong else 70)


def test_finding_of_the_base_is_dropped_with_a_reason(repo: GitRepo) -> None:
    repo.write({"shop/old.py": "x = 1\n\n\n" + tangled("old") + FILLER})
    (made,) = [record for record in own(repo) if "god_function" in record.title]
    assert (made.in_diff, made.in_changed_code) == (True, False)
    assert made.checks[0] == "not new: the base has it"
    assert place(made, 55).why == "not in changed code"


def test_findings_outside_the_diff_are_left_out(repo: GitRepo) -> None:
    repo.write({"shop/plain.py": "def plain(a):\n    return a + 1\n"})
    assert own(repo) == []


def test_findings_of_a_moved_file_are_not_new(repo: GitRepo) -> None:
    repo.git("mv", "shop/old.py", "shop/moved.py")
    repo.write({"shop/moved.py": tangled("old") + FILLER + tangled("added")})
    made = {record.message.split("`")[1]: record for record in own(repo) if "god_function" in record.title}
    assert made["old"].in_changed_code is False
    assert made["old"].checks[0] == "not new: the base has it in shop/old.py"
    assert made["added"].in_changed_code is True


def test_finding_caused_in_an_untouched_file_is_new_but_not_placed(repo: GitRepo) -> None:
    repo.git("mv", "shop/plain.py", "shop/other.py")
    (made,) = [record for record in own(repo) if "stale_instruction" in record.title]
    assert (made.file, made.placed, made.in_diff, made.in_changed_code) == ("AGENTS.md", False, True, True)
    assert made.checks == ("new: the base does not have it", "the diff does not show its line")
    assert (made.evidence, made.context) == (Evidence.CIRCUMSTANTIAL, Visibility.PARTIAL)


def test_files_of_the_diff_that_could_not_be_read_are_named(repo: GitRepo) -> None:
    repo.commit({"shop/bad.py": "x = 1\n", "shop/big.py": "x = 1\n"})
    repo.write({"shop/bad.py": "def (:\n", "shop/big.py": "x = 1\n" * 500_000, "shop/plain.py": "x = 1\n"})
    now = scan(repo.path, Config()).report
    told = list(gaps(now, difference(repo.path, repo.git("rev-parse", "HEAD"))))
    assert [warning.split(":")[0] for warning in told] == [
        "shop/big.py was not read",
        "shop/bad.py was read in part",
    ]


def test_review_leaves_the_work_tree_untouched(repo: GitRepo) -> None:
    repo.write({"shop/plain.py": tangled()})
    before = {path: path.stat().st_mtime_ns for path in repo.path.rglob("*")}
    own(repo)
    assert {path: path.stat().st_mtime_ns for path in repo.path.rglob("*")} == before


# What a report by hand shows better.

DIFF = Difference(
    "base",
    {
        "src/core.py": Change("src/core.py", "src/core.py", shown=(range(8, 15),), added=(range(12, 13),)),
        "src/first.py": Change(
            "src/first.py", "src/first.py", shown=(range(20, 27),), added=(range(23, 25),)
        ),
    },
)
RAN = (DetectorRun("god_function", "ran", "", 0), DetectorRun("hidden_coupling", "ran", "", 0))


def entered(diff: Difference = DIFF, dismissed: tuple[str, ...] = (), **changes: Any) -> Record | None:
    """The record of one finding that the base does not have."""
    now = report(crime(**{"related": (), **changes}))
    before = report(detectors=RAN)
    return next(own_records(now, before, diff, catalogue(), dismissed), None)


def made(**changes: Any) -> Record:
    record = entered(**changes)
    assert record is not None
    return record


@pytest.mark.parametrize(
    ("lines", "line", "placed", "evidence", "context"),
    [
        ((12, 20), 12, True, "direct", "full"),  # its own line is new
        ((10, 20), 10, True, "circumstantial", "full"),  # shown, and changed inside
        ((2, 20), 12, True, "circumstantial", "full"),  # begins before the hunk: the changed line inside it
        ((13, 20), 13, True, "circumstantial", "partial"),  # shown, not changed
        ((30, 40), 30, False, "circumstantial", "partial"),  # elsewhere in the file
    ],
)
def test_line_and_context_of_a_record_follow_the_diff(
    lines: tuple[int, int], line: int, placed: bool, evidence: str, context: str
) -> None:
    record = made(lines=Lines(*lines))
    assert (record.line, record.placed, record.evidence, record.context) == (line, placed, evidence, context)


def test_finding_about_a_whole_file_is_placed_on_its_first_new_line() -> None:
    record = made(file="src/first.py", symbol="", lines=Lines(1, 1))
    assert (record.line, record.placed, record.context) == (23, True, Visibility.FULL)


@pytest.mark.parametrize(
    ("category", "severity", "counts_as", "kind"),
    [
        ("structure", Severity.HIGH, Severity.MEDIUM, Kind.MAINTAINABILITY),
        ("agents", Severity.HIGH, Severity.MEDIUM, Kind.MAINTAINABILITY),
        ("tests", Severity.LOW, Severity.LOW, Kind.TESTING),
        ("correctness", Severity.HIGH, Severity.HIGH, Kind.LOGIC_ERROR),
        ("security", Severity.HIGH, Severity.HIGH, Kind.SECURITY),
    ],
)
def test_only_correctness_and_security_keep_high_severity(
    category: str, severity: Severity, counts_as: Severity, kind: Kind
) -> None:
    record = made(category=category, severity=severity)
    assert (record.verifier, record.category) == (counts_as, kind)
    assert any("counts as medium" in check for check in record.checks) == (counts_as is not severity)


def test_measured_finding_is_confirmed_and_a_heuristic_one_is_not() -> None:
    assert made().verdict is ReviewVerdict.CONFIRMED
    assert made(evidence={"names": MeasureOut(("a",))}).verdict is ReviewVerdict.LIKELY
    both = tuple(SignalOut("x", category, "t", 0.8, "") for category in ("syntax", "graph"))
    assert made(evidence={}, confidence_signals=both).verdict is ReviewVerdict.CONFIRMED


def test_confidence_caps_lower_the_context() -> None:
    assert (
        made(lines=Lines(12, 20), confidence_caps=("graph_fallback: at most 0.55",)).context
        is Visibility.PARTIAL
    )
    assert (
        made(lines=Lines(12, 20), confidence_caps=("parse_fallback: at most 0.60",)).context
        is Visibility.NONE
    )


def test_a_file_related_to_the_diff_counts_as_touched() -> None:
    elsewhere: dict[str, Any] = {"file": "far.py", "type": "hidden_coupling"}
    assert entered(**elsewhere) is None  # a matter of history: time alone may have made it
    related = (RelatedOut("src/core.py", Lines(1, 1), "", ""),)
    assert entered(**elsewhere, related=related) is not None


def test_finding_is_not_new_when_its_detector_skipped_the_base() -> None:
    now = report(crime())
    off = report(detectors=(DetectorRun("god_function", "skipped", "no git", 0),))
    (record,) = own_records(now, off, DIFF, catalogue())
    assert record.in_changed_code is False
    assert "not known to be new" in record.checks[0]


def test_false_positive_feedback_dismisses_a_finding() -> None:
    record = made(dismissed=(crime().fingerprint,))
    assert record.verdict is ReviewVerdict.DISMISSED
    assert place(record, 55).disposition == "drop"


def test_finding_hidden_at_the_base_is_not_new() -> None:
    now = report(crime())
    before = report(hidden=(crime(),), detectors=RAN)
    (record,) = own_records(now, before, DIFF, catalogue())
    assert record.in_changed_code is False


def test_base_with_a_file_that_hangs_its_grammar_is_scanned_without_it(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without isolation the allowance of processor time ends the process that reviews."""
    monkeypatch.setattr(read_files, "MAX_FILE_SECONDS", 0.2)
    repo.commit({"shop/endless.ts": "[y=[.a}"})
    repo.write({"shop/plain.py": tangled()})
    assert [record.file for record in own(repo)] == ["shop/plain.py"]


def test_a_broken_reference_is_confirmed_though_the_diff_does_not_show_it(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "shop")
    repo.commit(
        {"cart.py": "def total():\n    return 1\n", "till.py": "from cart import total\n\nN = total()\n"}
    )
    repo.write({"cart.py": "def sum_up():\n    return 1\n"})
    diff = difference(repo.path, "HEAD")
    (record,) = review_own(Session(repo.path, ScanOptions(cache=False)), diff).records
    assert (record.file, record.line, record.placed) == ("till.py", 1, False)
    assert (record.verdict, record.verifier) == (ReviewVerdict.CONFIRMED, Severity.HIGH)
    assert (
        record.message
        == "`total` is gone from cart.py, but 1 place in 1 file still uses it. Use `sum_up` there."
    )


def test_what_endangers_an_agent_is_security() -> None:
    for name in ("hidden_text", "agent_permission_sprawl"):
        detector = catalogue()[name]
        found = crime(type=name, category=detector.category, severity=Severity.MEDIUM, file="src/core.py")
        ran = (DetectorRun(name, "ran", "", 1),)
        now, before = report(found, detectors=ran), report(detectors=ran)
        (record,) = own_records(now, before, DIFF, catalogue())
        assert record.category is Kind.SECURITY
        arranged = arrange([record, *(replace(record, category=Kind.STYLE) for _ in range(9))], cap=0)
        (first, *_) = arranged.inline
        assert (first.record.category, first.forced) == (Kind.SECURITY, True)


def test_review_of_a_collapsed_repository_does_not_approve(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "shop", past=False)
    bad = {f"bad{n}.py": "def f(:\n    return ((\nclass ]\n" for n in range(12)}
    lost = "".join(f"import app.gone{n}\n" for n in range(40))
    repo.commit({**bad, "app/__init__.py": lost})
    settings = ".claude/settings.json"
    repo.write({settings: '{"permissions": {"allow": ["Bash(*)"]}}\n'})
    repo.git("add", "-A")
    diff = difference(repo.path, repo.git("rev-parse", "HEAD"))
    found = review_own(Session(repo.path, ScanOptions(cache=False)), diff)
    assert (found.records, found.undecided) == ((), True)
    assert found.warnings[0].startswith("findings of crimes are withheld: too little was seen")
    review = assemble(Input((), ()), diff, found, parse_threshold(None), cap=5)
    assert review.assessment == "comment"
    assert headline(review).startswith("Comment. ")
    assert assemble(Input((), ()), diff, OwnReview(), parse_threshold(None), cap=5).assessment == "approve"
    whole = {name: f"def f{number}():\n    return 1\n" for number, name in enumerate(bad)}
    repo.write({**whole, "app/__init__.py": ""})
    repo.git("add", "-A")
    mended = review_own(Session(repo.path, ScanOptions(cache=False)), difference(repo.path, diff.base))
    assert (mended.records, mended.undecided) == ((), True), "nothing can be called new"
    assert mended.warnings[0].startswith("findings of crimes on the base are withheld: too little was seen")


def undecided_review(repo: GitRepo) -> tuple[OwnReview, Review]:
    """The review of a harmless change to a repository whose scans allow no verdict."""
    repo.write({"app/__init__.py": "# harmless\n"})
    diff = difference(repo.path, repo.git("rev-parse", "HEAD"))
    found = review_own(Session(repo.path, ScanOptions(cache=False)), diff)
    return found, assemble(Input((), ()), diff, found, parse_threshold(None), cap=5)


@pytest.mark.parametrize(
    ("files", "parts"),
    [
        (SMALL, ("the base cannot be compared: no past", "and 2 more reasons")),
        (SOUND, ("the base: trust is too low", "0.36, at least 0.50 needed")),
        (WITHOUT_ADVICE, ("the base: trust is too low", "0.15, at least 0.50 needed")),
    ],
    ids=["too small", "composite under .50", "mean under .40"],
)
def test_no_approval_without_a_verdict_on_the_change(
    tmp_path: Path, files: dict[str, str], parts: tuple[str, str]
) -> None:
    repo = GitRepo(tmp_path / "shop", past=False)
    repo.commit(files)
    found, review = undecided_review(repo)
    assert (found.undecided, review.assessment, review.inline) == (True, "comment", ())
    assert headline(review).startswith("Comment. ")
    (said,) = [text for text in remarks(review) if text.startswith("Not approved, for there is no verdict")]
    assert all(part in said for part in parts), said
    assert review.trust in " ".join(remarks(review))
    for text in (plain(lines(review)), markdown(review), payload(review).body):
        assert said in text.replace("\\", "")


def test_a_harmless_change_to_a_trusted_repository_is_approved(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "shop", past=False)
    for number in range(12):
        repo.commit({**SOUND, "notes.md": f"{number}\n"}, days_ago=60 - 5 * number)
    found, review = undecided_review(repo)
    assert (found.undecided, found.trust, review.trust, review.assessment) == (False, "", "", "approve")
    assert not any(text.startswith(("Not approved", "Trust in")) for text in remarks(review))
