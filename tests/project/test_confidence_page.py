"""Every part of the model that docs/confidence.md names is where its table says: each command is run on a sample repository."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.kit.command import run_crimes
from tests.kit.gitrepo import GitRepo
from tests.kit.paths import ROOT
from tests.kit.sample_history import build

PAGE = ROOT / "docs/confidence.md"
CLAIMS = "I think the root cause is definitely the cache.\n\nMaybe it is slow.\n"
TANGLED = "def route(rows, a, b):\n" + "".join(
    f"    for row{n} in rows:\n        if row{n} and a > {n}:\n            if b or row{n} < {n}:\n"
    f"                while a:\n                    if row{n} == b:\n                        a = a - {n}\n"
    for n in range(9)
)
ADMITTED = TANGLED.replace(
    "        if row3", "        # FIXME: breaks for rows without a price\n        if row3"
)
RECORD = {
    "file": "src/tollgate/money.py",
    "line": 1,
    "category": "security",
    "verdict": "DISMISSED",
    "evidence_strength": "speculative",
    "context_completeness": "partial",
    "drafter_severity": "high",
    "verifier_severity": "low",
    "in_diff": True,
    "in_changed_code": True,
    "title": "Overflow",
    "message": "Amounts are whole cents.",
}


class Row(NamedTuple):
    part: str
    command: str


def rows() -> Iterator[Row]:
    for part, command in re.findall(
        r"^\| ([^|]+) \| `(crimes [^`]+)` \|", PAGE.read_text("utf-8"), re.MULTILINE
    ):
        yield Row(part, command)


def findings(text: str) -> list[dict[str, Any]]:
    report = json.loads(text)
    return [*report["findings"], *report["hidden"]]


def has(*parts: str) -> Callable[[str], bool]:
    return lambda text: all(re.search(part, text) for part in parts)


def trust_has(check: Callable[[Any], bool]) -> Callable[[str], bool]:
    def checked(text: str) -> bool:
        trust = json.loads(text)
        return check(trust.get("trust", trust))

    return checked


SHOWN: dict[str, Callable[[str], bool]] = {
    "scores": lambda text: (
        "weights" in json.loads(text)
        and all(len(found["scores"]) == 6 and found["risk_trace"] for found in findings(text))
    ),
    "risk profile, in a list": has(r"Risk profile: churn \d\.\d\d \("),
    "risk profile, of a finding": has(r"Risk profile: agent_risk", r"churn +\d\.\d\d  \d+ commit"),
    "risk profile, of a file": has(
        r"\d+ commits? in the 90 days before \d{4}-\d\d-\d\d", "test gap", "blast radius"
    ),
    "risk profile, of a ranking": lambda text: all(
        {"churn", "test_gap", "blast_radius"} <= file.keys() for file in json.loads(text)["files"]
    ),
    "evidence and arithmetic": has(
        r"Confidence that it is real and worth acting on: 0\.\d\d", r"syntax +0\.\d\d"
    ),
    "worth of a signal": has(r"\(\d+% of \d+ judged findings with this evidence were useful\)"),
    "low confidence": has(r"# Low confidence: .*\n.*quiet\.py"),
    "second pass": has(r"- 0\.45 before a second pass\n"),
    "feedback as evidence": has(r"review +0\.95  a person called it right"),
    "stated against observed": has(r"stated +observed +95% interval"),
    "dimensions, mean, composite": has(
        "What was seen", "parse_coverage", r"mean +\d", r"composite +\d\.\d\d  \w+: 0\.6 x"
    ),
    "undersampling": trust_has(lambda trust: trust["undersampling"] == "none" and trust["composite_reasons"]),
    "caps": lambda text: any(
        "at most 0.65" in cap for found in findings(text) for cap in found["confidence_caps"]
    ),
    "validity": has(r"Scans of this repository are (?:fully |partially |not )?comparable"),
    "class": has(r"\A# (trusted|directional|abstained)"),
    "what is withheld": has(
        r"Withheld: edit risk and ranks, verdicts on changes, suggestions \(trust is too low"
    ),
    "applicability": has(r"\nDetectors\n", r"detectors? applicable", r"not applicable, |off by default"),
    "skipped detectors": has(
        r"Not analysed: \d+ detectors? skipped, not a git repository: .*hidden_coupling"
    ),
    "languages of the repository": has(r"\A\S+: mostly Python"),
    "gates": has(r"# Gate (passed|failed|not evaluated)"),
    "verdict on a change": has(r"# no problems found: no new findings"),
    "claims": has(r"\d+ = 100 x \(0\.60 x", r"speculation_language", r", at most 100"),
    "review": has(r"\A(Approve|Comment)\. ", r"For the audit \(1\)", "Overflow", "Amounts are whole cents"),
    "review, for a verifying agent": has("## Fields", "## Score", "## Where a record goes", "## JSON Schema"),
}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = build("python_service", tmp_path_factory.mktemp("confidence"))
    (path / "answer.md").write_text(CLAIMS)
    edited = path / "src/tollgate/money.py"
    edited.write_text(f"UNIT = 100\n{edited.read_text()}")
    (path / "RECORDS.json").write_text(json.dumps([RECORD]))
    return path


@pytest.fixture(scope="module")
def doubtful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tangled functions that hardly changed: one hidden, one that a comment admits to."""
    repo = GitRepo(tmp_path_factory.mktemp("doubtful"))
    code = {"quiet.py": TANGLED, "admitted.py": ADMITTED}
    for days_ago, row in ((900, 3), (800, 4), (700, 5), (600, 6), (500, 7)):
        asked = {name: text.replace(f"if row{row}", f"if not row{row}") for name, text in code.items()}
        repo.commit(asked, f"Ask about row {row}", days_ago=days_ago)
    repo.commit(code, "Ask about all rows", days_ago=300)
    repo.commit({"notes.txt": "x"}, days_ago=0)
    return repo.path


@pytest.fixture(scope="module")
def without_git(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of which a third does not parse, so detectors are weak."""
    path = tmp_path_factory.mktemp("without_git")
    files = {"tangled.py": TANGLED, "plain.py": "x = 1\n", "broken.py": "def f(:\n    return ((\nclass ]\n"}
    for name, text in files.items():
        (path / name).write_text(text)
    return path


def test_every_part_of_the_table_is_checked() -> None:
    assert {row.part for row in rows()} == SHOWN.keys()


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: row.part)
def test_command_shows_its_part(row: Row, sample: Path, doubtful: Path, without_git: Path) -> None:
    repository = {
        "low confidence": doubtful,
        "second pass": doubtful,
        "caps": without_git,
        "what is withheld": without_git,
        "skipped detectors": without_git,
    }.get(row.part, sample)
    assert SHOWN[row.part](output_of(row, repository)), row.command


def output_of(row: Row, sample: Path) -> str:
    scanned = json.loads(run_crimes(sample, "scan", "--format", "json").stdout)
    id_ = next(found["id"] for found in scanned["findings"] if found["type"] == "god_function")
    stands_for = {"ID": id_, "FILE": "src/tollgate/money.py", "REF": "HEAD"}
    if row.part == "claims":
        stands_for["FILE"] = "answer.md"
    words = [stands_for.get(word, word) for word in shlex.split(row.command)[1:]]
    done = run_crimes(sample, *words)
    assert done.returncode in (0, 1), done.stderr
    if row.part == "feedback as evidence":
        run_crimes(sample, "scan")
        return run_crimes(sample, "explain", id_).stdout
    return done.stdout
