"""What excuses copies: variants kept side by side, mirrors, frozen or conditional code, and comments that name the other copy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from crimes.analyses.clones import Copy
from crimes.analyses.copies.groups import CloneGroup, SourceLines
from crimes.detection.context import Pass
from crimes.model.lazy_regex import regex

_VERSION = regex(r"(?:(?<![a-z])v)?\d+")
_NAMED_VERSION = regex(r"(?<![a-z])v\d+")
_PATH_WORD = regex(r"[a-z]+|\d+|/")
_NAME_WORD = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PATH_PART = regex(r"[A-Za-z]\d[a-z]+|[A-Z]?[a-z]+\d*|[A-Z]+\d*(?![a-z])|\d+|/")
_SYSTEMS = frozenset({
    "windows", "win", "linux", "unix", "posix", "darwin", "mac", "macos", "osx", "apple", "ios", "android",
    "freebsd", "openbsd", "netbsd", "bsd", "solaris", "wasm", "wasi", "arm",
})  # fmt: skip
_CALL_STYLES = frozenset(
    {"async", "sync", "asynchronous", "synchronous", "blocking", "nonblocking", "suspend", "suspending"}
)
# Words of which one stands for the opposite or the twin of the other: whoever edits `write_frame` knows of `read_frame`.
_TWINS = (
    ("async", "sync", "asynchronous", "synchronous", "blocking", "suspend", "suspending", "await"),
    ("read", "write", "reader", "writer"),
    ("create", "drop", "delete", "destroy", "remove", "add", "insert", "del"),
    ("bytes", "byte", "str", "string", "text", "char"),
    ("get", "set", "put"),
    ("encode", "decode", "encoder", "decoder"),
    ("input", "output", "in", "out", "send", "recv", "receive", "from", "to"),
    ("push", "pop", "start", "stop", "open", "close", "lock", "unlock", "enable", "disable"),
    ("fast", "slow", "min", "max", "left", "right", "first", "last", "next", "prev", "previous", "up", "down", "top", "bottom", "head", "tail"),
    ("light", "dark", "lower", "upper", "forward", "backward", "before", "after", "row", "column", "x", "y"),
)  # fmt: skip
_TWIN_OF = {word: number for number, words in enumerate(_TWINS) for word in words}
_FROZEN = regex(
    r"(?:^|[/_.-])(?:v\d+(?:[_.]\d+)*|migrations?|legacy|deprecated|compat|upgrades?|snapshots?)(?=[/_.-]|$)",
    re.IGNORECASE,
)
_DEPRECATED = regex(r"\bdeprecat(?:ed|ion)\b|@Deprecated|\[Obsolete", re.IGNORECASE)
_TOLD = regex(
    r"keep (?:\w{1,40} ){0,3}(?:in (?:sync|step)|consistent|the same)|(?:copied|copy|adapted|inspired|duplicated?|taken|borrowed|ported|mirror\w{0,20})"
    r" (?:\w{1,40} ){0,4}(?:from|of|by|in)\b|\bsee (?:also )?(?:the )?(?:description|comment|note)|same (?:as|code|logic) (?:in|as|of)?"
    r"|(?:do not|don't|never) (?:change|refactor|merge|extract)|(?:deliberate|intentional)(?:ly)? (?:duplicat|repeat|cop)",
    re.IGNORECASE,
)
_CONDITION = regex(r"\s*#\s*(if|ifdef|ifndef|elif|elseif|else|endif)\b(.*)")
_TEST_CONDITION = regex(r"(?:\b|_)tests?(?:\b|_)", re.IGNORECASE)
_NEAR_LINES = 6  # above a function, where its comment or annotation stands
_MIN_NAME_CHARS = 5


def excuse(scan: Pass, group: CloneGroup, source: SourceLines) -> str:
    """Why copies are left alone; empty if nothing excuses them."""
    paths = [copy.path for copy in group.copies]
    if are_variants(paths):
        return "versions, systems or flavours kept side by side"
    if any(_FROZEN.search(path) for path in paths):
        return "a copy belongs to a version or migration that stays as it is"
    if are_mirrors([_symbol(scan, copy) for copy in group.copies]):
        return "the functions are mirrors of each other"
    if any(_is_async(scan, copy) != _is_async(scan, group.copies[0]) for copy in group.copies):
        return "one copy is asynchronous, the other is not"
    if any(_is_deprecated(scan, copy) for copy in group.copies):
        return "a copy is deprecated"
    conditions = {_conditions(source.of(copy.path), copy.start) for copy in group.copies}
    if any(_TEST_CONDITION.search(condition) for own in conditions for condition in own):
        return "test code"
    if len(conditions) > 1:
        return "the copies are compiled under different conditions"
    return "a comment says that there is another copy" if is_acknowledged(scan, group) else ""


def are_variants(paths: Sequence[str]) -> bool:
    """Whether several paths are the same apart from version numbers, names of systems, `async`, or one word that names the
    folder and the file alike: `guava/GuavaFactory` and `java8/Java8Factory` are parallel on purpose."""
    if len(set(paths)) < 2:
        return False
    if len({_without_variant(path) for path in paths}) == 1:
        return True
    first, *others = ([*map(str.lower, _PATH_PART.findall(path))] for path in paths)
    return all(_differs_in_a_repeated_word(first, other) for other in others)


def _differs_in_a_repeated_word(first: list[str], second: list[str]) -> bool:
    if len(first) != len(second):
        return False
    pairs = list(zip(first, second, strict=True))
    differing = [pair for pair in pairs if pair[0] != pair[1]]
    name = pairs[len(first) - first[::-1].index("/") :] if "/" in first else pairs
    shared = [a for a, b in name[:-1] if a == b]  # the last word is the extension
    return bool(shared) and len(differing) > 1 and len(set(differing)) == 1


def _without_variant(path: str) -> tuple[str, ...]:
    """The words of a path, versions and systems left out: `rx2/await.kt` and `rx3/await.kt` have the same.

    A number in the name of a file is a version only after a `v`.
    """
    folder, _, name = path.lower().rpartition("/")
    for number in _VERSION.findall(folder):
        name = name.replace(number, "")  # a version of the folder is one in the name, too
    words = _PATH_WORD.findall(f"{_VERSION.sub('', folder)}/{_NAMED_VERSION.sub('', name)}")
    return tuple(word for word in words if word not in _SYSTEMS and word not in _CALL_STYLES)


def are_mirrors(symbols: Sequence[str]) -> bool:
    """Whether two names differ in twins only: `ByteReader.next` and `TextReader.next`, `read_frame` and `write_frame`."""
    distinct = sorted(set(symbols))
    if len(distinct) != 2:
        return False
    first, second = ([*map(str.lower, _NAME_WORD.findall(name))] for name in distinct)
    if [word for word in first if word not in _CALL_STYLES] == [
        word for word in second if word not in _CALL_STYLES
    ]:
        return first != second
    if len(first) != len(second):
        return False
    differing = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    return bool(differing) and all(_TWIN_OF.get(a, -1) == _TWIN_OF.get(b, -2) for a, b in differing)


def _is_async(scan: Pass, copy: Copy) -> bool:
    return scan.repo.files[copy.path].facts.functions[copy.function].is_async


def _is_deprecated(scan: Pass, copy: Copy) -> bool:
    """Whether the function of a copy, or the class it belongs to, says that it is deprecated."""
    facts = scan.repo.files[copy.path].facts
    function = facts.functions[copy.function]
    if any(_DEPRECATED.search(decorator) for decorator in function.decorators):
        return True
    starts = [function.start]
    if function.class_index >= 0:
        starts.append(facts.classes[function.class_index].start)
    return any(
        start - _NEAR_LINES <= comment.end <= start + 1 and _DEPRECATED.search(comment.text)
        for start in starts
        for comment in facts.comments
    )


def _conditions(lines: Sequence[str], line: int) -> tuple[str, ...]:
    """The preprocessor conditions around a line; the one that keeps a header from being read twice is left out."""
    stack: list[str] = []
    for text in lines[: line - 1]:
        match = _CONDITION.match(text) if "#" in text else None
        if match is None:
            continue
        word = match[1]
        if word.startswith("if"):
            stack.append(f"{word}{match[2].strip()}")
        elif word == "endif":
            stack = stack[:-1]
        elif stack:
            stack[-1] = f"{word}{match[2].strip()} after {stack[-1]}"
    return tuple(condition for condition in stack if not condition.startswith("ifndef"))


def is_acknowledged(scan: Pass, group: CloneGroup) -> bool:
    """Whether a comment in or right before a copy names the file or the function of another, or says that there is one."""
    names = {copy: {copy.path.rpartition("/")[2], _own_name(scan, copy)} for copy in group.copies}
    owners = Counter(name for own in names.values() for name in own if len(name) >= _MIN_NAME_CHARS)
    return any(
        _TOLD.search(comment)
        # Word by word: searching each comment for each of thousands of names takes too long.
        or any(owners[word] > (word in own) and word != _own_name(scan, copy) for word in _words(comment))
        for copy, own in names.items()
        for comment in _comments_at(scan, copy)
    )


def _comments_at(scan: Pass, copy: Copy) -> Iterator[str]:
    facts = scan.repo.files[copy.path].facts
    start = facts.functions[copy.function].start - _NEAR_LINES
    return (comment.text for comment in facts.comments if start <= comment.line <= copy.end)


def _symbol(scan: Pass, copy: Copy) -> str:
    return scan.repo.files[copy.path].facts.functions[copy.function].qualname


def _own_name(scan: Pass, copy: Copy) -> str:
    return _symbol(scan, copy).rpartition(".")[2]


def _words(text: str) -> set[str]:
    """Words that may name a file or a function: `rates.py`, `Cart.total` and its parts."""
    whole = {word.strip(".-") for word in re.findall(r"[\w$.-]+", text)}
    return whole | {part for word in whole for part in word.split(".")}
