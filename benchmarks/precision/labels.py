"""Labels that people gave to findings after reading the code they point at. No code is kept, only the verdict."""

from __future__ import annotations

from pathlib import Path

import msgspec

FOLDER = Path(__file__).parent / "labels"
LABELS = ("acting", "knowing", "noise", "false")
GOOD_SHARE, FALSE_SHARE = 0.80, 0.05


class Label(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One finding that was read. `round` counts the samples; rules change between them, so the last one counts."""

    repository: str
    commit: str
    fingerprint: str
    label: str
    reason: str
    round: int = 1

    def __post_init__(self) -> None:
        if self.label not in LABELS:
            raise ValueError(f"{self.label!r} is none of {', '.join(LABELS)}")


class Figure(msgspec.Struct, frozen=True):
    """What the last sample of a detector came to."""

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
        return self.good >= GOOD_SHARE and self.false <= FALSE_SHARE * self.read


def labels_of(detector: str, folder: Path = FOLDER) -> list[Label]:
    """The labels of a detector, one JSON object a line."""
    path = folder / f"{detector}.jsonl"
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [msgspec.json.decode(line, type=Label) for line in lines if line.strip()]


def figure(detector: str, folder: Path = FOLDER) -> Figure | None:
    """The figure of the last round, or None for a detector nobody has read findings of."""
    labels = labels_of(detector, folder)
    if not labels:
        return None
    last = max(label.round for label in labels)
    counted = [label for label in labels if label.round == last]
    count = {name: sum(label.label == name for label in counted) for name in LABELS}
    return Figure(
        detector,
        last,
        count["acting"],
        count["knowing"],
        count["noise"],
        count["false"],
        len({label.repository for label in counted}),
    )
