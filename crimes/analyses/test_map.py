"""Which tests reach a file: by importing it, or only by their name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from crimes.context import Analysis, Context


@dataclass(frozen=True)
class Tests:
    """Tests of one file. `importing` wins over `by_name`; `transitive` reach it through other source files."""

    importing: tuple[str, ...]
    by_name: tuple[str, ...]
    transitive: int


@dataclass(frozen=True)
class TestMap:
    """Tests by the file they reach."""

    of: Mapping[str, Tests]
    test_files: tuple[str, ...]

    def gap(self, path: str) -> int:
        """The spec's test_gap in hundredths: 0, 50 or 100."""
        raise NotImplementedError


def build(context: Context) -> TestMap:
    raise NotImplementedError


TEST_MAP = Analysis("test_map", build)
