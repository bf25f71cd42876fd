"""The report on a run of a fleet: where the risk is, how far each scan can be trusted, and what changed since the run before.

Rates are per thousand lines. Only trusted scans are ranked, and only they count in sums; the others are listed apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from heapq import nlargest
from pathlib import Path
from typing import Any

from msgspec import Struct

from crimes import __version__
from crimes.model.report import Tool
from crimes.model.trust import TRUSTED
from crimes.workflows.fleet.rates import per_kloc
from crimes.workflows.fleet.store import RunInfo, Store, read_info
from crimes.workflows.fleet.tables import read_rows
from crimes.workflows.fleet.tasks import SCANNED

FLEET_SCHEMA_VERSION = "1.0"
GROUP = "group"

_REPOSITORY_COLUMNS = (
    "repository",
    "group",
    "tags",
    "status",
    "reason",
    "commit",
    "tool",
    "trust",
    "language",
    "lines",
    "findings",
    "high",
    "findings_per_kloc",
    "risk",
    "risk_per_kloc",
)


class Change(Struct, frozen=True):
    """How a repository differs from the run before; both scans are trusted and by the same version of crimes."""

    commit: str  # the commit of the run before
    findings: int  # how many findings more; negative for fewer
    risk_per_kloc: float  # how much more risk per 1,000 lines; negative for less


class RankedRepository(Struct, frozen=True):
    """A repository whose scan is trusted."""

    rank: int  # from 1, the riskiest first
    repository: str  # its name in the fleet
    group: str  # its group; empty without one
    tags: dict[str, str]  # its tags
    language: str  # language with most lines of code
    commit: str  # the commit that was scanned
    lines: int  # lines of code
    findings: int  # findings about code
    high: int  # of these, of high severity
    findings_per_kloc: float  # findings per 1,000 lines; under 1,000 lines, per repository
    risk_per_kloc: float  # sum of agent_risk per 1,000 lines; under 1,000 lines, per repository
    change: Change | None  # since the run before; null where it cannot be compared or was the same commit


class UnrankedRepository(Struct, frozen=True):
    """A repository whose scan saw too little to be ranked beside the others."""

    repository: str  # its name in the fleet
    group: str  # its group; empty without one
    tags: dict[str, str]  # its tags
    trust: str  # `directional` or `abstained`
    reasons: tuple[str, ...]  # what weakens trust
    lines: int  # lines of code
    findings: int  # findings about code, as far as they were seen


class FailedRepository(Struct, frozen=True):
    """A repository that could not be scanned."""

    repository: str  # its name in the fleet
    group: str  # its group; empty without one
    tags: dict[str, str]  # its tags
    status: str  # such as `gone`, `empty`, `corrupt`, `too-large`, `timeout` or `out-of-memory`
    reason: str  # what went wrong


class RiskyFile(Struct, frozen=True):
    """A file among the riskiest of all trusted repositories."""

    repository: str  # its repository
    file: str  # path from the root of its repository
    edit_risk: float  # how likely this file is to need the next fix
    band: str  # how many files like this need a fix within 180 days
    lines: int  # lines of code
    complexity: int  # cognitive complexity, summed over its functions
    commits_365d: int  # commits in the year before its last commit
    fixes_365d: int  # of these, commits that call themselves a fix


class TypeCount(Struct, frozen=True):
    """Findings of one type in the trusted repositories."""

    type: str  # id of the detector
    findings: int  # how many
    repositories: int  # in how many repositories
    per_kloc: float  # per 1,000 lines of all trusted repositories
    by_team: dict[str, int]  # how many in each team (or group), most first


class TeamCount(Struct, frozen=True):
    """The trusted repositories of a team, or of what the report is split by."""

    team: str  # value of the tag; empty for repositories without it
    repositories: int  # trusted ones
    lines: int  # lines of code in them
    findings: int  # findings about code in them
    findings_per_kloc: float  # findings per 1,000 lines
    risk_per_kloc: float  # sum of agent_risk per 1,000 lines
    not_ranked: int  # repositories of the team whose scan is not trusted, or failed


class FleetReport(Struct, frozen=True):
    """A run of a fleet."""

    schema_version: str  # major.minor: a new key raises the minor number, a removed or renamed one the major
    tool: Tool  # what made the report
    run: RunInfo  # the run it is about
    previous: str  # id of the run it is compared with; empty without one
    by: str  # the tag that repositories are split by, or `group`
    lines: int  # lines of code of all trusted repositories
    findings: int  # findings about code in them
    repositories: tuple[RankedRepository, ...]  # trusted, the riskiest first
    unranked: tuple[UnrankedRepository, ...]  # scans that are not trusted, by name
    failed: tuple[FailedRepository, ...]  # not scanned, by name
    added: tuple[str, ...]  # repositories that the run before did not have
    removed: tuple[str, ...]  # repositories that only the run before had
    teams: tuple[TeamCount, ...]  # the riskiest first
    types: tuple[TypeCount, ...]  # most findings first
    files: tuple[RiskyFile, ...]  # the riskiest of all trusted repositories
    notes: tuple[str, ...]  # what a reader should know


def build_report(store: Store, run_id: str, *, by: str = "", top_files: int = 20) -> FleetReport:
    """The report on a run. `by` names a tag, or `group`; without it `team` is taken if any repository has that tag."""
    folder = store.run_folder(run_id)
    info = read_info(folder)
    earlier = store.before(info.id)
    now = _repositories(folder)
    before = _repositories(earlier) if earlier else {}
    by = by or ("team" if any("team" in dict(row["tags"]) for row in now.values()) else GROUP)
    trusted = {name: row for name, row in now.items() if row["trust"] == TRUSTED}
    lines = sum(row["lines"] for row in trusted.values())
    return FleetReport(
        schema_version=FLEET_SCHEMA_VERSION,
        tool=Tool("crimes", __version__),
        run=info,
        previous=read_info(earlier).id if earlier else "",
        by=by,
        lines=lines,
        findings=sum(row["findings"] for row in trusted.values()),
        repositories=_ranked(trusted, before),
        unranked=_unranked(folder, now),
        failed=tuple(
            FailedRepository(name, row["group"], dict(row["tags"]), row["status"], row["reason"])
            for name, row in now.items()
            if row["status"] != SCANNED
        ),
        added=tuple(name for name in now if before and name not in before),
        removed=tuple(name for name in before if name not in now),
        teams=_teams(now, by),
        types=_types(folder, trusted, by, lines),
        files=_riskiest_files(folder, trusted, top_files),
        notes=tuple(_notes(now, before)),
    )


def _repositories(folder: Path) -> dict[str, dict[str, Any]]:
    rows = read_rows(folder, "repositories", _REPOSITORY_COLUMNS)
    return {row[0]: dict(zip(_REPOSITORY_COLUMNS, row, strict=True)) for row in rows}


def _ranked(
    trusted: Mapping[str, Mapping[str, Any]], before: Mapping[str, Mapping[str, Any]]
) -> tuple[RankedRepository, ...]:
    order = sorted(
        trusted.values(), key=lambda row: (-row["risk_per_kloc"], -row["findings"], row["repository"])
    )
    return tuple(
        RankedRepository(
            rank=rank,
            repository=row["repository"],
            group=row["group"],
            tags=dict(row["tags"]),
            language=row["language"],
            commit=row["commit"],
            lines=row["lines"],
            findings=row["findings"],
            high=row["high"],
            findings_per_kloc=row["findings_per_kloc"],
            risk_per_kloc=row["risk_per_kloc"],
            change=_change(row, before.get(row["repository"])),
        )
        for rank, row in enumerate(order, 1)
    )


def _change(row: Mapping[str, Any], before: Mapping[str, Any] | None) -> Change | None:
    if before is None or before["trust"] != TRUSTED or before["tool"] != row["tool"]:
        return None
    if before["commit"] == row["commit"]:
        return None
    return Change(
        commit=before["commit"],
        findings=row["findings"] - before["findings"],
        risk_per_kloc=round(row["risk_per_kloc"] - before["risk_per_kloc"], 2),
    )


def _unranked(folder: Path, now: Mapping[str, Mapping[str, Any]]) -> tuple[UnrankedRepository, ...]:
    names = [name for name, row in now.items() if row["status"] == SCANNED and row["trust"] != TRUSTED]
    reasons = dict(read_rows(folder, "trust", ("repository", "reasons"), {"repository": names}))
    return tuple(
        UnrankedRepository(
            repository=name,
            group=now[name]["group"],
            tags=dict(now[name]["tags"]),
            trust=now[name]["trust"],
            reasons=tuple(reasons.get(name) or ()),
            lines=now[name]["lines"],
            findings=now[name]["findings"],
        )
        for name in names
    )


def team_of(row: Mapping[str, Any], by: str) -> str:
    """The team of a repository, or what else the report is split by; empty for none."""
    return str(row["group"] if by == GROUP else dict(row["tags"]).get(by, ""))


def _teams(now: Mapping[str, Mapping[str, Any]], by: str) -> tuple[TeamCount, ...]:
    members: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in now.values():
        members[team_of(row, by)].append(row)
    teams = []
    for team, rows in members.items():
        trusted = [row for row in rows if row["trust"] == TRUSTED]
        lines = sum(row["lines"] for row in trusted)
        findings = sum(row["findings"] for row in trusted)
        risk = sum(row["risk"] for row in trusted)
        teams.append(
            TeamCount(
                team=team,
                repositories=len(trusted),
                lines=lines,
                findings=findings,
                findings_per_kloc=per_kloc(findings, lines),
                risk_per_kloc=per_kloc(risk, lines),
                not_ranked=len(rows) - len(trusted),
            )
        )
    return tuple(sorted(teams, key=lambda team: (-team.risk_per_kloc, team.team)))


def _types(
    folder: Path, trusted: Mapping[str, Mapping[str, Any]], by: str, lines: int
) -> tuple[TypeCount, ...]:
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    where = {"kind": ["code"], "state": ["shown"]}
    for name, type_ in read_rows(folder, "findings", ("repository", "type"), where):
        if name in trusted:
            counts[type_][name] += 1
    types = []
    for type_, by_repository in counts.items():
        by_team: dict[str, int] = defaultdict(int)
        for name, number in by_repository.items():
            by_team[team_of(trusted[name], by)] += number
        findings = sum(by_repository.values())
        types.append(
            TypeCount(
                type=type_,
                findings=findings,
                repositories=len(by_repository),
                per_kloc=per_kloc(findings, lines),
                by_team=dict(sorted(by_team.items(), key=lambda item: (-item[1], item[0]))),
            )
        )
    return tuple(sorted(types, key=lambda count: (-count.findings, count.type)))


def _riskiest_files(
    folder: Path, trusted: Mapping[str, Mapping[str, Any]], number: int
) -> tuple[RiskyFile, ...]:
    rows = (
        row
        for row in read_rows(folder, "files", RiskyFile.__struct_fields__)
        if row[0] in trusted and row[2] is not None
    )
    riskiest: Sequence[tuple[Any, ...]] = nlargest(number, rows, key=lambda row: row[2])
    ordered = sorted(riskiest, key=lambda row: (-row[2], row[0], row[1]))
    return tuple(RiskyFile(*row) for row in ordered)


def _notes(now: Mapping[str, Mapping[str, Any]], before: Mapping[str, Mapping[str, Any]]) -> list[str]:
    tools = {row["tool"] for row in now.values()} - {""}
    earlier = {row["tool"] for row in before.values()} - {""}
    if before and tools != earlier:
        versions = f"{', '.join(sorted(earlier)) or 'none'} before, {', '.join(sorted(tools)) or 'none'} now"
        return [f"The run before was made by another version of crimes ({versions}): changes are not shown."]
    return []
