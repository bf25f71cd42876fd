"""Every pattern that reads repository text, attacked: its steps must grow with the length of the text, not with its square."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import re
import signal
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import crimes
import crimes_detectors
from crimes.incremental import code_version
from crimes.model import lazy_regex
from tests.hostile.direct_patterns import DirectPattern, UnreadablePattern, direct_patterns
from tests.hostile.regex_attacks import attacks
from tests.hostile.regex_steps import OutOfSteps, Program

SMALL_CHARS, LARGE_CHARS, HUGE_CHARS = 600, 4_800, 1_000_000
MAX_STEPS_PER_CHAR = 1_000
MAX_HUGE_CPU_SECONDS = 20
ALLOWED_GROWTH = 1.5  # of the steps for one character, from a small text to one ten times as long


def _import_all() -> None:
    for package in (crimes, crimes_detectors):
        for info in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not info.name.endswith("__main__"):
                importlib.import_module(info.name)


@cache
def patterns() -> dict[str, Any]:
    """Every deferred pattern of the package under a name that says where it is used."""
    _import_all()
    named: dict[int, str] = {}
    for module in [module for name, module in sorted(sys.modules.items()) if name.startswith("crimes")]:
        for name, value in vars(module).items():
            if isinstance(value, lazy_regex._Regex):
                named.setdefault(id(value), f"{module.__name__}.{name}")
    gc.unfreeze()  # a scan in this process has set aside what it had loaded
    found = [value for value in gc.get_objects() if type(value) is lazy_regex._Regex]
    return {f"{named.get(id(value), 'nested')}: {value.pattern!r:.60}": value for value in found}


@cache
def _source_of(module: str) -> str:
    loaded: ModuleType = sys.modules[module]
    return Path(str(loaded.__file__)).read_text(encoding="utf-8")


def is_anchored(name: str) -> bool:
    """Whether a pattern is only ever asked about the start of a text."""
    module, _, variable = name.partition(": ")[0].rpartition(".")
    chosen = rf"\b{variable}(?: if [^\n]*)?\)?\.(\w+)"  # also `(THIS if … else OTHER).match(`
    uses = set(re.findall(chosen, _source_of(module))) if module else set()
    return bool(uses) and uses <= {"match", "fullmatch"}


def steps_per_char(program: Program, text: Any, *, anchored: bool) -> float:
    return program.count_steps(text, anchored=anchored, allowed=MAX_STEPS_PER_CHAR * len(text)) / len(text)


def faults(name: str, pattern: Any, *, anchored: bool, within: int | None = None) -> Iterator[str]:
    """Attacks under which a pattern takes too many steps."""
    compiled = pattern if isinstance(pattern, re.Pattern) else pattern.compiled()
    program = Program(compiled)
    sizes = (SMALL_CHARS, LARGE_CHARS) if within is None else (within,)
    worst, worst_rate = None, 0.0
    for attack in attacks(compiled):
        try:
            rates = [steps_per_char(program, attack(size), anchored=anchored) for size in sizes]
        except OutOfSteps:
            yield f"over {MAX_STEPS_PER_CHAR} steps per character: {name}: {attack(60)!r:.80}"
            return
        if rates[-1] > ALLOWED_GROWTH * rates[0] + 1:
            yield f"from {rates[0]:.0f} to {rates[-1]:.0f} steps per character: {name}: {attack(60)!r:.80}"
            return
        if rates[-1] > worst_rate:
            worst, worst_rate = attack, rates[-1]
    if worst is not None:
        try:
            with cpu_seconds(MAX_HUGE_CPU_SECONDS):
                pattern.match(worst(HUGE_CHARS)) if anchored else deque(
                    pattern.finditer(worst(HUGE_CHARS)), 0
                )
        except TimeoutError:
            yield f"more than {MAX_HUGE_CPU_SECONDS} seconds for a million characters: {name}: {worst(60)!r:.80}"


@contextmanager
def cpu_seconds(seconds: int) -> Iterator[None]:
    """Stops what would run for minutes: a pattern with the square of a million steps takes hours."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


SHARES = 16


@pytest.mark.parametrize("share", range(SHARES))
def test_pattern_takes_steps_in_proportion_to_the_text(share: int) -> None:
    names = sorted(patterns())[share::SHARES]
    assert len(names) > 20
    chosen = [(name, patterns()[name]) for name in names]
    assert [
        fault
        for name, pattern in chosen
        for fault in faults(name, pattern, anchored=is_anchored(name), within=pattern.within)
    ] == []


@cache
def patterns_given_to_re() -> tuple[DirectPattern, ...]:
    """Every pattern that code of the package hands to `re` itself. The code that reads our own modules is left out."""
    _import_all()
    files = {
        name: Path(str(module.__file__))
        for name, module in sorted(sys.modules.items())
        if name.partition(".")[0] in ("crimes", "crimes_detectors") and getattr(module, "__file__", None)
    }
    return tuple(
        pattern
        for name, file in files.items()
        if name not in (lazy_regex.__name__, code_version.__name__)
        for pattern in direct_patterns(file, name)
    )


def test_pattern_that_is_not_registered_takes_steps_in_proportion_to_the_text() -> None:
    given = patterns_given_to_re()
    assert len(given) > 70
    assert [fault for one in given for fault in faults(one.place, one.compiled, anchored=one.anchored)] == []


def test_pattern_in_new_code_is_found_and_one_that_cannot_be_made_out_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "new.py"
    file.write_text(
        "import re\n\n\ndef f(name: str, text: str):\n    word = re.escape(name)\n"
        '    return re.search(rf"{word}\\s+=", text), re.match("a", text)\n'
    )
    found = list(direct_patterns(file, "crimes.model.wording"))
    assert [(pattern.compiled.pattern, pattern.anchored) for pattern in found] == [
        ("name\\s+=", False),
        ("a", True),
    ]
    file.write_text("import re\n\n\ndef f(make):\n    return re.compile(*make)\n")
    with pytest.raises(UnreadablePattern):
        list(direct_patterns(file, "crimes.model.wording"))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"\s+x", " " * LARGE_CHARS),
        (r"[ab]*c", "ab" * LARGE_CHARS),
        (r"<!--.*?-->", "<!--" * LARGE_CHARS),
        (r"(a+)+b", "a" * 40),
        (r"(\w+)\s*=", "a" * LARGE_CHARS),
        (r"(?=(\w*x))", "a" * LARGE_CHARS),
    ],
)
def test_counting_matcher_tells_a_slow_pattern(source: str, text: str) -> None:
    compiled = re.compile(source)
    with pytest.raises(OutOfSteps):
        Program(compiled).count_steps(text, anchored=False, allowed=100 * len(text))


@pytest.mark.parametrize(
    "source",
    [
        r"(?<!\s)\s++x",
        r"a*+b",
        r"[^a]*a",
        r"x{2,5}?y",
        r"(?P<q>['\"]).*?(?P=q)",
        r"(?:ab|a)c|\bd\b",
        r"(?>a+)b",
        r"^(?!b)a+?$",
    ],
)
@pytest.mark.parametrize("text", ["", "aab", "  x  x", "xxxxy", "'a' \"b'\"", "abc ac d", "a\nb\na"])
def test_counting_matcher_finds_what_the_library_finds(source: str, text: str) -> None:
    for flags in (0, re.MULTILINE):
        compiled = re.compile(source, flags)
        spans = [match.span() for match in compiled.finditer(text)]
        assert [span for span in Program(compiled).spans(text) if span[0] < span[1]] == [
            span for span in spans if span[0] < span[1]
        ]
