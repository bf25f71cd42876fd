"""Matches the findings of two scans: what is new, what is fixed, what only moved.

A finding is recognised by its fingerprint; in a file that git says was renamed, by its identity within the file; elsewhere by
the digest of its code, and last by most of its lines. Each matches once: a second copy of an earlier finding is new. Only a
function that was split matches with each of its pieces.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from msgspec import Struct, field

from crimes.model.code_sketch import exact_digest, is_piece, line_digests, similarity
from crimes.model.report import Crime, Report, code_only
from crimes.tracking.identity import FindingIdentity, identity_of

_MIN_SHARED_LINES = 0.5  # share of its lines by which edited code is recognised
_Key = Callable[[FindingIdentity], Hashable]


class Side(Struct, frozen=True):
    """One of two scans: its findings, and what it did not look at."""

    findings: tuple[FindingIdentity, ...]
    ran: frozenset[str]  # detectors
    unread: Mapping[str, str] = field(default_factory=dict)  # files, each with the reason
    withheld: bool = False  # whether it saw too little to list any finding


class Differences(Struct, frozen=True):
    """The outcome as fingerprints: of the earlier scan in `fixed` and `lost`, of the later one in the others."""

    new: tuple[str, ...]
    fixed: tuple[str, ...]
    moved: tuple[str, ...]
    unchanged: tuple[str, ...]
    unclear: Mapping[str, str]  # may be new, but the earlier scan did not look: why
    lost: Mapping[str, str]  # may be fixed, but the later scan did not look: why
    previous: Mapping[str, str]  # earlier fingerprint by the later one; also of findings that are not shown
    grown: frozenset[str]  # those of `new` that existed with fewer copies


def side_of(report: Report) -> Side:
    """The findings about code of a report, as one side of a comparison: a fact about a place is never new and never fixed."""
    findings = (
        *_identities(report.code_findings, shown=True),
        *_identities(code_only(report.hidden), shown=False),
        *_identities(code_only(report.ignored), shown=False),
    )
    return Side(
        findings,
        frozenset(run.id for run in report.detectors if run.status == "ran"),
        {file.path: file.reason for file in report.files.skipped},
        report.trust.is_collapsed,
    )


def _identities(crimes: Iterable[Crime], *, shown: bool) -> Iterable[FindingIdentity]:
    for crime in crimes:
        yield identity_of(crime, shown=shown)
        for charge in crime.also:
            yield FindingIdentity(
                charge.fingerprint, charge.type, crime.file, crime.symbol, code=crime.code, shown=False
            )


def compare(before: Side, now: Side, renamed: Mapping[str, str]) -> Differences:
    """What changed between two scans. `renamed` maps the present name of a file to its former one."""
    pairs = match(before.findings, now.findings, renamed, edited=True)
    groups: dict[str, list[str]] = {"new": [], "moved": [], "unchanged": []}
    unclear: dict[str, str] = {}
    grown: set[str] = set()
    for finding in now.findings:
        if not finding.shown:
            continue
        fingerprint = finding.fingerprint
        old = pairs.get(fingerprint)
        former = renamed.get(finding.file, finding.file)
        if old is not None and finding.copies > old.copies > 0:
            grown.add(fingerprint)
            groups["new"].append(fingerprint)
        elif old is not None:
            groups["unchanged" if old.place == finding.place else "moved"].append(fingerprint)
        elif before.withheld:
            unclear[fingerprint] = "too little was seen of the earlier state to list its findings"
        elif finding.type not in before.ran:
            unclear[fingerprint] = "its detector did not run on the earlier state"
        elif former in before.unread:
            unclear[fingerprint] = f"{former} was not read before: {before.unread[former]}"
        else:
            groups["new"].append(fingerprint)
    matched = {old.fingerprint for old in pairs.values()}
    present = {former: path for path, former in renamed.items()}
    fixed: list[str] = []
    lost: dict[str, str] = {}
    for old in before.findings:
        path = present.get(old.file, old.file)
        if not old.shown or old.fingerprint in matched:
            continue
        if now.withheld:
            lost[old.fingerprint] = "too little was seen of the later state to list its findings"
        elif old.type not in now.ran:
            lost[old.fingerprint] = "its detector did not run on the later state"
        elif path in now.unread and now.unread[path] != "deleted":
            lost[old.fingerprint] = f"{path} was not read: {now.unread[path]}"
        else:
            fixed.append(old.fingerprint)
    return Differences(
        new=tuple(groups["new"]),
        fixed=tuple(fixed),
        moved=tuple(groups["moved"]),
        unchanged=tuple(groups["unchanged"]),
        unclear=unclear,
        lost=lost,
        previous={fingerprint: old.fingerprint for fingerprint, old in pairs.items()},
        grown=frozenset(grown),
    )


def match(
    before: Sequence[FindingIdentity],
    now: Sequence[FindingIdentity],
    renamed: Mapping[str, str],
    *,
    edited: bool,
) -> dict[str, FindingIdentity]:
    """The earlier finding of each later one that has one, by the later one's fingerprint. The surest criteria come first.

    `edited`: whether code that was both moved and edited still matches.
    """
    pairs: dict[str, FindingIdentity] = {}
    left, right = list(before), list(now)

    def drop_matched() -> None:
        nonlocal left, right
        matched = {old.fingerprint for old in pairs.values()}
        left = [old for old in left if old.fingerprint not in matched]
        right = [new for new in right if new.fingerprint not in pairs]

    def pair(old_key: _Key, new_key: _Key) -> None:
        waiting: dict[Hashable, list[FindingIdentity]] = defaultdict(list)
        for old in left:
            if key := old_key(old):
                waiting[key].append(old)
        for new in right:
            candidates = waiting.get(key) if (key := new_key(new)) else None
            if candidates:
                pairs[new.fingerprint] = candidates.pop(0)
        drop_matched()

    def former(new: FindingIdentity) -> str:
        return renamed.get(new.file, new.file)

    pair(lambda old: old.fingerprint, lambda new: new.fingerprint)
    pair(
        lambda old: old.within and (old.within, old.file),
        lambda new: new.within and (new.within, former(new)),
    )
    # A function that was renamed; one that moved to another file; or both.
    pair(lambda old: _code_key(old, old.file), lambda new: _code_key(new, former(new)))
    pair(lambda old: _code_key(old, old.symbol), lambda new: _code_key(new, new.symbol))
    pair(_code_key, _code_key)
    if edited:
        _pair_edited(left, right, pairs, former)
        drop_matched()
        _pair_pieces(before, now, pairs, former)
        drop_matched()
    _pair_copies(left, right, pairs)
    return pairs


def _code_key(finding: FindingIdentity, *more: str) -> Hashable:
    return (finding.type, exact_digest(finding.code), *more) if finding.code else ()


def _pair_edited(
    left: list[FindingIdentity],
    right: list[FindingIdentity],
    pairs: dict[str, FindingIdentity],
    former: Callable[[FindingIdentity], str],
) -> None:
    """Pair code that was renamed or moved, and edited too. The most similar go first.

    A finding at the same place with another fingerprint is another finding, however similar the code.
    """
    by_line = _by_line(left)
    candidates = []
    for new in right:
        for old in _sharing(new, by_line):
            share = similarity(old.code, new.code)
            if share >= _MIN_SHARED_LINES and (old.file, old.symbol) != (former(new), new.symbol):
                candidates.append((-share, old.file != former(new), old.fingerprint, new.fingerprint, old))
    matched: set[str] = set()
    for *_, old_fingerprint, new_fingerprint, old in sorted(candidates, key=lambda item: item[:4]):
        if old_fingerprint not in matched and new_fingerprint not in pairs:
            pairs[new_fingerprint] = old
            matched.add(old_fingerprint)


def _pair_pieces(
    before: Sequence[FindingIdentity],
    now: Sequence[FindingIdentity],
    pairs: dict[str, FindingIdentity],
    former: Callable[[FindingIdentity], str],
) -> None:
    """Pair code that was taken out of code with the same finding, which no longer has it."""
    rests: dict[str, list[str]] = defaultdict(list)
    for new in now:
        if new.fingerprint in pairs:
            rests[pairs[new.fingerprint].fingerprint].append(new.code)
    wholes = _by_line(before)
    for new in now:
        if new.fingerprint in pairs:
            continue
        for old in _sharing(new, wholes):
            elsewhere = (old.file, old.symbol) != (former(new), new.symbol)
            if elsewhere and is_piece(new.code, old.code, rests[old.fingerprint]):
                pairs[new.fingerprint] = old
                break


def _by_line(findings: Sequence[FindingIdentity]) -> dict[tuple[str, str], list[FindingIdentity]]:
    """Findings by their type and each line that their sketches show."""
    by_line: dict[tuple[str, str], list[FindingIdentity]] = defaultdict(list)
    for finding in findings:
        for line in line_digests(finding.code):
            by_line[finding.type, line].append(finding)
    return by_line


def _sharing(
    finding: FindingIdentity, by_line: Mapping[tuple[str, str], Sequence[FindingIdentity]]
) -> list[FindingIdentity]:
    """Those of the same type that share a line with a finding, in the order of their fingerprints."""
    sharing = {
        old.fingerprint: old
        for line in line_digests(finding.code)
        for old in by_line.get((finding.type, line), ())
    }
    return [sharing[fingerprint] for fingerprint in sorted(sharing)]


def _pair_copies(
    left: list[FindingIdentity], right: list[FindingIdentity], pairs: dict[str, FindingIdentity]
) -> None:
    """Pair findings about duplicated code that share at least two places, wherever the first copy stands now."""
    by_member: dict[tuple[str, str], list[FindingIdentity]] = defaultdict(list)
    for old in left:
        for member in old.members:
            by_member[old.type, member].append(old)
    matched: set[str] = set()
    for new in right:
        candidates = [old for member in new.members for old in by_member.get((new.type, member), ())]
        shared = Counter(old.fingerprint for old in candidates)
        for old in candidates:
            if shared[old.fingerprint] > 1 and old.fingerprint not in matched:
                pairs[new.fingerprint] = old
                matched.add(old.fingerprint)
                break
