"""What is looked for in each file by itself: found once in each content, whatever the file is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from crimes.detection.context import Analysis, Context
from crimes.detection.per_file import per_file, per_file_given, per_file_text
from crimes.model.digests import digest_of
from crimes.model.facts import FileFacts, Role
from crimes.model.repository import File
from tests.kit.built_repo import context
from tests.kit.memory import FakeMemoStore


class Looker:
    """Finds the number of lines where there are many; knows how often it looked."""

    def __init__(self, module: str = "crimes.analyses.made_up") -> None:
        self.looked = 0
        self.__module__ = module

    def __call__(self, facts: FileFacts) -> int | None:
        self.looked += 1
        return facts.lines if facts.lines > 9 else None

    def analysis(self) -> Analysis[dict[str, int]]:
        return per_file("lines", int, self)  # type: ignore[return-value]


def scan(notes: FakeMemoStore | None, **lines: int) -> Context:
    made = context(
        File(f"{name}.py", Role.SOURCE, FileFacts("python", count, count, ""))
        for name, count in lines.items()
    )
    made.memory = notes
    return made


def test_only_new_contents_are_analysed() -> None:
    notes = FakeMemoStore({"a.py": b"A", "b.py": b"B"})
    first, second = Looker(), Looker()
    assert scan(notes, a=10, b=3)[first.analysis()] == {"a.py": 10}
    assert first.looked == 2
    notes.contents = {"a.py": b"A2", "moved.py": b"B", "c.py": b"A"}
    assert scan(notes, a=20, moved=3, c=10)[second.analysis()] == {"a.py": 20, "c.py": 10}
    assert second.looked == 1


def test_gone_contents_are_dropped_when_a_new_one_is_saved() -> None:
    notes = FakeMemoStore({"a.py": b"A", "b.py": b"B", "c.py": b"C"})
    scan(notes, a=10, b=3, c=4)[Looker().analysis()]
    whole = notes.saved["lines"]
    scan(notes, a=10, b=3)[Looker().analysis()]
    assert notes.saved["lines"] == whole  # nothing new to write down
    scan(notes, a=10)[Looker().analysis()]
    assert b"A" in notes.saved["lines"]
    assert b"B" not in notes.saved["lines"]  # most of it was of no use
    notes.contents["d.py"] = b"D"
    scan(notes, d=10)[Looker().analysis()]
    assert b"D" in notes.saved["lines"]
    assert b"A" not in notes.saved["lines"]


def test_files_without_a_content_key_are_analysed_each_time() -> None:
    looker, notes = Looker(), FakeMemoStore({"a.py": b"A"})
    for _ in range(2):
        assert scan(notes, a=10, b=11)[looker.analysis()] == {"a.py": 10, "b.py": 11}
    assert looker.looked == 3
    assert scan(None, a=10)[looker.analysis()] == {"a.py": 10}
    assert looker.looked == 4


def test_undecodable_cached_results_are_ignored() -> None:
    notes = FakeMemoStore({"a.py": b"A"}, {"lines": b"\xc1"})
    assert scan(notes, a=10)[Looker().analysis()] == {"a.py": 10}


def test_plugin_analyses_are_never_cached() -> None:
    """Nobody notices when it is edited."""
    looker, notes = Looker("some_plugin"), FakeMemoStore({"a.py": b"A"})
    for _ in range(2):
        assert scan(notes, a=10)[looker.analysis()] == {"a.py": 10}
    assert looker.looked == 2
    assert not notes.saved


def test_files_of_other_roles_are_not_analysed() -> None:
    looker = Looker()
    analysis = per_file("lines", int, looker, frozenset({Role.TEST}))
    assert scan(None, a=10)[analysis] == {}
    assert looker.looked == 0


class Reader:
    """Finds the text of files with many lines; knows what it read."""

    def __init__(self) -> None:
        self.read: list[str] = []
        self.__module__ = "crimes.analyses.made_up"

    def __call__(self, facts: FileFacts, text: Callable[[], str]) -> str | None:
        if facts.lines < 9:
            return None
        self.read.append(text())
        return self.read[-1]


def scan_texts(kept: dict[str, bytes], reader: Reader, now: bytes, before: bytes) -> Mapping[str, str]:
    """Of one long file, which is this now and was that when its facts were read; and of one that is gone."""
    long, short = FileFacts("python", 10, 10, ""), FileFacts("python", 1, 1, "")
    made = context(
        [File("a.py", Role.SOURCE, long), File("gone.py", Role.SOURCE, short)], contents={"a.py": now}
    )
    made.memory = FakeMemoStore({"a.py": digest_of(before) + b"python", "gone.py": b"B"}, kept)
    return made[per_file_text("texts", str, reader)]


def test_text_of_each_content_is_read_once() -> None:
    reader, kept = Reader(), dict[str, bytes]()
    for _ in range(2):
        assert scan_texts(kept, reader, b"one", before=b"one") == {"a.py": "one"}
    assert scan_texts(kept, reader, b"two", before=b"two") == {"a.py": "two"}
    assert reader.read == ["one", "two"]


def test_result_is_not_cached_when_the_file_changed_during_the_scan() -> None:
    """As when a file is written while the scan runs."""
    reader, kept = Reader(), dict[str, bytes]()
    with pytest.raises(OSError, match="other content") as raised:
        scan_texts(kept, reader, b"two", before=b"one")
    assert raised.value.filename == "a.py"
    assert not kept
    assert scan_texts(kept, reader, b"one", before=b"one") == {"a.py": "one"}


def scan_given(kept: dict[str, bytes], looked: list[str], given: dict[str, list[str]]) -> Mapping[str, int]:
    """How many of the words given with a file its text holds."""
    contents = {"a.py": b"one two", "b.py": b"two"}

    def look(facts: FileFacts, text: Callable[[], str], words: list[str]) -> int:
        looked.append(f"{text()}: {' '.join(words)}")
        return sum(word in text() for word in words)

    look.__module__ = "crimes.analyses.made_up"
    made = context(
        [File(path, Role.SOURCE, FileFacts("python", 1, 1, "")) for path in contents], contents=contents
    )
    made.memory = FakeMemoStore({path: digest_of(content) for path, content in contents.items()}, kept)
    return made[per_file_given("words", int, (), lambda scan: given, look)]


def test_file_is_analysed_again_only_when_its_parameters_change() -> None:
    kept, looked = dict[str, bytes](), list[str]()
    assert scan_given(kept, looked, {"a.py": ["one"], "b.py": ["two"]}) == {"a.py": 1, "b.py": 1}
    assert scan_given(kept, looked, {"a.py": ["one", "two"], "b.py": ["two"]}) == {"a.py": 2, "b.py": 1}
    assert scan_given(kept, looked, {"a.py": ["one", "two"]}) == {"a.py": 2}  # of no other file
    assert looked == ["one two: one", "two: two", "one two: one two"]
