"""The briefing of a symbol with the places that call or name it, and of any file with the signatures of its public names.

Both are read from the work tree when somebody asks: a scan need not find them for every function.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from crimes.model.facts import Role
from crimes.model.wording import count
from crimes.workflows.briefing.record import Briefing, CallSite, Reference
from crimes.workflows.briefing.signatures import WITH_SIGNATURES, signatures
from crimes.workflows.briefing.target import symbols_asked_for

if TYPE_CHECKING:
    from crimes.workflows.session import Session

_MAX_FILES_READ = 80  # that may call it
_MAX_SYMBOLS = 6  # of some lines, beyond which nobody asks for their calls


def with_signatures(briefing: Briefing, root: Path) -> Briefing:
    """The same briefing with the signatures of its public functions, as the source has them now."""
    from crimes.workflows.source_lines import read_source

    if briefing.role not in WITH_SIGNATURES or not briefing.symbols:
        return briefing
    texts = signatures(read_source(root, briefing.file, math.inf).lines, briefing.symbols, briefing.language)
    symbols = tuple(
        msgspec.structs.replace(symbol, signature=texts.get((symbol.name, symbol.start), ""))
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
    calls = [
        CallSite(call.symbol, call.file, call.line, call.caller, files[call.file].role is Role.TEST)
        for call in found.calls
    ]
    calls.sort(key=lambda call: _order(call, briefing.file))
    called = {(call.file, call.line) for call in calls}
    references = [
        Reference(spot.file, spot.line, files[spot.file].role is Role.TEST)
        for spot in spots
        if (spot.file, spot.line) not in called
    ]
    references.sort(key=lambda reference: _order(reference, briefing.file))
    limits = list(briefing.limits)
    if found.unknown:
        what = count(found.unknown, "more call has", "more calls have")
        limits.append(
            f"{what} this name in {count(found.unknown_files, 'file')}: their receivers are not known"
        )
    if found.files_left_out:
        limits.append(
            f"calls in {count(found.files_left_out, 'more file')} that mention the name were not followed"
        )
    return msgspec.structs.replace(
        briefing, calls=tuple(calls), references=tuple(references), limits=tuple(limits)
    )


def _order(place: CallSite | Reference, file: str) -> tuple[object, ...]:
    """Code before tests; the file itself, then its part of the repository, then the rest."""
    top = file.partition("/")[0]
    return place.test, place.file != file, place.file.partition("/")[0] != top, place.file, place.line
