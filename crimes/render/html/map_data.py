"""The data of the map page: all that its scripts show, once, and as small as names allow.

Files are rows; the names of their columns come with them. A file, folder, person or commit is referred to by its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from crimes.analyses.edit_risk import RANKED_ROLES
from crimes.model.edit_risk import RankedFile
from crimes.model.report import Report
from crimes.render.html.scales import COLOURINGS, GAP, MAX_OWNERS, OWNER, RISK, Colouring, limits_of
from crimes.render.html.treemap import Layout, Tree, build_tree, lay_out, packed
from crimes.render.risk_text import share_text
from crimes.workflows.repository_map import MapFile, RepositoryMap

MAX_FILES = 12_000  # on a map; the largest stay
_MAX_TESTS = 20  # named of one file
_COLUMNS = [
    "folder",
    "name",
    "language",
    "role",
    "lines",
    "complexity",
    "risk",
    "rank",
    "band",
    "terms",
    "commits",
    "year",
    "fixes",
    "gap",
    "reach",
    "owner",
    "age",
    "months",
    "fixMonths",
    "imports",
    "companions",
    "tests",
    "ownTests",
    "command",
    "commandNote",
    "authors",
    "codeowners",
    "fixCommits",
]


class Names:
    """Names by number, in the order they came up."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}

    def number(self, name: Any) -> int:
        return self._numbers.setdefault(name, len(self._numbers))

    def all(self) -> list[Any]:
        return list(self._numbers)


class MapModel(NamedTuple):
    """What both the page and the pictures without scripts are made of."""

    files: tuple[MapFile, ...]
    tree: Tree
    ranked: Mapping[str, RankedFile]
    code: Mapping[int, Layout]  # of source files and scripts; of all files where there are none
    everything: Mapping[int, Layout]
    limits: Mapping[str, list[float]]  # by colouring
    colouring: str  # the one to begin with
    owners: Sequence[str]  # with a colour of their own
    reference: str  # the moment ages count from
    missing: tuple[str, ...]

    def colourings(self) -> list[Colouring]:
        """Those of which something is known of at least one file."""
        return [
            colouring
            for colouring in COLOURINGS
            if (self.owners if colouring.key == OWNER else self._is_known(colouring.key))
        ]

    def _is_known(self, colouring: str) -> bool:
        return any(self.value(file, colouring) is not None for file in range(len(self.files)))

    def value(self, file: int, colouring: str) -> float | None:
        """What a file has of a colouring; None where that is not known, or not for this kind of file."""
        entry = self.files[file]
        match colouring:
            case "risk":
                ranked = self.ranked.get(entry.path)
                return ranked.edit_risk if ranked else None
            case "complexity":
                return entry.complexity
            case "commits":
                return entry.commits_90d
            case "fixes":
                return entry.fixes_365d
            case "gap":
                return entry.test_gap
            case "reach":
                return entry.dependents
            case "age":
                return entry.age_days(self.reference)
            case _:
                return None


def build_model(report: Report, map_: RepositoryMap) -> MapModel:
    """The files of a map with their places and the limits of the colours."""
    files, missing = map_.files, map_.missing
    if len(files) > MAX_FILES:
        files = tuple(
            sorted(
                sorted(files, key=lambda file: (-file.lines, file.path))[:MAX_FILES],
                key=lambda file: file.path,
            )
        )
        missing = (*missing, f"The map has the {MAX_FILES:,} largest of {len(map_.files):,} files.")
    tree = build_tree([file.path for file in files])
    everything = lay_out(tree, {number: file.lines for number, file in enumerate(files)})
    code = {
        number: file.lines
        for number, file in enumerate(files)
        if file.role is None or file.role in RANKED_ROLES
    }
    model = MapModel(
        files=files,
        tree=tree,
        ranked={ranked.file: ranked for ranked in report.edit_risk.files},
        code=lay_out(tree, code) if code and len(code) < len(files) else everything,
        everything=everything,
        limits={},
        colouring=RISK if report.edit_risk.files else "complexity",
        owners=_main_owners(files),
        reference=report.history.reference_time,
        missing=missing,
    )
    limits = {
        colouring.key: limits_of(
            [value for file in range(len(files)) if (value := model.value(file, colouring.key)) is not None]
        )
        for colouring in COLOURINGS
        if colouring.key not in (OWNER, GAP)
    }
    return model._replace(limits={**limits, GAP: [0.5, 1.0]})


