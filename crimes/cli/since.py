"""What is new in a scan: since a commit, or beyond a baseline."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.cli.gating import Before
from crimes.model.errors import UsageError

if TYPE_CHECKING:
    from crimes.cli.scanning import ScanOptions
    from crimes.model.report import Report


@dataclass(frozen=True)
class Since:
    """What `--fail-on-new` is held against: a commit, else a baseline."""

    base: str
    baseline: Path | None

    def check(self) -> None:
        if self.base and self.baseline is not None:
            raise UsageError("--base and --baseline are two answers to what was there before: give one")

    def before(self, root: Path, whole: Report, report: Report, means: ScanOptions) -> Before:
        """New findings of `report`, told by the whole one: a copy must not pass for what stands elsewhere."""
        if self.base:
            from crimes.cli.comparing import Range, compare_with

            comparison = compare_with(root, Range(self.base, "", True), whole, means)
            new, trust = comparison.new, comparison.base_trust
        else:
            from crimes.cli.baseline import compare_with_baseline, load

            new, trust = compare_with_baseline(root, load(root, self.baseline), whole).new, None
        asked = {crime.fingerprint for crime in report.findings}
        return Before(tuple(crime for crime in new if crime.fingerprint in asked), trust)
