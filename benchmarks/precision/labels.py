"""Labels that readers gave to findings after reading the code they point at. Only the verdict is stored, not the code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import msgspec

FOLDER = Path(__file__).parent / "labels"
LABELS = ("acting", "knowing", "noise", "false")
USEFUL = frozenset(("acting", "knowing"))
MIN_GOOD_SHARE, MAX_FALSE_SHARE = 0.80, 0.05
MIN_FINDINGS = 15  # of a sample that counts; a smaller one is kept, and says too little
# Blind rounds are stored after the samples of people who knew the rule. docs/precision.md calls the first of them 3 and those after it 5, 6, ...
FIRST_BLIND_ROUND, FIRST_BLIND_NUMBER, _NUMBER_BEFORE = 10, 3, 6


class Label(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One reading of one finding. `round` numbers the sample: rules change between samples, so only the last one counts."""

    repository: str
    commit: str
    fingerprint: str
    label: str
    reason: str
    round: int = 1
    reading: int = 1  # two people read a finding, neither knowing what the other said
    severity: str = ""  # as stated
    severity_verdict: str = ""  # right, too_high or too_low
    text: str = ""  # clear or unclear
    confidence: float = 0.0  # as stated
    signals: tuple[str, ...] = ()  # what that rested on: "syntax: tangled"
    first: bool = False  # among the first ten of its repository
    gone: bool = False  # the rules were changed since, and no longer report it: kept, and not counted

    def __post_init__(self) -> None:
        if self.label not in LABELS:
            raise ValueError(f"{self.label!r} is none of {', '.join(LABELS)}")


class Precision(msgspec.Struct, frozen=True):
    """How many verdicts of a detector's last sample said what, and from how many repositories the findings are."""

    detector: str
    round: int
    acting: int
    knowing: int
    noise: int
    false: int
    repositories: int
    findings: int = 0
    severities: int = 0  # verdicts on the severity
    severities_right: int = 0
    read_twice: int = 0  # findings with two readings
    agreed: int = 0  # of those: both call it useful, or neither does

    @property
    def read(self) -> int:
        return self.acting + self.knowing + self.noise + self.false

    @property
    def good(self) -> float:
        return (self.acting + self.knowing) / self.read

    @property
    def ships_on(self) -> bool:
        return self.good >= MIN_GOOD_SHARE and self.false <= MAX_FALSE_SHARE * self.read


def blind_number(round_: int) -> int:
    """What docs/precision.md calls a blind round: 7 for the labels of round 13."""
    return FIRST_BLIND_NUMBER if round_ == FIRST_BLIND_ROUND else round_ - _NUMBER_BEFORE


def encode_label(label: Label) -> str:
    """The label as a line of its file."""
    return msgspec.json.format(msgspec.json.encode(label), indent=0).decode().replace("\n", " ")


def load_labels(detector: str, folder: Path = FOLDER) -> list[Label]:
    """The labels of a detector, one JSON object a line."""
    path = folder / f"{detector}.jsonl"
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [msgspec.json.decode(line, type=Label) for line in lines if line.strip()]


def precision_of(detector: str, folder: Path = FOLDER) -> Precision | None:
    """The precision in the last sample that is large enough; None for a detector without one."""
    by_round = defaultdict(list)
    for label in load_labels(detector, folder):
        if not label.gone:
            by_round[label.round].append(label)
    for _, sample in sorted(by_round.items(), reverse=True):
        if len({(label.repository, label.fingerprint) for label in sample}) >= MIN_FINDINGS:
            return summary(detector, sample)
    return None


def summary(name: str, sample: Sequence[Label]) -> Precision:
    """The verdicts of one sample, counted."""
    readings = defaultdict(list)
    for label in sample:
        readings[label.repository, label.fingerprint].append(label.label in USEFUL)
    pairs = [pair for pair in readings.values() if len(pair) > 1]
    stated = [label for label in sample if label.severity_verdict]
    return Precision(
        detector=name,
        round=max(label.round for label in sample),
        repositories=len({label.repository for label in sample}),
        findings=len(readings),
        severities=len(stated),
        severities_right=sum(label.severity_verdict == "right" for label in stated),
        read_twice=len(pairs),
        agreed=sum(len(set(pair)) == 1 for pair in pairs),
        **{verdict: sum(label.label == verdict for label in sample) for verdict in LABELS},
    )
