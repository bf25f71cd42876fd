"""The native reader makes the same facts as the Python walk, byte for byte, and leaves what it cannot read to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from crimes.detection.registry import catalogue
from crimes.engine.read_files import allowed_seconds
from crimes.languages import by_id
from crimes.languages.engine.native import job_of, missing_hooks, native_module, read_natively
from tests.kit.command import run_crimes
from tests.kit.paths import TESTS
from tests.kit.readers import BY_ENDING, HAS_NATIVE, ReadersDisagree, native_facts, read_with_both
from tests.language_examples import LANGUAGES, own_examples, shared_examples

needs_native = pytest.mark.skipif(not HAS_NATIVE, reason="the native reader is not installed")
GOLDEN = [file for file in sorted((TESTS / "golden").iterdir()) if file.suffix in BY_ENDING]
SAMPLES = sorted((TESTS.parent / "sample_repos").iterdir())


def example_files() -> Iterator[tuple[str, str]]:
    """The files of all examples of all detectors."""
    for detector in catalogue().values():
        for example in detector.examples:
            yield from example.files.items()
    for language in LANGUAGES:
        for examples in own_examples(language).values():
            for example in examples:
                yield from example.files.items()
        for example in shared_examples(language).values():
            yield from example.files.items()


def hold_against_each_other(files: Iterator[tuple[str, bytes]]) -> int:
    """Read each file with both readers; the number that the native one read."""
    count = 0
    for path, content in files:
        language = BY_ENDING.get(Path(path).suffix)
        if language is None or language.read is not None:
            continue
        try:
            read_with_both(language, content)
        except ReadersDisagree as disagreement:
            raise AssertionError(f"{path}: {disagreement}") from disagreement
        count += native_facts(language, content) is not None
    return count


@needs_native
def test_every_language_with_a_grammar_is_read_natively() -> None:
    languages = [language for language in by_id.values() if language.syntax is not None]
    assert {language.id: missing_hooks(language) for language in languages if missing_hooks(language)} == {}


@needs_native
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.name)
def test_facts_of_golden_files_are_equal(file: Path) -> None:
    assert hold_against_each_other(iter([(file.name, file.read_bytes())])) == 1


@needs_native
def test_facts_of_every_example_are_equal() -> None:
    files = ((path, content.encode()) for path, content in example_files())
    assert hold_against_each_other(files) > 1000


@needs_native
@pytest.mark.parametrize("folder", SAMPLES, ids=lambda folder: folder.name)
def test_facts_of_sample_repositories_are_equal(folder: Path) -> None:
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    assert hold_against_each_other((str(file), file.read_bytes()) for file in files) > 0


@needs_native
@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\n",
        b"x",
        b"\xef\xbb\xbfx = 1\n",
        b"def \xff\xfe(): pass\n",
        b"n\xc3\xa4me = caf\xc3\xa9.b\xc3\xa4r(\xe2\x80\x8b)\n",
        b"f(" * 3000,
        b"[" * 20000,
        b"if x:\n" + b" if y:\n" * 500,
        "class \u00c4(\u01c5): x = '\u2028'; it('\u00a0\u0300', lambda: 1)\n".encode(),
        b"def f(a):\n\ta = 1\n\x1c\n" * 50,
    ],
    ids=lambda source: repr(source[:12]),
)
@pytest.mark.parametrize("language", ["python", "typescript", "ruby", "cpp"])
def test_facts_of_odd_sources_are_equal(language: str, source: bytes) -> None:
    read_with_both(by_id[language], source)


@needs_native
def test_file_that_takes_too_long_to_parse_is_declined() -> None:
    job = job_of(by_id["python"], b"x = [1, 2, 3]\n" * 20_000)
    assert job is not None
    assert read_natively([job], lambda size: 0.0) == [None]
    assert read_natively([job], allowed_seconds) != [None]


@needs_native
def test_native_reader_is_left_out_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    native_module.cache_clear()
    monkeypatch.setenv("CRIMES_READER", "python")
    try:
        assert native_module() is None
        assert native_facts(by_id["python"], b"x = 1\n") is None
    finally:
        native_module.cache_clear()


@needs_native
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("folder", SAMPLES, ids=lambda folder: folder.name)
def test_reports_of_both_readers_are_equal(folder: Path, jobs: str, tmp_path: Path) -> None:
    scan = ("scan", "--root", folder, "--format", "json", "--no-cache", "--jobs", jobs)
    native, python = (run_crimes(tmp_path, *scan, CRIMES_READER=reader) for reader in ("", "python"))
    assert native.stdout == python.stdout
    assert len(native.stdout) > 1000


def test_version_says_which_reader_runs(tmp_path: Path) -> None:
    told = run_crimes(tmp_path, "--version", "--verbose").stdout
    assert f"reader {'native' if HAS_NATIVE else 'python'}\n" in told
    assert "reader python\n" in run_crimes(tmp_path, "--version", "--verbose", CRIMES_READER="python").stdout


def test_report_says_which_reader_ran_only_where_times_are_asked_for(tmp_path: Path) -> None:
    scan = ("scan", "--root", SAMPLES[0], "--format", "json", "--no-cache")
    assert '"reader"' not in run_crimes(tmp_path, *scan).stdout
    told = run_crimes(tmp_path, *scan, "--profile").stdout
    assert f'"reader": "{"native" if HAS_NATIVE else "python"}"' in told
