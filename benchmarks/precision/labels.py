"""Labels that readers gave to findings after reading the code they point at. Only the verdict is stored, not the code."""

from __future__ import annotations

from pathlib import Path

import msgspec

FOLDER = Path(__file__).parent / "labels"
LABELS = ("acting", "knowing", "noise", "false")
MIN_GOOD_SHARE, MAX_FALSE_SHARE = 0.80, 0.05


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
    first: bool = False  # among the first ten of its repository

    def __post_init__(self) -> None:
        if self.label not in LABELS:
            raise ValueError(f"{self.label!r} is none of {', '.join(LABELS)}")


class Precision(msgspec.Struct, frozen=True):
    """How many findings of a detector's last sample got each label, and from how many repositories they are."""

    detector: str
    round: int
    acting: int
    knowing: int
    noise: int
    false: int
    repositories: int

    @property
    def read(self) -> int:
        return self.acting + self.knowing + self.noise + self.false

    @property
    def good(self) -> float:
        return (self.acting + self.knowing) / self.read

    @property
    def ships_on(self) -> bool:
        return self.good >= MIN_GOOD_SHARE and self.false <= MAX_FALSE_SHARE * self.read


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
    """The precision in the last sample, or None for a detector without labels."""
    labels = load_labels(detector, folder)
    if not labels:
        return None
    last = max(label.round for label in labels)
    sample = [label for label in labels if label.round == last]
    return Precision(
        detector=detector,
        round=last,
        repositories=len({label.repository for label in sample}),
        **{name: sum(label.label == name for label in sample) for name in LABELS},
    )
