"""The briefing of a symbol with the calls that lead to it, and of any file with the signatures of its public names.

Both are read from the work tree when somebody asks: a scan need not find them for every function.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from crimes.model.facts import Role
from crimes.model.wording import count
from crimes.workflows.briefing.record import Briefing, CallSite, Symbol
from crimes.workflows.briefing.signatures import WITH_SIGNATURES, signatures
from crimes.workflows.briefing.target import is_lines, symbols_named

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


def with_calls(briefing: Briefing, session: Session) -> Briefing:
    """The same briefing of a part of a file, with the calls that lead to its functions and classes."""
    symbols = _asked_for(briefing)
    if not symbols:
        return briefing
    from crimes.analyses.change.call_sites import find_calls

    likely = [
        *(user.file for user in briefing.users),
        *(companion.file for companion in briefing.companions),
    ]
    with session.work_tree_state() as states:
        found = find_calls(states.after, briefing.file, symbols, likely, _MAX_FILES_READ)
        files = states.after.files
    calls = [
        CallSite(call.symbol, call.file, call.line, call.caller, files[call.file].role is Role.TEST)
        for call in found.calls
    ]
    calls.sort(key=lambda call: (call.test, call.file != briefing.file, call.file, call.line))
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
    return msgspec.structs.replace(briefing, calls=tuple(calls), limits=tuple(limits))


def _asked_for(briefing: Briefing) -> frozenset[str]:
    """The names of the symbols that the briefing is about; none of a whole file, or of many lines."""
    if not briefing.focus:
        return frozenset()
    named = symbols_named(briefing, briefing.focus) if not is_lines(briefing.focus) else ()
    names = {symbol.name for symbol in named or _innermost(briefing.symbols)}
    return frozenset(names) if len(names) <= _MAX_SYMBOLS else frozenset()


def _innermost(symbols: tuple[Symbol, ...]) -> list[Symbol]:
    """The symbols that hold no other one of these: of lines in a method, the method and not its class."""
    return [
        symbol for symbol in symbols if not any(other.name.startswith(f"{symbol.name}.") for other in symbols)
    ]
