"""Functions whose parameters changed, or methods that are gone, with the calls that do not fit them and were not edited.

A call counts only if it led to the function before the change and fitted it, stands unedited in the later state, and does not fit
what it leads to now. Whatever is not followed for sure is left alone: see docs/changes.md for each language.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from msgspec import Struct

from crimes.analyses.change.callees import Callees
from crimes.analyses.change.entities import Functions, Missing
from crimes.analyses.change.fitting import Misfit, Parameters, find_misfit, fits
from crimes.analyses.change.lost_names import ChangedFile, Changes
from crimes.analyses.change.outlines import Outlines
from crimes.analyses.change.sole_members import Member, SoleMembers
from crimes.analyses.change.state import State, last_word
from crimes.analyses.change.two_states import TwoStates
from crimes.languages import by_id
from crimes.model.calls import CallOutline, CallSite
from crimes.model.change import ChangeItem, Level, Spot
from crimes.model.facts import FileFacts, Function
from crimes.model.wording import count

GONE = "gone"
_CONSTRUCTORS = frozenset(
    {"super", "this", "cls"}
)  # calls that may create an object without its class's name


class _Key(Struct, frozen=True, order=True):
    """A function of the earlier state: its file and qualified name."""

    file: str
    qualname: str


def find_changed_signatures(states: TwoStates) -> list[ChangeItem]:
    """One item per changed function that has calls which do not fit it now."""
    outlines = Outlines()
    suspects = _find_suspects(states, outlines)
    if not suspects:
        return []  # the rest of the repository need not be read
    search = _Search(states.before, states.after, states.changes, suspects, outlines)
    for path, names in sorted(search.callers().items()):
        search.look_at(path, names)
    return search.results()


def _find_suspects(states: TwoStates, outlines: Outlines) -> dict[str, frozenset[str]]:
    """By file of the earlier state: qualified names whose parameters differ or that are gone."""
    suspects = {}
    for file in states.changes.files:
        if _has_same_functions(states, file):
            continue
        old = _signatures(states.changed_before, file.old, outlines) if file.old else {}
        if not old or (file.new and outlines.of(states.changed_after, file.new) is None):
            continue  # a file that is there and was not read may have everything
        new = _signatures(states.changed_after, file.new, outlines) if file.new else {}
        changed = frozenset(name for name, signatures in old.items() if new.get(name) != signatures)
        if changed:
            suspects[file.old] = changed
    return suspects


def _has_same_functions(states: TwoStates, file: ChangedFile) -> bool:
    """Whether all functions that a file had are in it as they were: that is quickly seen, and then none is a suspect."""
    if not file.old or not file.new:
        return False
    old, new = _texts(states.changed_before, file.old), _texts(states.changed_after, file.new)
    return old is not None and new is not None and all(new.get(name) == text for name, text in old.items())


def _texts(state: State, path: str) -> dict[str, list[object]] | None:
    """By qualified name: the text of each function of that name, and how it is wrapped; None if it has to be read closely."""
    facts = state.facts(path)
    if facts is None or by_id[facts.language].inner is not None:
        return None
    try:
        lines = state.read(path).split(b"\n")
    except OSError:
        return None
    texts: defaultdict[str, list[object]] = defaultdict(list)
    for function in facts.functions:
        if not function.is_anonymous and function.parent < 0:
            text = lines[function.start - 1 : function.end]
            texts[function.qualname].append((text, function.params, function.decorators, function.passed_to))
    return texts


def _signatures(state: State, path: str, outlines: Outlines) -> dict[str, list[object]]:
    """By qualified name: parameters and decorators of each function of that name."""
    facts, outline = state.facts(path), outlines.of(state, path)
    signatures: defaultdict[str, list[object]] = defaultdict(list)
    if facts is not None and outline is not None:
        for function, parameters in zip(facts.functions, outline.parameters, strict=True):
            if not function.is_anonymous and function.parent < 0:
                signatures[function.qualname].append((parameters, function.decorators))
    return signatures


class _Search:
    """Gathers calls that do not fit, file by file."""

    def __init__(
        self,
        before: State,
        after: State,
        changes: Changes,
        suspects: Mapping[str, frozenset[str]],
        outlines: Outlines,
    ) -> None:
        self._before, self._after, self._changes = before, after, changes
        self._suspects, self._outlines = suspects, outlines
        self._callees = Callees(before, outlines)
        self._callees_now = Callees(after, outlines)
        self._sole = SoleMembers(before, after, changes)
        # By file, line and target of a call on an object of unknown class: the only method that it can mean, in both states.
        self._sole_callees: dict[tuple[str, int, str], tuple[Functions, Functions]] = {}
        self._misfits: defaultdict[_Key, dict[Spot, Misfit]] = defaultdict(dict)

    def callers(self) -> dict[str, set[str]]:
        """Files of the earlier state that may call a suspect, with the last words of such calls."""
        users = self._before.users
        callers: defaultdict[str, set[str]] = defaultdict(set)
        for path in self._suspects:
            names = self._call_names(path)
            near = {path, *users.get(path, ()), *self._class_homes(path)}
            for user in near.union(*(users.get(near_path, ()) for near_path in near)):
                facts = self._before.facts(user)
                if facts is not None and self._changes.now(user):
                    callers[user] |= _names_used(facts, names)
            for user, name in self._find_sole_callees(path):
                callers[user].add(name)
        return {
            user: names
            for user, names in callers.items()
            if self._loads(user) or any(last_word(call.target) in names for call in self._facts(user).calls)
        }

    def _class_homes(self, path: str) -> set[str]:
        """The files that define the classes of a file's suspects, where methods may stand elsewhere."""
        calling = self._outlines.calling(self._before, path)
        owners = {last_word(qualname.rpartition(".")[0]) for qualname in self._suspects[path]} - {""}
        homes = self._before.class_homes
        is_scattered = calling is not None and calling.scattered
        return {home for owner in owners for home in homes.get(owner, ())} if is_scattered else set()

    def _find_sole_callees(self, path: str) -> Iterator[tuple[str, str]]:
        """Note the calls that can only mean a suspect method of a file; their files and names."""
        facts, facts_now = self._before.facts(path), self._after.facts(self._changes.now(path))
        for qualname in sorted(self._suspects[path]):
            functions, functions_now = _methods_named(facts, qualname), _methods_named(facts_now, qualname)
            if facts_now is None or len(functions) != 1 or len(functions_now) != 1:
                continue
            now = facts_now.functions[functions_now[0]]
            owner = qualname.rpartition(".")[0]
            member = Member(path, last_word(owner), now.name, frozenset(range(now.start, now.end + 1)))
            pair = (
                Functions(path, tuple(functions), owner, is_bound=True),
                Functions(self._changes.now(path), tuple(functions_now), owner, is_bound=True),
            )
            for user, call in self._sole.calls(member):
                self._sole_callees[user, call.line, call.target] = pair
                yield self._sole.former(user), now.name

    def _facts(self, path: str) -> FileFacts:
        return self._before.files[path].facts

    def _loads(self, path: str) -> bool:
        """Whether a file imports by calls that may bind any name: `x = require(…)`."""
        syntax = by_id[self._facts(path).language].syntax
        if syntax is None or syntax.names.bare_calls:  # what Ruby requires is seen under its own name
            return False
        lines = {item.line for item in self._facts(path).imports if not item.names}
        return any(call.line in lines for call in self._facts(path).calls)

    def _call_names(self, path: str) -> frozenset[str]:
        """The last words of calls that may lead to a suspect of a file."""
        calling = self._outlines.calling(self._before, path)
        names = {last_word(qualname) for qualname in self._suspects[path]}
        constructor = calling.constructor if calling is not None else ""
        for qualname in self._suspects[path]:
            owner, _, name = qualname.rpartition(".")
            if owner and name == (last_word(owner) if constructor == "=" else constructor):
                names |= {
                    last_word(owner),
                    *_CONSTRUCTORS,
                    *([calling.maker] if calling and calling.maker else []),
                }
        return frozenset(names)

    def look_at(self, path: str, names: set[str]) -> None:
        """Gather the calls of one file, with one of these names at the end, that do not fit."""
        now = self._changes.now(path)
        outline, outline_now = self._outlines.of(self._before, path), self._outlines.of(self._after, now)
        if outline is None or outline_now is None:
            return
        wanted = names | {binding.name for binding in outline.names.get(-1, ()) if self._loads(path)}
        for site, site_now in self._unedited(path, outline, now, outline_now):
            if last_word(site.target) not in wanted:
                continue
            callee = self._callees.callee(path, site)
            sole = self._sole_callees.get((now, site_now.line, site_now.target))
            callee = sole[0] if callee is None and sole else callee
            if not isinstance(callee, Functions):
                continue
            key = self._suspect(callee)
            misfit = self._misfit(callee, now, site_now) if key is not None else None
            if key is not None and misfit is not None:
                self._misfits[key][Spot(now, site_now.line, site_now.target)] = misfit

    def _suspect(self, callee: Functions) -> _Key | None:
        """The function that a call leads to, or one of its overloads, if it is a suspect."""
        for functions in (callee, *callee.others):
            function = self._callees.function_of(functions.path, functions.indexes[0])
            if function is not None and function.qualname in self._suspects.get(functions.path, ()):
                return _Key(functions.path, function.qualname)
        return None

    def _unedited(
        self, path: str, outline: CallOutline, now: str, outline_now: CallOutline
    ) -> Iterator[tuple[CallSite, CallSite]]:
        """The calls that stand in both states of a file as they are, in pairs."""
        if outline is outline_now:
            yield from ((site, site) for site in outline.calls)
            return
        facts, facts_now = self._before.facts(path), self._after.facts(now)
        if facts is None or facts_now is None:
            return
        former: defaultdict[tuple[bytes, str], list[CallSite]] = defaultdict(list)
        for site in outline.calls:
            former[site.text, _function_name(facts, site.function)].append(site)
        for site in outline_now.calls:
            same = former.get((site.text, _function_name(facts_now, site.function)))
            if same:
                yield same.pop(0), site

    def _misfit(self, callee: Functions, path: str, site: CallSite) -> Misfit | None:
        """Why an unedited call does not fit what it leads to now."""
        before = self._parameters(self._before, self._callees, callee)
        calling = self._outlines.calling(self._before, callee.path)
        if before is None or calling is None:
            return None
        callee_now = self._callees_now.callee(path, site)
        sole = self._sole_callees.get((path, site.line, site.target))
        callee_now = sole[1] if callee_now is None and sole and sole[0] is callee else callee_now
        if isinstance(callee_now, Missing):
            is_gone = callee_now.is_sure or (calling.marks_overrides and self._is_own(callee))
            fitted = any(fits(parameters, site.arguments, calling) for parameters in before)
            return Misfit(GONE, is_certain=True) if fitted and is_gone else None
        if not isinstance(callee_now, Functions):
            return None
        after = self._parameters(self._after, self._callees_now, callee_now)
        if after is None:
            return None
        return find_misfit(before, after, site.arguments, calling)

    def _is_own(self, callee: Functions) -> bool:
        """Whether a method was none that its class also inherits."""
        outline = self._outlines.of(self._before, callee.path)
        return outline is not None and not outline.overriding & set(callee.indexes)

    def _parameters(self, state: State, callees: Callees, callee: Functions) -> list[Parameters] | None:
        """What arguments reach, for each overload; None if that is not known."""
        signatures = []
        for functions in (callee, *callee.others):
            for index in functions.indexes:
                function = callees.function_of(functions.path, index)
                parameters = self._passed(state, functions, index, function) if function else None
                if parameters is None:
                    return None
                signatures.append(parameters)
        return signatures

    def _passed(
        self, state: State, functions: Functions, index: int, function: Function
    ) -> Parameters | None:
        """The parameters that arguments are passed to: without the object, where that is written as one."""
        outline, calling = (
            self._outlines.of(state, functions.path),
            self._outlines.calling(state, functions.path),
        )
        parameters = outline.parameters[index] if outline else None
        if outline is None or calling is None or parameters is None or function.name in outline.overloaded:
            return None
        names = {decorator.partition("(")[0] for decorator in function.decorators}
        if calling.neutral_decorators is not None and names - calling.neutral_decorators:
            return None
        if calling.receiver is None or function.class_index < 0 or not parameters:
            return parameters
        is_bound = functions.is_bound or bool(names & calling.class_decorators)
        if is_bound and not names & calling.static_decorators and calling.receiver.match(parameters[0].name):
            return parameters[1:]
        return parameters

    def results(self) -> list[ChangeItem]:
        """One item per function."""
        return [self._item(key, misfits) for key, misfits in sorted(self._misfits.items())]

    def _item(self, key: _Key, misfits: Mapping[Spot, Misfit]) -> ChangeItem:
        counts = Counter(misfit.reason for misfit in misfits.values())
        reasons = [reason for reason, _ in counts.most_common()]
        places = tuple(sorted(misfits))
        files = {place.file for place in places}
        where = f"{count(len(places), 'call')} in {count(len(files), 'file')}"
        is_one = len(places) == 1
        if reasons == [GONE]:
            fact = f"`{key.qualname}` is gone from {key.file}, but {where} still {'uses' if is_one else 'use'} it."
        else:
            changed = f"`{key.qualname}` in {key.file} changed ({', '.join(reasons)})"
            fact = f"{changed}, but {where} no longer {'matches' if is_one else 'match'} it."
        is_certain = any(misfit.is_certain for misfit in misfits.values())
        return ChangeItem(
            kind="changed_signature",
            level=Level.BROKEN if is_certain else Level.LOOK,
            file=key.file,
            name=key.qualname,
            fact=fact,
            fix=f"Update {'this call' if is_one else 'these calls'}, or keep `{key.qualname}` as it was.",
            places=places,
        )


def _methods_named(facts: FileFacts | None, qualname: str) -> list[int]:
    """The methods of a qualified name."""
    return [
        index
        for index, function in enumerate(facts.functions if facts else ())
        if function.qualname == qualname and function.class_index >= 0
    ]


def _names_used(facts: FileFacts, names: frozenset[str]) -> set[str]:
    """The names, and what else a file calls them: an alias, a class that inherits."""
    aliases = {
        bound.alias
        for item in facts.imports
        for bound in item.names
        if bound.name in names or bound.name == "default"
    }
    heirs = {class_.name for class_ in facts.classes if names & {last_word(base) for base in class_.bases}}
    return {*names, *aliases, *heirs}


def _function_name(facts: FileFacts, index: int) -> str:
    return facts.functions[index].qualname if index >= 0 else ""
