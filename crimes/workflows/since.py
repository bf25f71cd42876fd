"""What is new in a scan: since a commit, or beyond a baseline."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from crimes.model.errors import UsageError
from crimes.model.report import Report
from crimes.system.safe_files import read_own_file
from crimes.tracking.baseline import MAX_BYTES, PATH, Baseline, parse_baseline
from crimes.workflows.gating import Before
from crimes.workflows.session import Session


@dataclass(frozen=True)
class Since:
    """What `--fail-on-new` compares with: a commit, else a baseline."""

    base: str
    baseline: Path | None

    def check(self) -> None:
        if self.base and self.baseline is not None:
            raise UsageError("--base and --baseline cannot be combined; use one of them")

    def before(self, session: Session, whole: Report, report: Report) -> Before:
        """New findings of `report`, compared as part of the whole one: a copy must not pass for code elsewhere."""
        # All that a change can break comes with it, and few scans compare.
        from crimes.workflows.comparing import Range, compare_with, compare_with_baseline

        if self.base:
            comparison = compare_with(session, Range(self.base, "", from_merge_base=True), whole)
            new, trust = comparison.new, comparison.base_trust
        else:
            baseline = load_baseline(session.root, self.baseline)
            new, trust = compare_with_baseline(session.root, baseline, whole).new, None
        reported = {crime.fingerprint for crime in report.code_findings}
        return Before(tuple(crime for crime in new if crime.fingerprint in reported), trust)


def load_baseline(root: Path, file: Path | None) -> Baseline:
    """The baseline that was named, or the repository's own. Without one there is nothing to check against."""
    if file is None:
        data = read_own_file(root, PATH, MAX_BYTES)
        if data is None:
            raise UsageError(f"no baseline at {PATH}; run `crimes baseline save` first")
        return parse_baseline(data, PATH)
    try:
        return parse_baseline(file.read_bytes(), str(file))
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error
