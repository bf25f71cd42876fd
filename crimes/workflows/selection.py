"""Which findings of a scan a command shows. The whole repository is scanned, so ids, scores and trust do not depend on it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from crimes.model.errors import UsageError
from crimes.model.severity import Severity

if TYPE_CHECKING:
    from crimes.config.schema import Config
    from crimes.model.change import ChangeItem
    from crimes.model.report import Crime, Report
    from crimes.workflows.comparison import Comparison

_Entry = TypeVar("_Entry")
_MAX_PATHS_NAMED = 3
_RANK = {Severity.HIGH: 0, Severity.MEDIUM: 1, Severity.LOW: 2}


@dataclass(frozen=True)
class Selection:
    """What was asked for; all of it by default. Names in `select` and `ignore` are types or families of detectors."""

    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Severity | None = None

    @property
    def narrows(self) -> bool:
        return self != EVERYTHING

    def enable(self, config: Config) -> tuple[str, ...]:
        """Detectors that were asked for by their own name, and are off."""
        from crimes.detection.registry import catalogue, is_enabled

        named = _split(self.select)
        off = (detector.id for detector in catalogue().values() if not is_enabled(detector, config))
        return tuple(id_ for id_ in off if id_ in named)

    def keeps(self, types: Iterable[str] = ()) -> Callable[[Crime], bool]:
        """A test of findings. `types` are those of a report whose detectors may not be installed here."""
        selected, ignored = _types(self.select, "--select", types), _types(self.ignore, "--ignore", types)
        keeps_file = self.keeps_file()

        def keep(crime: Crime) -> bool:
            return (
                (not self.select or crime.type in selected)
                and crime.type not in ignored
                and (self.severity is None or _RANK[crime.severity] <= _RANK[self.severity])
                and keeps_file(crime.file)
            )

        return keep

    def keeps_file(self) -> Callable[[str], bool]:
        """A test of paths."""
        excluded = _matcher(self.exclude)

        def keep(file: str) -> bool:
            below = not self.paths or any(is_below(file, path) for path in self.paths)
            return below and not excluded(file)

        return keep

    def apply_to(self, report: Report) -> Report:
        """The report with the findings that were asked for."""
        if not self.narrows:
            return report
        import msgspec

        from crimes.engine.report_builder import narrowed_summary
        from crimes.model import report as model
        from crimes.model.report import code_only

        everything = (*report.findings, *report.hidden, *report.ignored)
        keep = self.keeps({crime.type for crime in everything})
        keeps_file, ranked = self.keeps_file(), report.edit_risk
        findings, hidden = tuple(filter(keep, report.findings)), tuple(filter(keep, report.hidden))
        shown = model.Selection(
            paths=self.paths,
            exclude=self.exclude,
            select=tuple(_split(self.select)),
            ignore=tuple(_split(self.ignore)),
            severity=str(self.severity or ""),
            left_out=len(report.code_findings) - len(code_only(findings)),
        )
        return msgspec.structs.replace(
            report,
            findings=findings,
            hidden=hidden,
            ignored=tuple(filter(keep, report.ignored)),
            summary=narrowed_summary(report, findings, hidden),
            selection=shown,
            edit_risk=msgspec.structs.replace(
                ranked,
                files=tuple(file for file in ranked.files if keeps_file(file.file)),
                unranked=tuple(file for file in ranked.unranked if keeps_file(file.file)),
            ),
        )

    def paths_text(self) -> str:
        """The chosen paths in a sentence; empty when none were chosen."""
        more = len(self.paths) - _MAX_PATHS_NAMED
        return ", ".join(self.paths[:_MAX_PATHS_NAMED]) + (f" and {more} more" if more > 0 else "")

    def apply_to_comparison(self, comparison: Comparison, touched: Collection[str] = ()) -> Comparison:
        """The comparison of the findings that were asked for, with a warning about files of the change that were not."""
        if not self.narrows:
            return comparison
        import msgspec

        from crimes.model.change import CHANGE_KINDS
        from crimes.workflows.comparison import narrow_comparison

        if warning := self._outside_warning(touched):
            comparison = msgspec.structs.replace(comparison, warnings=(*comparison.warnings, warning))
        types = [*(crime.type for crime in comparison.crimes()), *CHANGE_KINDS]
        here = replace(
            self, select=(), ignore=(), severity=None
        )  # what lies elsewhere has a warning of its own
        placed, narrowed = (
            narrow_comparison(comparison, chosen.keeps(types), chosen._keeps_item(types), self.keeps_file())
            for chosen in (here, self)
        )
        if warning := _left_out_warning(placed, narrowed):
            narrowed = msgspec.structs.replace(narrowed, warnings=(*narrowed.warnings, warning))
        return narrowed

    def _outside_warning(self, touched: Collection[str]) -> str:
        """How many files of a change were not asked about; empty when all were."""
        from crimes.model.sanitize import safe
        from crimes.model.wording import count

        outside = sum(not kept for kept in map(self.keeps_file(), touched))
        if not outside:
            return ""
        if not self.paths:
            return f"{count(outside, 'changed file is', 'changed files are')} excluded"
        paths = safe(self.paths_text())
        if outside == len(touched):
            return f"no changed file is in {paths}: {count(outside, 'file')} changed elsewhere, not checked"
        return f"{count(outside, 'changed file is', 'changed files are')} outside {paths} and not checked"

    def _keeps_item(self, types: Sequence[str]) -> Callable[[ChangeItem], bool]:
        """A test of what a change broke or forgot: by its places, its kind, and how bad it is.

        What is broken, or could not be compared, is left out only by its place or if its kind is ignored by name: it
        decides whether the change is sound, whatever else was asked for.
        """
        from crimes.model.change import NOT_COMPARED, Level

        selected, ignored = _types(self.select, "--select", types), _types(self.ignore, "--ignore", types)
        excluded = _matcher(self.exclude)

        def keep(item: ChangeItem) -> bool:
            files = {item.file, *(place.file for place in item.places)}
            inside = [
                file for file in files if not self.paths or any(is_below(file, path) for path in self.paths)
            ]
            is_chosen = (not self.select or item.kind in selected) and (
                self.severity is None or _RANK[item.level.severity] <= _RANK[self.severity]
            )
            decides = item.level is Level.BROKEN or item.kind == NOT_COMPARED
            return (
                item.kind not in ignored
                and (is_chosen or decides)
                and any(not excluded(file) for file in inside)
            )

        return keep


EVERYTHING = Selection()


def _left_out_warning(whole: Comparison, narrowed: Comparison) -> str:
    """What of `whole` is new, broken or to be looked at and was not asked for; empty when nothing was left out."""
    from crimes.model.wording import count

    numbers = {
        "broken thing": len(whole.broken) - len(narrowed.broken),
        "thing to look at": len(whole.look) - len(narrowed.look),
        "new finding": len(whole.new) - len(narrowed.new),
    }
    plurals = {"thing to look at": "things to look at"}
    texts = [count(number, name, plurals.get(name, f"{name}s")) for name, number in numbers.items() if number]
    return f"not selected, so not shown: {', '.join(texts)}" if texts else ""


def in_order(report: Report, sort: str) -> Report:
    """The report with its findings by risk (as they come), by severity or by file."""
    import msgspec

    return msgspec.structs.replace(report, findings=_ordered(report.findings, sort, lambda crime: crime))


def comparison_in_order(comparison: Comparison, sort: str) -> Comparison:
    """The comparison with each of its lists by risk (as they come), by severity or by file."""
    import msgspec

    return msgspec.structs.replace(
        comparison,
        new=_ordered(comparison.new, sort, lambda crime: crime),
        fixed=_ordered(comparison.fixed, sort, lambda crime: crime),
        gone=_ordered(comparison.gone, sort, lambda crime: crime),
        moved=_ordered(comparison.moved, sort, lambda pair: pair.finding),
        unchanged=_ordered(comparison.unchanged, sort, lambda pair: pair.finding),
        unclear=_ordered(comparison.unclear, sort, lambda entry: entry.finding),
    )


def _ordered(
    entries: tuple[_Entry, ...], sort: str, finding: Callable[[_Entry], Crime]
) -> tuple[_Entry, ...]:
    """Entries by severity or by file; unchanged for any other order."""
    if sort == "severity":
        return tuple(sorted(entries, key=lambda entry: _RANK[finding(entry).severity]))
    if sort == "file":
        return tuple(sorted(entries, key=lambda entry: (finding(entry).file, finding(entry).lines.start)))
    return entries


def _split(names: Iterable[str]) -> list[str]:
    return [name for text in names for name in text.split(",") if name]


def _types(names: Sequence[str], option: str, types: Iterable[str]) -> Collection[str]:
    """The types that these types and families stand for. UsageError for a name that is neither."""
    if not names:
        return ()
    from crimes.detection.registry import catalogue
    from crimes.model.wording import closest

    detectors = catalogue()
    families: dict[str, set[str]] = {}
    for detector in detectors.values():
        families.setdefault(detector.category, set()).add(detector.id)
    known = {**{type_: {type_} for type_ in (*detectors, *types)}, **families}
    chosen: set[str] = set()
    for name in _split(names):
        if name not in known:
            hint = closest(name, known)
            named = f"did you mean '{hint}'?" if hint else f"the families are {', '.join(sorted(families))}"
            raise UsageError(
                f"{option}: '{name}' is not a detector or a detector family (see `crimes detectors`); {named}"
            )
        chosen |= known[name]
    return chosen


def _matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    if not patterns:
        return lambda path: False
    from crimes.config.loader import pattern_fault

    for pattern in patterns:
        if fault := pattern_fault(pattern):
            raise UsageError(f"--exclude: '{pattern}' {fault}")
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns).match_file


def is_below(path: str, folder: str) -> bool:
    """Whether a path is a file or folder, or inside it."""
    return path == folder or path.startswith(f"{folder}/")
