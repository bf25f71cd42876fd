"""What changed between two runs of a fleet: findings that are new or fixed, repository by repository."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from msgspec import Struct

from crimes import __version__
from crimes.model.report import Tool
from crimes.model.trust import TRUSTED
from crimes.tracking.identity import FindingIdentity
from crimes.tracking.matching import Side, compare
from crimes.workflows.fleet.report import FLEET_SCHEMA_VERSION
from crimes.workflows.fleet.store import RunInfo, Store, read_info
from crimes.workflows.fleet.tables import read_rows
from crimes.workflows.fleet.tasks import SCANNED

_REPOSITORY_COLUMNS = (
    "repository",
    "status",
    "reason",
    "commit",
    "tool",
    "trust",
    "risk_per_kloc",
    "detectors",
    "unread",
)
_IDENTITY_COLUMNS = (
    "repository",
    "fingerprint",
    "type",
    "file",
    "symbol",
    "within",
    "code",
    "copies",
    "members",
    "state",
    "severity",
    "line",
    "fact",
)


class ChangedFinding(Struct, frozen=True):
    """A finding that is new, or that is fixed."""

    fingerprint: str  # identity of the finding
    type: str  # id of the detector
    severity: str  # how bad it is
    file: str  # path from the root of its repository
    line: int  # first line, from 1, in the run that has it
    symbol: str  # qualified name of the function or class; empty for none
    fact: str  # what was found


class RepositoryChange(Struct, frozen=True):
    """A repository that was scanned in both runs, at different commits or by different versions of crimes."""

    repository: str  # its name in the fleet
    before: str  # the earlier commit
    after: str  # the later commit
    trusted: bool  # whether both scans are trusted: only then its numbers count in the sums
    why: str  # why it does not count; empty when it does
    new: tuple[ChangedFinding, ...]  # findings of the later run that the earlier one does not have
    fixed: tuple[ChangedFinding, ...]  # findings of the earlier run that are gone
    moved: int  # findings that are elsewhere now
    unclear: int  # may be new or fixed: one of the scans did not look
    risk_before: float  # risk per 1,000 lines in the earlier run
    risk_after: float  # risk per 1,000 lines in the later run


class StatusChange(Struct, frozen=True):
    """A repository that was scanned in one of the runs only."""

    repository: str  # its name in the fleet
    before: str  # what became of it in the earlier run; empty when it was not there
    after: str  # what became of it in the later run; empty when it is not there
    reason: str  # why it could not be scanned now; empty when it was


class FleetDiff(Struct, frozen=True):
    """Two runs compared."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the comparison
    before: RunInfo  # the earlier run
    after: RunInfo  # the later run
    new: int  # new findings in repositories that are trusted in both runs
    fixed: int  # fixed findings in them
    unchanged: int  # repositories with the same commit, scanned by the same version
    changed: tuple[RepositoryChange, ...]  # most new findings first, those that are not trusted last
    statuses: tuple[StatusChange, ...]  # repositories that came, went, or could be scanned in one run only


def compare_runs(store: Store, before_id: str, after_id: str) -> FleetDiff:
    """What changed from one run to another."""
    before, after = store.run_folder(before_id), store.run_folder(after_id)
    old, new = _repositories(before), _repositories(after)
    both = [name for name in new if name in old and old[name]["status"] == new[name]["status"] == SCANNED]
    changed = [name for name in both if any(old[name][key] != new[name][key] for key in ("commit", "tool"))]
    changes = sorted(
        _changes(before, after, old, new, changed),
        key=lambda change: (not change.trusted, -len(change.new), len(change.fixed), change.repository),
    )
    return FleetDiff(
        schema_version=FLEET_SCHEMA_VERSION,
        tool=Tool("crimes", __version__),
        before=read_info(before),
        after=read_info(after),
        new=sum(len(change.new) for change in changes if change.trusted),
        fixed=sum(len(change.fixed) for change in changes if change.trusted),
        unchanged=len(both) - len(changed),
        changed=tuple(changes),
        statuses=tuple(_statuses(old, new)),
    )


