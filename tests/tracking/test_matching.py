"""Two scans held against each other, by hand-made findings: what is known again, and by what."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.model.code_sketch import exact_digest, similarity, sketch_of
from crimes.model.facts import Role
from crimes.model.report import Charge, Lines, MeasureOut, RelatedOut, SkippedFile
from crimes.model.repository import File
from crimes.tracking.identity import FindingIdentity, with_code_marks
from crimes.tracking.matching import Differences, Side, compare, side_of
from crimes.workflows.comparison import State, compare_reports
from tests.kit.built_repo import context
from tests.kit.reports import crime, report

RAN = frozenset({"god_function", "cloned_logic"})


def identity(file: str, symbol: str = "run", **more: object) -> FindingIdentity:
    """A finding whose marks follow from what is said of it."""
    made = FindingIdentity(f"{file}#{symbol}", "god_function", file, symbol, within=symbol, code="c0de")
    return msgspec.structs.replace(made, **more)


def differences(
    before: list[FindingIdentity], now: list[FindingIdentity], renamed: dict[str, str] | None = None
) -> Differences:
    return compare(Side(tuple(before), RAN), Side(tuple(now), RAN), renamed or {})


def test_the_same_findings_are_unchanged() -> None:
    found = differences([identity("a.py")], [identity("a.py", code="other")])
    assert (found.new, found.fixed, found.moved, found.unchanged) == ((), (), (), ("a.py#run",))


def test_appeared_finding_is_new_and_disappeared_one_is_fixed() -> None:
    found = differences([identity("a.py", code="1")], [identity("b.py", code="2")])
    assert (found.new, found.fixed, found.moved, found.unchanged) == (("b.py#run",), ("a.py#run",), (), ())


def test_edited_function_in_a_renamed_file_is_matched_as_moved() -> None:
    found = differences([identity("a.py", code="1")], [identity("b.py", code="2")], {"b.py": "a.py"})
    assert (found.new, found.fixed, found.moved) == ((), (), ("b.py#run",))
    assert found.previous == {"b.py#run": "a.py#run"}


@pytest.mark.parametrize("now", [identity("b.py"), identity("a.py", "walk"), identity("b.py", "walk")])
def test_moved_or_renamed_function_is_matched_by_its_code(now: FindingIdentity) -> None:
    found = differences([identity("a.py")], [now])
    assert (found.new, found.fixed, found.moved) == ((), (), (now.fingerprint,))


def test_findings_without_a_code_digest_are_not_matched_by_code() -> None:
    found = differences([identity("a.py", code="")], [identity("b.py", code="")])
    assert (len(found.new), len(found.fixed)) == (1, 1)


def test_copy_and_second_move_of_a_function_are_new() -> None:
    found = differences([identity("a.py")], [identity("a.py"), identity("b.py")])
    assert (found.new, found.unchanged) == (("b.py#run",), ("a.py#run",))
    found = differences([identity("a.py")], [identity("b.py"), identity("c.py")])
    assert (found.new, found.moved, found.fixed) == (("c.py#run",), ("b.py#run",), ())


def test_different_finding_in_the_same_symbol_is_new() -> None:
    one = identity("a.py", fingerprint="1", within="first", code="")
    other = identity("a.py", fingerprint="2", within="second", code="")
    found = differences([one], [other])
    assert (found.new, found.fixed) == (("2",), ("1",))


def test_hidden_findings_make_others_neither_new_nor_fixed() -> None:
    found = differences([identity("a.py", shown=False)], [identity("a.py")])
    assert (found.new, found.unchanged) == ((), ("a.py#run",))
    found = differences([identity("a.py")], [identity("a.py", shown=False)])
    assert (found.fixed, found.unchanged) == ((), ())


def clone(file: str, *members: str) -> FindingIdentity:
    return identity(file, type="cloned_logic", code=file, copies=len(members), members=members)


def test_additional_copy_of_a_known_clone_is_new_at_any_position() -> None:
    before = [clone("b.py", "b.py#run", "c.py#run")]
    for now in (
        clone("b.py", "b.py#run", "c.py#run", "d.py#run"),
        clone("a.py", "a.py#run", "b.py#run", "c.py#run"),
    ):
        found = differences(before, [now])
        assert (found.new, found.fixed) == ((now.fingerprint,), ()), now.file
        assert found.grown == {now.fingerprint}


def test_fewer_copies_are_not_new() -> None:
    found = differences(
        [clone("a.py", "a.py#run", "b.py#run", "c.py#run")], [clone("b.py", "b.py#run", "c.py#run")]
    )
    assert (found.new, found.fixed, found.moved) == ((), (), ("b.py#run",))


def test_finding_one_side_did_not_look_for_is_neither_new_nor_fixed() -> None:
    one = Side((identity("a.py"),), RAN)
    empty = Side((), RAN)
    for before in (replace(empty, ran=frozenset()), replace(empty, unread={"a.py": "larger than 2 bytes"})):
        found = compare(before, one, {})
        assert (found.new, list(found.unclear)) == ((), ["a.py#run"])
    for now in (replace(empty, ran=frozenset()), replace(empty, unread={"a.py": "larger than 2 bytes"})):
        found = compare(one, now, {})
        assert (found.fixed, list(found.lost)) == ((), ["a.py#run"])


def test_a_deleted_file_leaves_fixed_findings() -> None:
    found = compare(Side((identity("a.py"),), RAN), Side((), RAN, {"a.py": "deleted"}), {})
    assert found.fixed == ("a.py#run",)


def test_report_becomes_one_side_of_a_comparison() -> None:
    copies = {"copies": MeasureOut(2)}
    other = RelatedOut("src/z.py", Lines(1, 9), "go", "the same lines")
    charge = Charge("f" * 32, "long", "Long", crime().severity, 0.8, Lines(1, 2), "It is long.")
    made = report(
        crime("a.py", also=(charge,)),
        crime("b.py", evidence=copies, related=(other,)),
        hidden=(crime("c.py"),),
    )
    made = msgspec.structs.replace(
        made, files=msgspec.structs.replace(made.files, skipped=(SkippedFile("big.py", "large"),))
    )
    side = side_of(made)
    assert [(finding.file, finding.type, finding.shown) for finding in side.findings] == [
        ("a.py", "god_function", True),
        ("a.py", "long", False),
        ("b.py", "god_function", True),
        ("c.py", "god_function", False),
    ]
    assert side.findings[2].members == ("b.py#Core.run", "src/z.py#go")
    assert side.ran == {"god_function"}
    assert side.unread == {"big.py": "large"}


BODY = "def {name}(a, b):\n    total = a.first + b.second\n    return total * {name}(a.third, b.fourth)\n"


def code_digest(text: str, symbol: str, line: int = 1, end: int = 2, path: str = "a.py") -> str:
    facts = read_facts(by_id["python"], text.encode())
    made = context([File(path, Role.SOURCE, facts)], contents={path: text.encode()}, root=Path("/nowhere"))
    return with_code_marks([crime(path, line, symbol=symbol, lines=Lines(line, end))], made.repo, None)[
        0
    ].code


def test_code_digest_survives_a_move_a_rename_and_a_formatter() -> None:
    plain = BODY.format(name="run")
    first = code_digest(plain, "run")
    assert len(first) == 16
    assert code_digest("import os\n\n" + plain, "run", 3, 4, "other.py") == first
    assert code_digest(BODY.format(name="walk"), "walk") == first
    assert code_digest(plain.replace("(a, b)", "(\n    a,\n    b,\n)"), "run", 1, 5) == first


def test_code_digest_changes_only_with_its_own_symbol() -> None:
    plain = BODY.format(name="run")
    first = code_digest(plain, "run")
    assert code_digest(plain.replace("third", "fifth"), "run") != first
    assert code_digest(plain + "\n\ndef other():\n    return 1\n", "run") == first
    whole = code_digest(plain, "", 1, 1)
    assert whole != code_digest(plain + "\nx = 1\n", "", 1, 1)


def test_very_short_code_has_no_digest() -> None:
    assert code_digest("def f(a):\n    return a\n", "f") == ""


def test_findings_that_changed_with_time_are_unclear() -> None:
    old, new, other = crime("old.py"), crime("new.py"), crime("other.py")
    state = State("x", "a" * 40)
    made = compare_reports(
        report(old), report(new, other), {}, state, state, by_time=lambda item: item != other
    )
    assert (made.new, made.fixed, made.verdict.verdict) == ((other,), (), "worse")
    assert [(item.finding, item.state) for item in made.unclear] == [(new, "head"), (old, "base")]
    assert made.unclear[0].why.startswith("it appeared over time")


def body(*edited: int) -> str:
    """The mark of a function of thirty lines, of which some were edited."""
    rows = [["line", "number", f"{number}b" if number in edited else str(number)] for number in range(30)]
    return sketch_of(rows, with_lines=True)


def test_edited_methods_of_a_renamed_class_are_matched() -> None:
    before = [identity("a.py", "One.run", code=body()), identity("a.py", "One.walk", code=body(*range(25)))]
    now = [
        identity("a.py", "_One.walk", code=body(*range(26))),
        identity("b.py", "_One.run", code=body(1, 2)),
    ]
    found = differences(before, now)
    assert found.previous == {"a.py#_One.walk": "a.py#One.walk", "b.py#_One.run": "a.py#One.run"}
    assert (found.new, found.fixed) == ((), ())


def test_code_that_is_mostly_other_code_is_new() -> None:
    found = differences([identity("a.py", code=body())], [identity("a.py", "walk", code=body(*range(20)))])
    assert (found.new, found.fixed) == (("a.py#walk",), ("a.py#run",))


def _code(*ranges: range) -> str:
    rows = [["value", str(number), "from", f"source{number}"] for numbers in ranges for number in numbers]
    return sketch_of(rows, with_lines=True)


_WHOLE = range(60)


def test_every_piece_of_a_split_function_is_moved() -> None:
    first, second = _code(range(30)), _code(range(30, 60))
    before = [identity("a.py", code=_code(_WHOLE))]
    found = differences(before, [identity("a.py", code=first), identity("b.py", "rest", code=second)])
    assert (found.new, found.fixed, found.moved, found.unchanged) == ((), (), ("b.py#rest",), ("a.py#run",))
    found = differences(before, [identity("a.py", "one", code=first), identity("b.py", "two", code=second)])
    assert (found.new, found.fixed, set(found.moved)) == ((), (), {"a.py#one", "b.py#two"})


def test_a_copied_piece_and_a_piece_with_much_of_its_own_are_new() -> None:
    before = [identity("a.py", code=_code(_WHOLE))]
    copied = identity("b.py", "rest", code=_code(range(40, 60)))
    assert differences(before, [identity("a.py", code=_code(_WHOLE)), copied]).new == ("b.py#rest",)
    other = identity("b.py", "rest", code=_code(range(45, 60), range(100, 130)))
    assert differences(before, [identity("a.py", code=_code(range(45))), other]).new == ("b.py#rest",)


def test_different_finding_in_edited_code_is_new() -> None:
    one = identity("a.py", fingerprint="1", within="first", code=body())
    other = identity("a.py", fingerprint="2", within="second", code=body(1))
    assert (differences([one], [other]).new, differences([one], [other]).fixed) == (("2",), ("1",))


def test_sketch_of_an_older_version_matches_only_exactly() -> None:
    whole = body()
    assert exact_digest(whole) == whole[:16]
    assert differences(
        [identity("a.py", code=exact_digest(whole))], [identity("b.py", code=whole)]
    ).moved == ("b.py#run",)
    assert similarity(exact_digest(whole), whole) == 0
    assert (similarity(whole, whole), similarity(whole, sketch_of([["x"]] * 9, with_lines=True))) == (1, 0)
    assert sketch_of([["few", "words"]], with_lines=True) == ""
