"""Every pattern that reads repository text, attacked: its steps must grow with the length of the text, not with its square."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
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
from tests.hostile.regex_steps import OutOfSteps, Program, Pumped

SMALL_CHARS, LARGE_CHARS = 10_000, 1_000_000
LARGE_WALKED_CHARS = (
    100_000  # for a back reference: each round of a loop has to be walked, which takes a minute for a million
)
MAX_STEPS_PER_CHAR = 1_000
ALLOWED_GROWTH = 1.5  # of the steps for one character, from a small text to one a hundred times as long


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


def steps_per_char(program: Program, text: Pumped, *, anchored: bool) -> float:
    size = len(text.text)
    return program.count_steps(text, anchored=anchored, allowed=MAX_STEPS_PER_CHAR * size) / size


def faults(name: str, pattern: Any, *, anchored: bool, within: int | None = None) -> Iterator[str]:
    """Attacks under which a pattern takes too many steps."""
    compiled = pattern if isinstance(pattern, re.Pattern) else pattern.compiled()
    program = Program(compiled)
    large = LARGE_CHARS if program.is_regular else LARGE_WALKED_CHARS
    sizes = (SMALL_CHARS, large) if within is None else (within,)
    for attack in attacks(compiled):
        try:
            rates = [steps_per_char(program, attack(size), anchored=anchored) for size in sizes]
        except OutOfSteps:
            yield f"over {MAX_STEPS_PER_CHAR} steps per character: {name}: {attack(60).text!r:.80}"
            return
        if rates[-1] > ALLOWED_GROWTH * rates[0] + 1:
            yield f"from {rates[0]:.0f} to {rates[-1]:.0f} steps per character: {name}: {attack(60).text!r:.80}"
            return


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
    ("source", "unit"),
    [
        (r"\s+x", " "),
        (r"[ab]*c", "ab"),
        (r"<!--.*?-->", "<!--"),
        (r"(\w+)\s*=", "a"),
        (r"(?=(\w*x))", "a"),
        (r"(?:ab|cd)+e", "abcd"),
        (r"(?:(?:a|b)+,)*x", "ab"),
    ],
)
def test_counting_matcher_tells_a_slow_pattern(source: str, unit: str) -> None:
    program = Program(re.compile(source))
    with pytest.raises(OutOfSteps):
        steps_per_char(program, Pumped("", unit, "", 100_000 // len(unit)), anchored=False)


def test_counting_matcher_tells_a_pattern_that_doubles_with_each_character() -> None:
    program = Program(re.compile(r"(a+)+b"))
    with pytest.raises(OutOfSteps):
        program.count_steps(Pumped("", "a", "", 40), anchored=True, allowed=100_000)


REGULAR = (
    r"(?<!\s)\s++x",
    r"(?:ab|a)c|\bd\b",
    r"(?>a+)b",
    r"(?:a|b)*c",
    r"(?:ab|cd)*?e",
    r"(?:(?:ab)*c)*d",
    r"\"(?:[^\"\\]|\\.)*\"",
    r"(?:\w+\.)*\w+\(",
    r"(?m)^\s*#.*$",
    r"(?s)/\*.*?\*/",
    r"(?:(?:a|b)+,)*x$",
    r"(?:a{1,3}b?)*c",
    r"[^a]{2,9}?a(?!x+y)",
    r"(?<!`)(`{1,3})(?!`)([^`]{1,30})\1(?!`)",
    r"(['\"])(?:\\.|(?!\1).)*\1",
    r"(a{1,4})b?\1c",
    r"(?:a*b?)*c",
)


@pytest.mark.parametrize("source", REGULAR)
@pytest.mark.parametrize("anchored", [False, True])
def test_rounds_that_are_not_walked_count_as_if_they_were(source: str, anchored: bool) -> None:
    compiled = re.compile(source)
    program = Program(compiled)

    def count(text: Pumped, *, skips: bool) -> int | None:
        try:
            return program.count_steps(text, anchored=anchored, allowed=10_000, skips=skips)
        except OutOfSteps:
            return None

    for attack in attacks(compiled):
        for size in (37, 150):
            text = attack(size)
            assert count(text, skips=True) == count(text, skips=False), text


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
