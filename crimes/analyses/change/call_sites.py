"""The calls in one state of a repository that lead to some functions or classes of a file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from crimes.analyses.change.callees import Callees
from crimes.analyses.change.entities import Functions
from crimes.analyses.change.outlines import Outlines
from crimes.analyses.change.state import State, last_word
from crimes.languages import by_id
from crimes.model.facts import FileFacts

_CONSTRUCTOR_CALLS = frozenset({"super", "this", "cls", "new"})


class FoundCall(Struct, frozen=True, order=True):
    """A call of `symbol`, in the function `caller` of a file; empty outside of functions. `in_test` in a part that holds tests."""

    file: str
    line: int
    symbol: str
    caller: str
    in_test: bool = False


class FoundCalls(Struct, frozen=True):
    """The calls in order; others of the same name that lead somewhere unknown; how many files were left out."""

    calls: tuple[FoundCall, ...]
    unknown: tuple[FoundCall, ...]
    files_left_out: int


def find_calls(
    state: State, path: str, symbols: Collection[str], likely: Sequence[str], max_files: int
) -> FoundCalls:
    """Calls that lead to these symbols of a file. `likely` callers are read first, and at most `max_files` of all."""
    facts = state.facts(path)
    language = by_id.get(facts.language) if facts else None
    if facts is None or language is None or language.syntax is None or language.syntax.calling is None:
        return FoundCalls((), (), 0)
    classes = {class_.qualname for class_ in facts.classes} & set(symbols)
    words = {last_word(symbol) for symbol in symbols}
    candidates = list(_candidates(state, path, words, language.family, likely))
    callees = Callees(state, outlines := Outlines())
    calls: set[FoundCall] = set()
    unknown: set[FoundCall] = set()
    for file in candidates[:max_files]:
        outline = outlines.of(state, file)
        own = state.facts(file)
        aliases = _aliases(own, words) if own else set()
        for site in outline.calls if outline and own else ():
            word = last_word(site.target)
            if word not in words and word not in aliases and not (classes and word in _CONSTRUCTOR_CALLS):
                continue
            callee = callees.callee(file, site)
            symbol = _symbol(callees, callee, path, symbols, classes) if isinstance(callee, Functions) else ""
            function = own.functions[site.function] if own and site.function >= 0 else None
            caller, in_test = (function.qualname, function.in_test) if function else ("", False)
            if symbol:
                calls.add(FoundCall(file, site.line, symbol, caller, in_test))
            elif callee is None and word in words:
                meant = next(symbol for symbol in sorted(symbols) if last_word(symbol) == word)
                unknown.add(FoundCall(file, site.line, meant, caller, in_test))
    return FoundCalls(tuple(sorted(calls)), tuple(sorted(unknown)), max(0, len(candidates) - max_files))


def _aliases(facts: FileFacts, words: Collection[str]) -> set[str]:
    """The names under which a file imports these."""
    return {
        bound.alias for item in facts.imports for bound in item.names if bound.alias and bound.name in words
    }


def _symbol(
    callees: Callees, callee: Functions, path: str, symbols: Collection[str], classes: Collection[str]
) -> str:
    """The symbol of the file that a call leads to; the class of a constructor; empty if it is another."""
    for functions in (callee, *callee.others):
        function = callees.function_of(functions.path, functions.indexes[0])
        if function is None or functions.path != path:
            continue
        if function.qualname in symbols:
            return function.qualname
        owner = function.qualname.rpartition(".")[0]
        if owner in classes and not functions.is_bound:
            return owner
    return ""


def _candidates(
    state: State, path: str, words: Collection[str], family: str, likely: Sequence[str]
) -> Iterator[str]:
    """Files of the language family whose text has one of the words: the file itself, likely callers, then the others."""
    pattern = re.compile(
        rb"(?<![\w$])(?:" + b"|".join(re.escape(word.encode()) for word in sorted(words)) + rb")(?![\w$])"
    )
    first = {file: None for file in (path, *likely) if file in state.files}
    folder = path.rpartition("/")[0]
    others = sorted(state.files.keys() - first.keys(), key=lambda file: (_distance(folder, file), file))
    for file in (*first, *others):
        if by_id[state.files[file].language].family == family:
            try:
                source = state.read(file)
            except OSError:
                continue
            if pattern.search(source):
                yield file


def _distance(folder: str, file: str) -> int:
    """How many folders lie between a folder and a file."""
    own, other = folder.split("/") if folder else [], file.split("/")[:-1]
    shared = 0
    while shared < min(len(own), len(other)) and own[shared] == other[shared]:
        shared += 1
    return len(own) + len(other) - 2 * shared