def _main_owners(files: Iterable[MapFile]) -> list[str]:
    """Who owns most lines of code."""
    lines: dict[str, int] = {}
    for file in files:
        if file.owner:
            lines[file.owner] = lines.get(file.owner, 0) + file.lines
    return sorted(lines, key=lambda owner: (-lines[owner], owner))[:MAX_OWNERS]


def map_data(model: MapModel) -> dict[str, Any]:
    """The files, folders and layouts."""
    people, languages, commits, commands = Names(), Names(), Names(), Names()
    for owner in model.owners:
        people.number(owner)
    number = {file.path: at for at, file in enumerate(model.files)}
    rows = [_row(model, at, number, people, languages, commits, commands) for at in range(len(model.files))]
    return {
        "columns": _COLUMNS,
        "files": rows,
        "folders": [[folder.name, folder.parent] for folder in model.tree.folders],
        "layouts": {
            "code": _packed(model.code),
            "all": _packed(model.everything) if model.everything is not model.code else None,
        },
        "people": people.all(),
        "languages": languages.all(),
        "fixes": commits.all(),
        "commands": commands.all(),
        "limits": model.limits,
        "colourings": [colouring._asdict() for colouring in model.colourings()],
        "colouring": model.colouring,
        "owners": len(model.owners),
        "ranked": len(model.ranked),
        "bands": {
            band: share_text(band)
            for band in sorted({ranked.band for ranked in model.ranked.values()})
            if band
        },
    }


def _packed(layouts: Mapping[int, Layout]) -> dict[str, list[Any]]:
    return {str(folder): [layout.children, *map(packed, layout.boxes)] for folder, layout in layouts.items()}


def _row(
    model: MapModel,
    at: int,
    number: Mapping[str, int],
    people: Names,
    languages: Names,
    commits: Names,
    commands: Names,
) -> list[Any]:
    """A file in the order of the columns. Zero stands for what is empty or not known, where that is no value."""
    file = model.files[at]
    ranked = model.ranked.get(file.path)
    tests = [
        number[test] for test in dict.fromkeys((*file.tests.by_name, *file.tests.importing)) if test in number
    ]
    return [
        model.tree.folder_of[at],
        file.path.rpartition("/")[2],
        languages.number(file.language),
        file.role.value if file.role else "",
        file.lines,
        file.complexity,
        ranked.edit_risk if ranked else None,
        ranked.rank if ranked else 0,
        ranked.band if ranked else "",
        [ranked.terms.lines, ranked.terms.complexity, ranked.terms.commits, ranked.terms.fixes]
        if ranked
        else 0,
        file.commits_90d,
        ranked.commits_365d if ranked else sum(file.months.commits),
        file.fixes_365d,
        file.test_gap,
        file.dependents,
        people.number(file.owner) if file.owner else None,
        file.age_days(model.reference),
        file.months.commits or 0,
        file.months.fixes or 0,
        [number[target] for target in file.imports if target in number] or 0,
        [[number[item.file], item.commits, item.of] for item in file.companions if item.file in number] or 0,
        tests[:_MAX_TESTS] or 0,
        int(file.tests.own),
        commands.number(file.tests.command) if file.tests.command else None,
        commands.number(file.tests.command_note) if file.tests.command_note else None,
        [[people.number(author.name), author.commits, author.share] for author in file.owners.authors] or 0,
        [people.number(owner) for owner in file.owners.codeowners] or 0,
        [commits.number((fix.date, fix.sha[:9], fix.subject)) for fix in file.fixes] or 0,
    ]
