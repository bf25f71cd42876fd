"""Whether the arguments of a call fit the parameters of a function, before and after a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from crimes.languages.spec import CallSyntax
from crimes.model.calls import Arguments, Parameter

Parameters = tuple[Parameter, ...]


class Misfit(Struct, frozen=True, order=True):
    """Why a call does not fit. `is_certain`: it fails, instead of doing something else."""

    reason: str
    is_certain: bool


def fits(parameters: Parameters, arguments: Arguments, calling: CallSyntax) -> bool:
    """Whether a call can be made at all."""
    return arguments.is_open or next(_misfits(parameters, arguments, calling), None) is None


def find_misfit(
    before: Sequence[Parameters], after: Sequence[Parameters], arguments: Arguments, calling: CallSyntax
) -> Misfit | None:
    """Why a call that fitted a function fits it no more; None if it does, or never did. A function may have overloads."""
    if arguments.is_open:
        return None
    former = [
        parameters
        for parameters in before
        if fits(parameters, arguments, calling) and not _missing(parameters, arguments)
    ]
    if not former:
        return None
    reasons = [_misfit(former, parameters, arguments, calling) for parameters in after]
    return None if None in reasons else next(iter(reasons), None)


def _misfit(
    former: Sequence[Parameters], now: Parameters, arguments: Arguments, calling: CallSyntax
) -> Misfit | None:
    """Why a call does not fit one signature."""
    if now in former:
        return None
    old = former[0]
    unknown = next(_unknown_keywords(now, arguments), "")
    if unknown:
        return Misfit(_describe_unknown(old, now, unknown), is_certain=True)
    missing = _missing(now, arguments)
    if missing:
        return Misfit(_describe_missing(old, now, missing), is_certain=not calling.may_omit)
    if calling.label is not None and _is_disordered(now, arguments):
        return Misfit("the order of its labels", is_certain=True)
    moved = _moved(old, now, arguments) if len(former) == 1 else ""
    if moved:
        return Misfit(moved, is_certain=False)
    if _is_too_many(now, arguments, calling):
        return Misfit(_describe_removed(old, now), is_certain=True)
    return None


def _misfits(parameters: Parameters, arguments: Arguments, calling: CallSyntax) -> Iterator[str]:
    yield from _unknown_keywords(parameters, arguments)
    if not calling.may_omit:
        yield from _missing(parameters, arguments)
    if _is_too_many(parameters, arguments, calling):
        yield "too many"
    if calling.label is not None and _is_disordered(parameters, arguments):
        yield "disordered"


def _positional(parameters: Parameters) -> list[Parameter]:
    return [parameter for parameter in parameters if not parameter.kind]


def _missing(parameters: Parameters, arguments: Arguments) -> list[str]:
    """Required parameters that get nothing."""
    # By place, not by name: parameters without a name, or called `_`, are several.
    later = [*_positional(parameters)[arguments.positional :], *(other for other in parameters if other.kind)]
    return [
        parameter.name
        for parameter in later
        if parameter.is_required and parameter.name not in arguments.keywords
    ]


def _unknown_keywords(parameters: Parameters, arguments: Arguments) -> Iterator[str]:
    if any(parameter.kind == "keywords" for parameter in parameters):
        return
    taken = {parameter.name for parameter in _positional(parameters)[: arguments.positional]}
    known = {parameter.name for parameter in parameters if parameter.kind in ("", "keyword")} - taken
    yield from (name for name in arguments.keywords if name not in known)


def _is_too_many(parameters: Parameters, arguments: Arguments, calling: CallSyntax) -> bool:
    has_rest = any(parameter.kind == "rest" for parameter in parameters)
    if arguments.fills_rest:
        return not has_rest or arguments.positional > len(_positional(parameters))
    if calling.may_omit or calling.ignores_excess or has_rest:
        return False
    return arguments.positional > len(_positional(parameters))


def _is_disordered(parameters: Parameters, arguments: Arguments) -> bool:
    """Whether labels come in another order than the parameters have."""
    left = iter([parameter.name for parameter in parameters if parameter.kind])
    return not all(name in left for name in arguments.keywords)


def _moved(old: Parameters, now: Parameters, arguments: Arguments) -> str:
    """What says that an argument reaches another parameter than before; a renamed parameter is the same one."""
    former, later = ([parameter.name for parameter in _positional(parameters)] for parameters in (old, now))
    for index in range(min(arguments.positional, len(former), len(later))):
        name, new_name = former[index], later[index]
        if name == new_name or (name not in later and new_name not in former):
            continue
        if name in later and new_name in former and later.index(name) > index:
            return f"`{new_name}` moved before `{name}`"
        if name in later and new_name not in former:
            return f"`{new_name}` was added before `{name}`"
        if name not in later:
            return f"`{name}` was removed before `{new_name}`"
    return ""


def _describe_missing(old: Parameters, now: Parameters, missing: Sequence[str]) -> str:
    required = {parameter.name: parameter.is_required for parameter in old}
    name = missing[0]
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    if name not in required:
        return f"`{name}`{more} {'were' if more else 'was'} added as required"
    # An argument that reached it may reach a new parameter now.
    added = next((parameter.name for parameter in _positional(now) if parameter.name not in required), "")
    if required[name] and added:
        return f"`{added}` was added before `{name}`"
    return f"`{name}`{more} {'are' if more else 'is'} now required"


def _describe_unknown(old: Parameters, now: Parameters, name: str) -> str:
    former, later = ([parameter.name for parameter in parameters] for parameters in (old, now))
    if name in former and len(former) == len(later):
        new_name = later[former.index(name)]
        if new_name not in former:
            return f"keyword `{name}` was renamed to `{new_name}`"
    if name in later:
        return f"`{name}` is passed twice"
    return f"keyword `{name}` was removed"


def _describe_removed(old: Parameters, now: Parameters) -> str:
    later = {parameter.name for parameter in now}
    removed = [parameter.name for parameter in _positional(old) if parameter.name not in later]
    if removed:
        return f"`{removed[0]}` was removed"
    return f"it takes {len(_positional(now))} positional arguments now"
