"""The briefing of a symbol with the places that call or name it, and of any file with the signatures of its public names.

Both are read from the work tree when somebody asks: a scan need not find them for every function.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from crimes.model.facts import Role
from crimes.model.repository import File, Repo
from crimes.model.wording import count
from crimes.workflows.briefing.record import Briefing, CallSite, ReachingTests, Reference
from crimes.workflows.briefing.signatures import WITH_SIGNATURES, signatures
from crimes.workflows.briefing.target import symbols_asked_for

if TYPE_CHECKING:
    from crimes.analyses.change.state import State
    from crimes.workflows.session import Session

_MAX_FILES_READ = 80  # that may call it
_MAX_DOCUMENTED = 40  # names of a file that documents are searched for
_MAX_SYMBOLS = 6  # of some lines, beyond which nobody asks for their calls


def with_signatures(briefing: Briefing, root: Path) -> Briefing:
    """The same briefing with the signatures of its public functions, as the source has them now, and where they are documented."""
    from crimes.workflows.briefing.documents import find_documents
    from crimes.workflows.source_lines import read_source

    if briefing.role not in WITH_SIGNATURES or not briefing.symbols:
        return briefing
    texts = signatures(read_source(root, briefing.file, math.inf).lines, briefing.symbols, briefing.language)
    asked = {symbol.name for symbol in symbols_asked_for(briefing)}
    once = {symbol.name for symbol in briefing.symbols if symbol.defined_once}
    shown = {
        symbol.name: None
        for symbol in briefing.symbols
        if (symbol.name, symbol.start) in texts
        and (symbol.name in once or (symbol.name in asked and symbol.name.partition(".")[0] in once))
    }
    documents = find_documents(root, list(shown)[:_MAX_DOCUMENTED])
    symbols = tuple(
        msgspec.structs.replace(
            symbol,
            signature=texts.get((symbol.name, symbol.start), ""),
            documented_in=documents.get(symbol.name, ""),
        )
        for symbol in briefing.symbols
    )
    return msgspec.structs.replace(briefing, symbols=symbols)


def with_uses(briefing: Briefing, session: Session) -> Briefing:
    """The same briefing of a part of a file, with the calls that lead to its functions and classes, and what else names them."""
    symbols = {symbol.name for symbol in symbols_asked_for(briefing)}
    if not 0 < len(symbols) <= _MAX_SYMBOLS:
        return briefing
    from crimes.analyses.change.call_sites import find_calls
    from crimes.analyses.change.if_renamed import find_breaks

    likely = [
        *(user.file for user in briefing.users),
        *(companion.file for companion in briefing.companions),
    ]
    with session.work_tree_state() as states:
        found = find_calls(states.after, briefing.file, symbols, likely, _MAX_FILES_READ)
        spots = find_breaks(states.after, briefing.file, symbols)
        files = states.after.files
        breaking = {(spot.file, spot.line) for spot in spots}
        meant = [call for call in found.unknown if (call.file, call.line) in breaking]
        calls = [
            CallSite(
                call.symbol, call.file, call.line, call.caller, call.in_test or _is_test(files, call.file)
            )
            for call in (*found.calls, *meant)
        ]
        calling = Counter(call.file for call in calls if call.test)
        tests = _with_calling_tests(briefing, calling, states.after, session.root)
    calls.sort(key=lambda call: _order(call, briefing.file))
    called = {(call.file, call.line) for call in calls}
    references = [
        Reference(spot.file, spot.line, _is_test(files, spot.file))
        for spot in spots
        if (spot.file, spot.line) not in called
    ]
    references.sort(key=lambda reference: _order(reference, briefing.file))
    limits = list(briefing.limits)
    if unknown := [call for call in found.unknown if call not in meant]:
        what = count(len(unknown), "more call has", "more calls have")
        why = "its receiver is not known" if len(unknown) == 1 else "their receivers are not known"
        limits.append(f"{what} this name in {count(len({call.file for call in unknown}), 'file')}: {why}")
    if found.files_left_out:
        limits.append(
            f"calls in {count(found.files_left_out, 'more file')} that mention the name were not followed"
        )
    return msgspec.structs.replace(
        briefing, calls=tuple(calls), references=tuple(references), limits=tuple(limits), tests=tests
    )


def _is_test(files: Mapping[str, File], path: str) -> bool:
    return files[path].role is Role.TEST


def _with_calling_tests(
    briefing: Briefing, calls: Mapping[str, int], state: State, root: Path
) -> ReachingTests:
    """The tests of a briefing with a command for those that call the symbol, those with most calls first; else as they are."""
    from crimes.workflows.briefing.test_cases import NO_CASES, read_cases
    from crimes.workflows.briefing.test_commands import Runners

    def read(path: str) -> bytes:
        try:
            return state.read(path)
        except OSError:
            return b""  # a manifest that is gone or cannot be read says nothing

    if not calls or briefing.role is Role.TEST:
        return briefing.tests
    cases = {path: read_cases(state.files[path].facts) or NO_CASES for path in (briefing.file, *calls)}
    with_cases = [path for path in calls if cases[path].cases or cases[path].one_line]
    tests = sorted(with_cases, key=lambda path: (-calls[path], path))
    repo = Repo(root, state.files, state.paths, (), (), read)
    command = Runners(repo, cases).command_for(tuple(tests), briefing.file)
    if not command.text:
        return briefing.tests
    return msgspec.structs.replace(
        briefing.tests, command=command.text, command_runs=command.runs, command_note=""
    )


def _order(place: CallSite | Reference, file: str) -> tuple[object, ...]:
    """Code before tests; the file itself, then its part of the repository, then the rest."""
    top = file.partition("/")[0]
    return place.test, place.file != file, place.file.partition("/")[0] != top, place.file, place.line
