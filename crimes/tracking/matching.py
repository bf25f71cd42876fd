"""Two scans held against each other: what is new, what is fixed, what only moved.

A finding is known again by its fingerprint; in a file that git says was renamed, by its identity within the file; elsewhere by
the mark of its code, and last by most of its lines. Each is used up once: a second copy of what was there before is new.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from msgspec import Struct, field

from crimes.model.code_sketch import alike, exact, lines_of
from crimes.model.report import Crime, Report

_ALIKE = 0.5  # the share of lines by which code is known again that was edited
_Former = Callable[["FindingIdentity"], str]  # the name that the file of a finding had


class FindingIdentity(Struct, frozen=True, omit_defaults=True):
    """A finding, as far as it takes to know it again."""

    fingerprint: str
    type: str
    file: str
    symbol: str = ""
    within: str = ""
    code: str = ""
    copies: int = 0  # of those that are about copies of code: how many
    members: tuple[str, ...] = ()  # and where they stand
    shown: bool = True  # False: of low confidence, or behind a stronger charge

    @property
    def place(self) -> str:
        return f"{self.file}#{self.symbol}"


class Side(Struct, frozen=True):
    """One of two scans: its findings, and what it did not look at."""

    known: tuple[FindingIdentity, ...]
    ran: frozenset[str]  # detectors
    unread: Mapping[str, str] = field(default_factory=dict)  # files, each with the reason


class Differences(Struct, frozen=True):
    """The outcome, as fingerprints of the later scan; of `fixed` and `lost` as those of the earlier one."""

    new: tuple[str, ...]
    fixed: tuple[str, ...]
    moved: tuple[str, ...]
    unchanged: tuple[str, ...]
    unclear: Mapping[str, str]  # would be new, if the earlier scan had looked: why it is not known
    lost: Mapping[str, str]  # would be fixed, if the later scan had looked
    was: Mapping[str, str]  # the fingerprint a finding had before, by the one it has; also of those not shown
    grown: frozenset[str]  # of the new ones those that were there, with fewer copies


def side_of(report: Report) -> Side:
    """A report as one side of a comparison."""
    known = [
        *_known(report.findings, shown=True),
        *_known(report.hidden, shown=False),
        *_known(report.ignored, shown=False),
    ]
    return Side(
        tuple(known),
        frozenset(run.id for run in report.detectors if run.status == "ran"),
        {file.path: file.reason for file in report.files.skipped},
    )


def known_crime(crime: Crime, *, shown: bool = True) -> FindingIdentity:
    """A finding of a report as it is known again."""
    measure = crime.evidence.get("copies")
    copies = measure.value if measure and isinstance(measure.value, int) else 0
    places = {f"{near.file}#{near.symbol}" for near in crime.related} if copies else set()
    return FindingIdentity(
        fingerprint=crime.fingerprint,
        type=crime.type,
        file=crime.file,
        symbol=crime.symbol,
        within=crime.within,
        code=crime.code,
        copies=copies,
        members=tuple(sorted({*places, f"{crime.file}#{crime.symbol}"})) if copies else (),
        shown=shown,
    )


def _known(crimes: Iterable[Crime], *, shown: bool) -> Iterable[FindingIdentity]:
    for crime in crimes:
        yield known_crime(crime, shown=shown)
        for charge in crime.also:
            yield FindingIdentity(
                charge.fingerprint, charge.type, crime.file, crime.symbol, code=crime.code, shown=False
            )


def compare(before: Side, now: Side, renamed: Mapping[str, str]) -> Differences:
    """What came between two scans. `renamed` maps the present name of a file to its former one."""
    pairs = match(before.known, now.known, renamed, edited=True)
    found: dict[str, list[str]] = {"new": [], "moved": [], "unchanged": []}
    unclear: dict[str, str] = {}
    grown: set[str] = set()
    for one in now.known:
        if not one.shown:
            continue
        mark = one.fingerprint
        old = pairs.get(mark)
        former = renamed.get(one.file, one.file)
        if old is not None and one.copies > old.copies > 0:
            grown.add(mark)
            found["new"].append(mark)
        elif old is not None:
            found["unchanged" if old.place == one.place else "moved"].append(mark)
        elif one.type not in before.ran:
            unclear[mark] = "its detector did not look at the earlier state"
        elif former in before.unread:
            unclear[mark] = f"{former} was not read before: {before.unread[former]}"
        else:
            found["new"].append(mark)
    used = {old.fingerprint for old in pairs.values()}
    present = {former: path for path, former in renamed.items()}
    fixed: list[str] = []
    lost: dict[str, str] = {}
    for one in before.known:
        path = present.get(one.file, one.file)
        if not one.shown or one.fingerprint in used:
            continue
        if one.type not in now.ran:
            lost[one.fingerprint] = "its detector did not look at the later state"
        elif path in now.unread and now.unread[path] != "deleted":
            lost[one.fingerprint] = f"{path} was not read: {now.unread[path]}"
        else:
            fixed.append(one.fingerprint)
    return Differences(
        new=tuple(found["new"]),
        fixed=tuple(fixed),
        moved=tuple(found["moved"]),
        unchanged=tuple(found["unchanged"]),
        unclear=unclear,
        lost=lost,
        was={mark: old.fingerprint for mark, old in pairs.items()},
        grown=frozenset(grown),
    )


def match(
    before: Sequence[FindingIdentity],
    now: Sequence[FindingIdentity],
    renamed: Mapping[str, str],
    *,
    edited: bool,
) -> dict[str, FindingIdentity]:
    """The earlier finding of each later one that has one, by the later one's fingerprint. The surest ways come first.

    `edited`: whether code that was edited on its way elsewhere is still the same.
    """
    pairs: dict[str, FindingIdentity] = {}
    left, right = list(before), list(now)

    def settle() -> None:
        nonlocal left, right
        used = {old.fingerprint for old in pairs.values()}
        left = [one for one in left if one.fingerprint not in used]
        right = [one for one in right if one.fingerprint not in pairs]

    def pair(
        key_before: Callable[[FindingIdentity], Hashable], key_now: Callable[[FindingIdentity], Hashable]
    ) -> None:
        waiting: dict[Hashable, list[FindingIdentity]] = defaultdict(list)
        for one in left:
            if key := key_before(one):
                waiting[key].append(one)
        for one in right:
            candidates = waiting.get(key_now(one)) if key_now(one) else None
            if candidates:
                pairs[one.fingerprint] = candidates.pop(0)
        settle()

    def former(one: FindingIdentity) -> str:
        return renamed.get(one.file, one.file)

    pair(lambda one: one.fingerprint, lambda one: one.fingerprint)
    pair(
        lambda one: one.within and (one.within, one.file),
        lambda one: one.within and (one.within, former(one)),
    )
    # A function that is called otherwise; one that went elsewhere; or both.
    pair(lambda one: _code(one, one.file), lambda one: _code(one, former(one)))
    pair(lambda one: _code(one, one.symbol), lambda one: _code(one, one.symbol))
    pair(_code, _code)
    if edited:
        _pair_alike(left, right, pairs, former)
        settle()
    _pair_copies(left, right, pairs)
    return pairs


def _code(one: FindingIdentity, *more: str) -> Hashable:
    return (one.type, exact(one.code), *more) if one.code else ()


def _pair_alike(
    left: list[FindingIdentity],
    right: list[FindingIdentity],
    pairs: dict[str, FindingIdentity],
    former: _Former,
) -> None:
    """Code that was renamed or moved, and edited at that. The likest go first.

    What stands where it stood and has another identity is another finding, whatever the code around it is.
    """
    having: dict[tuple[str, str], list[FindingIdentity]] = defaultdict(list)
    for old in left:
        for line in lines_of(old.code):
            having[old.type, line].append(old)
    found = []
    for one in right:
        sharing = {
            old.fingerprint: old for line in lines_of(one.code) for old in having.get((one.type, line), ())
        }
        for old in sharing.values():
            likeness = alike(old.code, one.code)
            if likeness >= _ALIKE and (old.file, old.symbol) != (former(one), one.symbol):
                found.append((-likeness, old.file != former(one), old.fingerprint, one.fingerprint, old))
    used: set[str] = set()
    for *_, mark, now, old in sorted(found, key=lambda item: item[:4]):
        if mark not in used and now not in pairs:
            pairs[now] = old
            used.add(mark)


def _pair_copies(
    left: list[FindingIdentity], right: list[FindingIdentity], pairs: dict[str, FindingIdentity]
) -> None:
    """Copies of the same code are the same finding, wherever the first of them stands now: two places are shared."""
    having: dict[tuple[str, str], list[FindingIdentity]] = defaultdict(list)
    for old in left:
        for member in old.members:
            having[old.type, member].append(old)
    used: set[str] = set()
    for one in right:
        shared = Counter(
            old.fingerprint for member in one.members for old in having.get((one.type, member), ())
        )
        for old in (old for member in one.members for old in having.get((one.type, member), ())):
            if shared[old.fingerprint] > 1 and old.fingerprint not in used:
                pairs[one.fingerprint] = old
                used.add(old.fingerprint)
                break