def _repositories(folder: Path) -> dict[str, dict[str, Any]]:
    rows = read_rows(folder, "repositories", _REPOSITORY_COLUMNS)
    return {row[0]: dict(zip(_REPOSITORY_COLUMNS, row, strict=True)) for row in rows}


def _statuses(
    old: Mapping[str, Mapping[str, Any]], new: Mapping[str, Mapping[str, Any]]
) -> Iterator[StatusChange]:
    for name in sorted({*old, *new}):
        before = str(old[name]["status"]) if name in old else ""
        after = str(new[name]["status"]) if name in new else ""
        if before != after:
            yield StatusChange(name, before, after, str(new[name]["reason"]) if name in new else "")


def _changes(
    before: Path,
    after: Path,
    old: Mapping[str, Mapping[str, Any]],
    new: Mapping[str, Mapping[str, Any]],
    names: list[str],
) -> Iterator[RepositoryChange]:
    """The change of each of these repositories, one in memory at a time: both tables are sorted by repository."""
    earlier, later = _Grouped(before, names), _Grouped(after, names)
    for name in sorted(names):
        rows, rows_now = earlier.take(name), later.take(name)
        found = compare(_side(rows, old[name]), _side(rows_now, new[name]), renamed={})
        by_print = {row["fingerprint"]: row for row in rows_now}
        by_old_print = {row["fingerprint"]: row for row in rows}
        why = _why_not_counted(old[name], new[name])
        yield RepositoryChange(
            repository=name,
            before=old[name]["commit"],
            after=new[name]["commit"],
            trusted=not why,
            why=why,
            new=tuple(_changed_finding(by_print[fingerprint]) for fingerprint in found.new),
            fixed=tuple(_changed_finding(by_old_print[fingerprint]) for fingerprint in found.fixed),
            moved=len(found.moved),
            unclear=len(found.unclear) + len(found.lost),
            risk_before=old[name]["risk_per_kloc"],
            risk_after=new[name]["risk_per_kloc"],
        )


class _Grouped:
    """The findings of a run by repository, taken in the order of the table."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        where = {"repository": names, "kind": ["code"]}
        rows = read_rows(folder, "findings", _IDENTITY_COLUMNS, where)
        self._groups = groupby(rows, key=lambda row: row[0])
        self._next = next(self._groups, None)

    def take(self, name: str) -> list[dict[str, Any]]:
        """The rows of a repository; names have to be asked for in order."""
        if self._next is None or self._next[0] != name:
            return []
        rows = [dict(zip(_IDENTITY_COLUMNS, row, strict=True)) for row in self._next[1]]
        self._next = next(self._groups, None)
        return rows


def _side(rows: list[dict[str, Any]], repository: Mapping[str, Any]) -> Side:
    findings = tuple(
        FindingIdentity(
            fingerprint=row["fingerprint"],
            type=row["type"],
            file=row["file"],
            symbol=row["symbol"],
            within=row["within"],
            code=row["code"],
            copies=row["copies"],
            members=tuple(row["members"]),
            shown=row["state"] == "shown",
        )
        for row in rows
    )
    return Side(findings, frozenset(repository["detectors"]), dict.fromkeys(repository["unread"], "skipped"))


def _changed_finding(row: Mapping[str, Any]) -> ChangedFinding:
    return ChangedFinding(**{name: row[name] for name in ChangedFinding.__struct_fields__})


def _why_not_counted(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    if old["tool"] != new["tool"]:
        return f"scanned by crimes {old['tool']} before and {new['tool']} now"
    untrusted = [name for name, row in (("before", old), ("now", new)) if row["trust"] != TRUSTED]
    return f"not trusted {' and '.join(untrusted)}" if untrusted else ""
