"""What a Rust file is for, from its path."""

from __future__ import annotations

from pathlib import PurePosixPath

from crimes.model.facts import Role

_TESTS = ("tests.rs", "test.rs")
_SCRIPTS = frozenset({"benches", "xtask"})


def is_test_path(path: str) -> bool:
    """Integration tests in `tests/`, and modules of tests beside what they test."""
    *folders, name = path.split("/")
    return name in _TESTS or name.endswith(("_test.rs", "_tests.rs")) or "tests" in folders


def role_of_path(path: str) -> Role | None:
    """Benchmarks, build scripts, tasks and fuzz targets."""
    *folders, name = path.split("/")
    if name == "build.rs" or not _SCRIPTS.isdisjoint(folders):
        return Role.SCRIPT
    return Role.TEST if "fuzz_targets" in folders else None


def test_candidates(path: str) -> tuple[str, ...]:
    """Names a test of this file would have."""
    where = PurePosixPath(path)
    stem = where.parent.name if where.stem in ("mod", "lib", "main") else where.stem
    return (f"tests/{stem}.rs", f"{stem}/tests.rs", f"{stem}_test.rs", f"{stem}_tests.rs", f"test_{stem}.rs")
