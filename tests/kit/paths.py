"""Where things lie in the project."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent
COVERAGE_DATA = TESTS / "coverage_data"
