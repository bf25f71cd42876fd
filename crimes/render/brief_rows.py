"""The rows of a briefing on companions, calls, copies, names and tests, and its risk profile in words.

Standard library only. A briefing may be any object with the same attributes: the hook passes plain ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from posixpath import basename, dirname, splitext
from typing import TYPE_CHECKING

from crimes.model.wording import count, dependents_text, direct_tests_text, quoted_names
from crimes.render.brief_commands import test_command_rows
from crimes.render.fitting import File, Item, Name, Row, Sentence, code_span

if TYPE_CHECKING:
    from crimes.workflows.briefing.record import (
        Briefing,
        CallSite,
        CopyGroup,
        CopyPlace,
        Profile,
        ReachingTests,
        Reference,
        Symbol,
        TestEvidence,
    )

MAX_COMPANIONS = 5
_MAX_NAMES = 3
_MAX_CALLS_PER_FILE = 4
_MAX_SIGNATURES = 6  # the rest is counted
_MAX_TESTS = 8  # that import it; the rest is counted
_WRAPPED_SHARE = 0.8  # of the lines of a type, taken by another one inside it
_STEP = "Keep in step"
NO_TESTS = ("mocked", "types_only")  # kinds of evidence: tests that import the file and do not run it
_COUPLING = "hidden_coupling"  # the detector that reports files which change together


def profile_text(briefing: Briefing) -> str:
    """Churn, test gap and blast radius of the file, each number beside its raw evidence; empty where scores are withheld."""
    profile, importers = briefing.profile, briefing.importers
    if profile is None:
        return ""
    parts = [f"churn {profile.churn:.2f} ({_commits_text(briefing, profile)})"]
    if briefing.role != "docs":
        parts.append(f"test gap {profile.test_gap:.2f} ({_test_gap_text(briefing, profile)})")
        reach = dependents_text(profile.evidence.importers_possible or importers.possible, importers.direct)
        parts.append(f"blast radius {profile.blast_radius:.2f} ({reach})")
    return f"Risk profile: {'; '.join(parts)}"


def _commits_text(briefing: Briefing, profile: Profile) -> str:
    """Commits in 90 days; those of a year too, where the sentence on edit risk does not have them. Without a history, why there is none."""
    evidence, history = profile.evidence, briefing.history
    if history.limited and not evidence.commits_3y:
        return history.reason
    text = f"{count(evidence.commits_90d, 'commit')} in the 90 days before {history.reference_time[:10]}"
    if briefing.edit_risk:
        return text
    fixes = f" with {count(briefing.fixes_365d, 'fix', 'fixes')}" if briefing.fixes_365d else ""
    return f"{text}, {evidence.commits_365d:,} in the past year{fixes}"


def _test_gap_text(briefing: Briefing, profile: Profile) -> str:
    """The tests behind test_gap; without any, what else speaks of tests."""
    if briefing.role == "test":
        return "it is a test"
    if direct := direct_tests_text(briefing.tests.own, len(briefing.tests.importing)):
        return direct
    through = briefing.tests.transitive
    indirect = f"; {count(through, 'does', 'do')} through other files" if through else ""
    text = f"no test imports it directly{indirect}" if profile.test_gap else "no tests expected"
    if briefing.tests.by_name:
        text = f"no test imports it directly{indirect}; one has its name"
    changing = _test_in_heading(briefing)
    if changing is None:
        return text
    last = count(changing.of, "commit")
    return f"{text}; {changing.commits} of its last {last} also changed {code_span(changing.tests[0])}"


def _test_in_heading(briefing: Briefing) -> TestEvidence | None:
    """The test that changes with the file, where none imports it: the heading has it beside the test gap."""
    if briefing.tests.own or briefing.tests.importing or briefing.role in ("test", "docs"):
        return None
    return next((item for item in briefing.tests.evidence if item.kind == "changes_with_it"), None)


def companion_rows(briefing: Briefing, briefed: set[str]) -> Iterator[Row]:
    """At most five files that change with it, each with its odds, and how many more there are."""
    stated = {place.file for crime in briefing.findings if crime.type == _COUPLING for place in crime.related}
    changing = _test_in_heading(briefing)
    stated |= set(changing.tests if changing else ())
    likely = [other for other in briefing.companions if other.file not in briefed | stated]
    for number, other in enumerate(likely[:MAX_COMPANIONS]):
        whole = f" of the last {count(other.of, 'commit')} to this file" if not number else ""
        odds = f" in {other.commits}{whole}" if other.commits else " (named after it, too new for odds)"
        odds = " in the only commit to this file" if (other.commits, other.of) == (1, 1) else odds
        yield Row(
            _STEP,
            "changes with it",
            "usually changed together",
            (Name(other.file), odds),
            names=(other.file,),
        )
    others = briefing.other_companions + len(likely[MAX_COMPANIONS:])
    if others and likely:
        yield Row(_STEP, "notes", "usually changed together", (f"{count(others, 'more file')}, less often",))


def call_rows(briefing: Briefing, max_tests: int | None = None) -> Iterator[Row]:
    """The places that call or name the symbol that was asked for, file and lines; of tests those with most, at most `max_tests`."""
    yield from _place_rows(briefing.calls, "calls", "called at", "call it", max_tests)
    yield from _place_rows(briefing.references, "references", "also named at", "also name it", max_tests)


def _place_rows(
    places: Sequence[CallSite | Reference], kind: str, group: str, group_of_tests: str, max_tests: int | None
) -> Iterator[Row]:
    for file, lines, more in _lines_by_file(place for place in places if not place.test):
        yield Row(_STEP, kind, group, (Name(f"{file}:{lines}"), more), names=(file,))
    in_tests = Counter(place.file for place in places if place.test)
    shown = {file for file, _ in in_tests.most_common(max_tests)}
    for file, lines, more in _lines_by_file(place for place in places if place.test and place.file in shown):
        yield Row("Tests", kind, group_of_tests, (Name(f"{file}:{lines}"), more), names=(file,))
    if len(in_tests) > len(shown):
        others = count(len(in_tests) - len(shown), "more test file")
        yield Row("Tests", "notes", group_of_tests, (others,))


def places_by_file(places: Iterable[CallSite | Reference]) -> list[str]:
    """`file:1, 2` for each file; of many lines the first few, and how many more."""
    return [f"{file}:{lines}{more}" for file, lines, more in _lines_by_file(places)]


def _lines_by_file(places: Iterable[CallSite | Reference]) -> Iterator[tuple[str, str, str]]:
    """Each file with its first lines, and how many more there are, in words."""
    numbers: dict[str, list[str]] = {}
    for place in places:
        numbers.setdefault(place.file, []).append(str(place.line))
    for file, lines in numbers.items():
        left = len(lines) - _MAX_CALLS_PER_FILE
        yield file, ", ".join(lines[:_MAX_CALLS_PER_FILE]), f" and {left} more" if left > 0 else ""


def copy_rows(briefing: Briefing) -> Iterator[Row]:
    """One row for each group of copies."""
    for group in briefing.copies:
        yield Row(_STEP, "copies", "", _copies_item(group, briefing.file))


def _copies_item(group: CopyGroup, file: str) -> Item:
    """What repeats what, in one line."""
    names = list(dict.fromkeys(_last_word(place.symbol) for place in group.places if place.symbol))
    if group.total == 2 or len(names) < 2:
        first, *others = group.places
        shown = quoted_names([_place_text(place, file) for place in others], _MAX_NAMES)
        own = f"`{first.symbol}`" if first.symbol else f"lines {first.start}-{first.end}"
        verb = "repeats" if first.symbol else "repeat"
        what = "the signature" if group.same_parameters else count(group.lines, "line")
        everyone = f": change all {group.total}" if group.total > 2 else ""
        return (Sentence(f"{own} {verb} {what} of {shown}{everyone}"),)
    what = "one signature" if group.same_parameters else f"the same {count(group.lines, 'line')}"
    homes = list(dict.fromkeys(_home(place) for place in group.places))
    where = quoted_names(homes, _MAX_NAMES)
    shown = ", ".join(f"`{name}`" for name in names[:_MAX_NAMES]) + (" …" if names[_MAX_NAMES:] else "")
    files = [place.file for place in group.places if place.file != file]
    elsewhere = f" ({quoted_names(list(dict.fromkeys(files)), _MAX_NAMES)})" if files else ""
    return (Sentence(f"{shown} repeat {what} in {where}{elsewhere}: change all {group.total}"),)


def _place_text(place: CopyPlace, file: str) -> str:
    """A place as the reader of a briefing of `file` finds it."""
    if place.symbol:
        return place.symbol if place.file == file else f"{place.file}:{place.symbol}"
    return f"{place.file}:{place.start}-{place.end}"


def _home(place: CopyPlace) -> str:
    """The class of a function, else its file."""
    return place.symbol.rpartition(".")[0] or place.file


def _last_word(name: str) -> str:
    return name.rpartition(".")[2]


def name_rows(briefing: Briefing) -> Iterator[Row]:
    """Signatures of the public names, those that most files use first; and who passes them on or documents them."""
    public = public_names(briefing)
    holders = {_home_of(symbol) for symbol in public}
    owners = {_home_of(symbol) for symbol in public if symbol.name not in holders} - {""}
    for symbol in public[:_MAX_SIGNATURES]:
        is_member = len(owners) > 1 and symbol.name not in holders
        yield name_row(symbol, _last_word(_home_of(symbol)) if is_member else "")
    if public[_MAX_SIGNATURES:]:
        more = count(len(public) - _MAX_SIGNATURES, "more public name")
        yield Row("Names", "notes", "", (more,))


def _home_of(symbol: Symbol) -> str:
    return symbol.name.rpartition(".")[0]


def public_names(briefing: Briefing) -> list[Symbol]:
    """The names that other files can use: what is defined at the top before methods, the API first, then what most files use."""
    uses: dict[str, int] = {}
    for user in briefing.users:
        for name in user.names:
            uses[name] = uses.get(name, 0) + 1
    public = [symbol for symbol in briefing.symbols if symbol.signature and not _is_wrapper(symbol, briefing)]
    return sorted(
        public,
        key=lambda symbol: (
            "." in symbol.name,
            not symbol.public_api,
            -uses.get(symbol.name.partition(".")[0], 0),
        ),
    )


def _is_wrapper(symbol: Symbol, briefing: Briefing) -> bool:
    """Whether a name only stands around what matters: a namespace of another type, or the class of the method asked for."""
    inside = [
        other
        for other in briefing.symbols
        if other.public
        and other.name.startswith(f"{symbol.name}.")
        and symbol.start <= other.start <= other.end <= symbol.end
    ]
    if briefing.focus:
        return any(other.signature for other in inside) and not symbol.name.endswith(
            briefing.focus.replace("::", ".").replace("#", ".")
        )
    size = symbol.end - symbol.start
    holders = {other.name.rpartition(".")[0] for other in inside}
    return any(other.name in holders and other.end - other.start >= _WRAPPED_SHARE * size for other in inside)


def name_row(symbol: Symbol, owner: str = "") -> Row:
    """The signature of a name, of a method with its class where several have some; and where it is known outside of its file."""
    exported = f"re-exported by {symbol.exported_by}" if symbol.exported_by else ""
    if symbol.public_api:
        exported = f"public API{f' through {symbol.exported_by}' if symbol.exported_by else ''}"
    documented = f"documented in {symbol.documented_in}" if symbol.documented_in else ""
    known = ", ".join(filter(None, (exported, documented)))
    of_owner: Item = (" of ", Name(owner)) if owner and owner not in symbol.signature else ()
    text = f" line {symbol.start}{f'; {known}' if known else ''}"
    return Row("Names", "signatures", "", (Name(symbol.signature), *of_owner, text))


def _not_in_command(tests: Sequence[str], command: str) -> list[str]:
    """The tests that a command does not name: by path, by `./folder`, by dotted module, or, where only one can be meant, by class
    or the last word of its module."""
    paths = [] if command.startswith("cd ") else command.split()
    folders = {
        word.removeprefix(".").removeprefix("/") for word in paths if word == "." or word.startswith("./")
    }
    words = command.replace("=", " ").replace(",", " ").split()
    names = {word.rpartition(".")[2] for word in words}
    dotted = {word for word in words if "." in word}
    stems = [splitext(basename(test))[0] for test in tests]
    unnamed = (stem not in names or stems.count(stem) > 1 for stem in stems)
    return [
        test
        for test, is_unnamed in zip(tests, unnamed, strict=True)
        if is_unnamed
        and test not in paths
        and dirname(test) not in folders
        and not _is_module_in(dotted, test)
    ]


def _is_module_in(dotted: Collection[str], test: str) -> bool:
    """Whether one of the dotted names, counted from some folder above, is the module of a test."""
    parts = splitext(test)[0].split("/")
    return any(".".join(parts[start:]) in dotted for start in range(len(parts) - 1))


def test_rows(briefing: Briefing) -> Iterator[Row]:
    """The command, tests that import it or bear its name, what else speaks of tests, and coverage."""
    yield from test_command_rows(briefing)
    if not any(call.test for call in briefing.calls):  # else these say more than what imports the file
        yield from _tests_of_file(briefing)
    yield from _coverage_rows(briefing)


def _tests_of_file(briefing: Briefing) -> Iterator[Row]:
    tests = briefing.tests
    for evidence in tests.evidence:
        if evidence.kind != "changes_with_it":  # the heading or the companions have it
            yield Row("Tests", "evidence", "", (Sentence(evidence_text(evidence)),))
    also = "also " if tests.command else ""
    listed = _not_run(tests)
    for test in listed[:_MAX_TESTS]:
        yield Row("Tests", "tests", f"test files that {also}import it", (File(test),))
    if listed[_MAX_TESTS:]:
        more = count(len(listed) - _MAX_TESTS, "more test file")
        yield Row("Tests", "notes", f"test files that {also}import it", (more,))
    for test in _not_in_command(tests.by_name, tests.command):
        yield Row("Tests", "tests", "tests named after it", (File(test),))
    through_api = sum(evidence.total for evidence in tests.evidence if evidence.kind == "public_api")
    others = tests.transitive - len(tests.importing) - through_api
    is_said = str(others) in tests.command_note.split()  # the note may have said it
    if tests.importing and others > 0 and not is_said:
        text = f"{count(others, 'more test file imports', 'more test files import')} it indirectly"
        yield Row("Tests", "notes", "", (text,))


def _not_run(tests: ReachingTests) -> list[str]:
    """The tests that import the file and use it, and that the command does not run."""
    unused = {test for evidence in tests.evidence if evidence.kind in NO_TESTS for test in evidence.tests}
    using = [test for test in tests.importing if test not in unused]
    runs_whole_package = "cargo test" in tests.command and " --test " not in tests.command
    if runs_whole_package and tests.command_runs >= len(using):
        return []
    return _not_in_command(using, tests.command)


def evidence_text(evidence: TestEvidence) -> str:
    """What the tests have to do with the file."""
    tests = quoted_names(evidence.tests, _MAX_NAMES)
    if evidence.total > len(evidence.tests):
        tests = f"{', '.join(f'`{test}`' for test in evidence.tests)} and {evidence.total - len(evidence.tests)} more"
    is_one = evidence.total == 1
    no_test = f"so {'it does' if is_one else 'they do'} not test it"
    match evidence.kind:
        case "same_package":
            return f"in the same package: {tests}"
        case "public_api":
            return f"{tests} {'imports' if is_one else 'import'} `{evidence.via}`, which passes its names on"
        case "starts_program":
            return f"{tests} {'starts' if is_one else 'start'} the program and may reach it"
        case "types_only":
            return f"{tests} {'imports' if is_one else 'import'} only its types, {no_test}"
        case _:
            return f"{tests} {'replaces' if is_one else 'replace'} it by a mock, {no_test}"


def _coverage_rows(briefing: Briefing) -> Iterator[Row]:
    coverage = briefing.coverage
    if coverage is None:
        return
    for function in coverage.never_ran:
        name = Name(f"{function.name}:{function.line}")
        yield Row("Tests", "functions no test runs", "never ran", (name,))
    when = " before it last changed, so lines may have moved" if coverage.stale else ""
    text = f"coverage data: {coverage.covered:,} of {count(coverage.total, 'line')} ran{when}"
    yield Row("Tests", "notes", "", (text,))
