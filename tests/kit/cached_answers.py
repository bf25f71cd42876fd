"""What is kept of earlier scans, opened as a session does."""

from __future__ import annotations

from pathlib import Path

from crimes.incremental.answers import CachedAnswers, answers_key
from crimes.model.scan_request import ScanRequest


def cached_answers(root: Path, *coverage: Path) -> CachedAnswers:
    return CachedAnswers(root, answers_key(ScanRequest(coverage=coverage)), print)
