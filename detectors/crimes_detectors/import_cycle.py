"""Files import each other while they load.

It is off by default: 14 of 26 blind verdicts called a cycle worth knowing. Turn it on where the order in which files load has caused trouble before.

## Why it matters

One file in the cycle needs something from another as soon as it is imported, so whether they load at all depends on which is imported first.
Moving, sorting or adding one import can break all of them.

The severity is medium where three or more files need each other on load, and low where only some of them do. Languages that compile files
together have no such order and are skipped, and so are cycles where it is unknown when an import is used.

## What to do

Cut the imports that the finding names: without them no cycle is left among these files. Import a name from the file that defines it,
or move what both sides need into a third file. Where the language allows it, an import inside the function that needs the name also
cuts the import cycle. Where only annotations need it, quoting them and importing under TYPE_CHECKING is enough, unless something reads
annotations at run time. Where more than three imports would have to go, the finding names the file to split first.

## Before

```python
# shop/cart.py
from shop.price import price_of

MAX_ITEMS = 50

def total(cart):
    return sum(price_of(item) for item in cart)

# shop/price.py
from shop.cart import MAX_ITEMS

def price_of(item):
    return item.price * min(item.count, MAX_ITEMS)
```

## After

```python
# shop/limits.py
MAX_ITEMS = 50

# shop/cart.py
from shop.price import price_of

def total(cart):
    return sum(price_of(item) for item in cart)

# shop/price.py
from shop.limits import MAX_ITEMS

def price_of(item):
    return item.price * min(item.count, MAX_ITEMS)
```

## What it does not report

- Cycles of ten files or more that no three imports break, and of which most would be left after the best first step.
- Cycles in which every name is used in functions, when they are called: the order of loading does not matter.
- Files that a compiler takes together, and headers that include each other behind guards: they have no order.
- Imports inside functions, under TYPE_CHECKING, by `import type`, or of nothing but types: they do not run when the file is loaded, and
  are a usual way to cut an import cycle.
- A submodule that imports its siblings, as modules, through their package.
- A Python package's own file and the files below it: the package always runs first, so the order is fixed. So is the order of files that the
  package's own file imports all by itself.
- Imports that a comment says are never executed, but there for tools that read code; folders that are named after circular imports.
- Import cycles of tests, scripts, examples, generated and vendored files.
- A comment at one of the imports that mentions the import cycle or the order of imports makes the severity low.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterator, Mapping
from enum import IntEnum

from msgspec import Struct

from crimes.api import (
    ANY,
    IMPORT_GRAPH,
    LOAD_KINDS,
    Category,
    Detector,
    Edge,
    EdgeKind,
    Effort,
    Example,
    Excused,
    File,
    FileFacts,
    Finding,
    ImportGraph,
    Measure,
    NoOptions,
    Pass,
    Place,
    Related,
    Repo,
    Role,
    Severity,
    Signal,
    admitted_in_a_comment,
    arrows_of,
    count,
    cycles_in,
    fewest_cuts,
    has_long_cycle,
    independent_cycles,
    names_used,
    per_file_given,
    quoted_names,
    regex,
    shortest_cycle,
    shortest_way,
    without,
)

ACKNOWLEDGED = regex(r"(?i)circular|cycl(e|ic)|import order|load order|isort: ?skip|E402")
ON_PURPOSE = regex(r"(?i)(^|/)[^/]*circular[^/]*/", within=300)  # a folder that shows how cycles are handled
FOR_TOOLS = regex(r"(?i)never (?:actually )?(?:executed|run)\b|static analy[sz]|for (?:type checkers|IDEs)\b")
MAX_LINES_TO_COMMENT = 12
MAX_NAMED = 3
MIN_HOPELESS_FILES = 10  # a cycle that large, of which most is left after the best first step
MAX_CUTS = 3  # more imports than these are no advice
MAX_INDEPENDENT_CYCLES = 20  # counted, of those that share no import
MAX_SPLIT_CANDIDATES = 20

Arrows = Mapping[str, Mapping[str, Edge]]  # by source and target


class Use(IntEnum):
    """When a file uses what it imports."""

    LATER = 0  # when its functions are called
    UNKNOWN = 1
    ON_LOAD = 2


class Step(Struct, frozen=True):
    """An import of a cycle: when it is used, and what it takes to cut it."""

    edge: Edge
    use: Use
    names: int
    calls: int
    instead: tuple[str, ...]  # the files that define the names, if the import goes through a package
    annotates: bool  # nothing but annotations of the file needs it
    movable: bool  # the names can move to another file, or the import into a function

    @property
    def cost(self) -> tuple[int, int, int, str, str]:
        """Annotations and detours through a package first, then other imports, re-exports and what cannot move; then by size."""
        kind = (
            0
            if self.annotates or self.instead
            else 2
            if self.edge.kind is EdgeKind.REEXPORT
            else 1
            if self.movable
            else 3
        )
        return kind, self.names, self.calls, self.edge.source, self.edge.target


Steps = Mapping[tuple[str, str], Step]


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding | Excused]:
    loaded = scan[LOAD_USES]
    for component in components(scan):
        all_steps = {
            (source, target): step_of(edge, scan, loaded)
            for source, ends in component.items()
            for target, edge in ends.items()
        }
        for arrows in cycles_among(component, all_steps, scan.repo.files):
            steps = {arrow: step for arrow, step in all_steps.items() if arrow[1] in arrows.get(arrow[0], ())}
            on_load = any(step.use is Use.ON_LOAD for step in steps.values())
            if not on_load or any(map(ON_PURPOSE.search, arrows)):
                continue
            is_ordered = is_within_package(arrows) or is_ordered_by_package(arrows, scan[IMPORT_GRAPH])
            yield report(arrows, steps, scan, is_ordered)


def is_within_package(paths: Collection[str]) -> bool:
    """Whether a package's own file is in the cycle, and all the others are below it: the package always runs first."""
    folders = [posixpath.dirname(path) for path in paths if posixpath.basename(path) == "__init__.py"]
    return any(all(path.startswith(f"{folder}/") for path in paths) for folder in folders)


def is_ordered_by_package(paths: Collection[str], graph: ImportGraph) -> bool:
    """Whether a package's own file, which runs before all of the files, imports each of them itself."""
    folder = posixpath.commonpath([posixpath.dirname(path) for path in paths])
    while folder:
        package = graph.imports.get(f"{folder}/__init__.py", ())
        if {edge.target for edge in package if runs_on_load(edge)}.issuperset(paths):
            return True
        folder = posixpath.dirname(folder)
    return False


def cycles_among(component: Arrows, steps: Steps, files: Mapping[str, File]) -> Iterator[Arrows]:
    """The cycles without what components import for their markup or as types: both need no order."""
    needed = {
        path: {
            end: edge
            for end, edge in ends.items()
            if not files[path].embedded or steps[path, end].use is not Use.LATER
        }
        for path, ends in component.items()
    }
    for members in cycles_in(needed):
        known = set(members)
        yield {path: {end: needed[path][end] for end in needed[path] if end in known} for path in members}


def components(scan: Pass) -> Iterator[Arrows]:
    """Sets of production files that import each other when they are loaded, with the imports among them."""
    graph, files = scan[IMPORT_GRAPH], scan.repo.files
    for cycle in graph.cycles:
        sources = {path for path in cycle if path in files and may_run(files[path])}
        arrows = {path: merged_edges(path, graph, files, sources) for path in sorted(sources)}
        for members in cycles_in(arrows):
            known = set(members)
            yield {path: {end: arrows[path][end] for end in arrows[path] if end in known} for path in members}


def merged_edges(
    path: str, graph: ImportGraph, files: Mapping[str, File], sources: Collection[str]
) -> dict[str, Edge]:
    """By target: what a file imports of it on load, as one edge at the line of the first import."""
    merged: dict[str, Edge] = {}
    for edge in graph.imports[path]:
        if edge.target not in sources or edge.target == path or not runs_on_load(edge):
            continue
        if has_safe_order(edge, graph, files, sources) or is_never_run(files[path], edge):
            continue
        first = merged.get(edge.target, edge)
        names = tuple(dict.fromkeys((*first.names, *edge.names)))
        merged[edge.target] = Edge(path, edge.target, first.kind, first.line, names)
    return merged


def may_run(file: File) -> bool:
    """Whether it is production code, not a stub."""
    return file.role is Role.SOURCE and not file.declares


def runs_on_load(edge: Edge) -> bool:
    """Whether an import always runs when its file is loaded."""
    return not edge.via and edge.kind in LOAD_KINDS


def has_safe_order(
    edge: Edge, graph: ImportGraph, files: Mapping[str, File], members: Collection[str]
) -> bool:
    """Whether a submodule imports names that its package binds before anything there leads to the submodule.

    The package always runs first, so this order holds. Names that the package itself imports from a sibling do not
    count: sorting its imports may change their order.
    """
    folder, name = posixpath.split(edge.target)
    if name != "__init__.py" or not edge.source.startswith(folder + "/") or not edge.names:
        return False
    package = files[edge.target].facts
    inner = graph.imports[edge.target]
    inner_lines = {step.line for step in inner}
    own = (step for step in inner if step.target in members and runs_on_load(step))
    first = min((step.line for step in own if leads_to(edge.source, step, graph, members)), default=0)
    bound = {item.name for item in package.statements if item.line < first}
    bound |= {item.name for item in package.functions if item.start < first}
    bound |= {item.name for item in package.classes if item.start < first}
    outer_imports = (item for item in package.imports if item.line < first and item.line not in inner_lines)
    bound |= {name.alias for item in outer_imports for name in item.names}
    return bound.issuperset(edge.names)


def leads_to(goal: str, first: Edge, graph: ImportGraph, members: Collection[str]) -> bool:
    """Whether an import loads a file, directly or through others, without its own file."""
    seen, ahead = {first.source, first.target}, [first.target]
    while ahead and goal not in seen:
        for step in graph.imports[ahead.pop()]:
            if step.target in members and step.target not in seen and runs_on_load(step):
                seen.add(step.target)
                ahead.append(step.target)
    return goal in seen


def is_never_run(file: File, edge: Edge) -> bool:
    """Whether a comment shortly above an import says that it is only there for tools that read code."""
    return any(
        edge.line - MAX_LINES_TO_COMMENT <= comment.end <= edge.line and FOR_TOOLS.search(comment.text)
        for comment in file.facts.comments
    )


def files_behind(edge: Edge, name: str, graph: ImportGraph) -> list[str]:
    """Files that a name imported through a package comes from."""
    through = (other for other in graph.imports[edge.source] if other.via == edge.target)
    return [other.target for other in through if name in other.names]


def local_names(edge: Edge, facts: FileFacts) -> tuple[str, ...]:
    """What a file calls that which it imports by an edge; empty where that is not known."""
    imports = [item for item in facts.imports if item.line == edge.line]
    if is_whole_module(edge):
        named = (name for item in imports for name in item.names if name.name in module_names(edge.target))
        if module := next((name.alias or name.name for name in named), ""):
            return (module,)
    names = {
        name.alias or name.name
        for item in imports
        for name in item.names
        if not edge.names or name.name in edge.names
    }
    names |= {item.alias or item.target for item in imports if not item.names}
    is_known = all(name.replace(".", "").isidentifier() and not name.startswith(".") for name in names)
    return tuple(sorted(names)) if is_known else ()


def is_whole_module(edge: Edge) -> bool:
    """Whether an import takes a file as a module: `import a`, `from . import a`."""
    return module_names(edge.target).issuperset(edge.names)


def module_names(path: str) -> set[str]:
    """The names under which a file can be imported as a module."""
    folder, base = posixpath.split(path)
    stem = base.partition(".")[0]
    return {stem, posixpath.basename(folder)} if stem.startswith("__") else {stem}


def imported_names(scan: Pass) -> dict[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    """By file of an import cycle: each file it imports there, and the local names of what it takes."""
    return {
        path: tuple((end, local_names(edge, scan.repo.files[path].facts)) for end, edge in ends.items())
        for arrows in components(scan)
        for path, ends in arrows.items()
    }


class ImportUse(Struct, frozen=True, array_like=True):
    """What a file uses of another while it is loaded, and whether only its annotations use anything of it."""

    on_load: tuple[str, ...]
    only_in_annotations: bool


def load_uses_in(
    facts: FileFacts, text: Callable[[], str], imported: tuple[tuple[str, tuple[str, ...]], ...]
) -> dict[str, ImportUse] | None:
    """By imported file: when its names are used; without the files of which nothing tells."""
    used = names_used(facts.language, text().encode(), {name for _, names in imported for name in names})
    if used is None:
        return None
    return {
        target: ImportUse(
            tuple(name for name in names if name in used.on_load), used.only_in_annotations.issuperset(names)
        )
        for target, names in imported
        if names
    }


LOAD_USES = per_file_given(
    "import_cycle.load_uses", dict[str, ImportUse], (IMPORT_GRAPH,), imported_names, load_uses_in
)


def use_of(edge: Edge, importer: File, used: Mapping[str, ImportUse]) -> Use:
    """When a file uses what it imports by an edge."""
    if importer.traits.imports_bind and not is_whole_module(edge):
        return Use.ON_LOAD
    if edge.kind is EdgeKind.REEXPORT:
        return Use.LATER
    if edge.target not in used:
        return Use.UNKNOWN
    return Use.ON_LOAD if used[edge.target].on_load else Use.LATER


def step_of(edge: Edge, scan: Pass, loaded: Mapping[str, Mapping[str, ImportUse]]) -> Step:
    files = scan.repo.files
    importer, facts = files[edge.source], files[edge.source].facts
    used = loaded.get(edge.source, {})
    local = local_names(edge, facts)
    called = [call.target for call in facts.calls if call.target.partition(".")[0] in local]
    names = len(edge.names) or len(set(called)) or 1
    if "*" in edge.names:
        names = max(1, len(files[edge.target].facts.definitions))
    origins = {
        defining_file(name, files_behind(edge, name, scan[IMPORT_GRAPH]), files) for name in edge.names
    }
    is_direct = origins and "" not in origins and edge.source not in origins
    return Step(
        edge,
        use_of(edge, importer, used),
        names,
        len(called),
        instead=tuple(sorted(origins)) if is_direct else (),
        annotates=edge.target in used
        and used[edge.target].only_in_annotations
        and not is_passed_on(edge, local, scan[IMPORT_GRAPH]),
        movable=not holds_nothing_else(files[edge.target], edge) or may_be_late(edge, importer, used),
    )


def is_passed_on(edge: Edge, local: tuple[str, ...], graph: ImportGraph) -> bool:
    """Whether other files import one of the names from the importing file."""
    importers = graph.importers.get(edge.source, ())
    return any("*" in other.names or not set(local).isdisjoint(other.names) for other in importers)


def may_be_late(edge: Edge, importer: File, used: Mapping[str, ImportUse]) -> bool:
    """Whether the import can be moved into the function that needs the names."""
    return importer.traits.late_imports and edge.target in used and not used[edge.target].on_load


def defining_file(name: str, paths: list[str], files: Mapping[str, File]) -> str:
    """The first of the files that defines the name; empty if none does."""
    return next((path for path in paths if path in files and name in files[path].facts.definitions), "")


def holds_nothing_else(target: File, edge: Edge) -> bool:
    """Whether the imported names are all that a file defines: they have a file of their own already."""
    own = target.facts.definitions
    return bool(own) and set(edge.names).issuperset(own)


def cuts_of(arrows: Arrows, steps: Steps) -> tuple[list[Step], bool]:
    """The fewest imports without which no cycle is left, at most three, and whether files behind packages may replace them."""
    cuts = [steps[arrow] for arrow in fewest_cuts(arrows, lambda arrow: steps[arrow].cost, MAX_CUTS)]
    remaining = without(arrows, [(step.edge.source, step.edge.target) for step in cuts])
    for step in cuts:
        remaining[step.edge.source] |= {path for path in step.instead if path in arrows}
    return cuts, not cycles_in(remaining)


def worst_cycle(arrows: Arrows, steps: Steps) -> list[str]:
    """A shortest cycle of imports that are needed on load; else a shortest one with such an import."""
    needed = {
        path: {end for end in ends if steps[path, end].use is Use.ON_LOAD} for path, ends in arrows.items()
    }
    if cycle := shortest_cycle(needed):
        return cycle
    worst = max(step.use for step in steps.values())
    ways = (
        [source, *shortest_way(arrows, target, source)[:-1]]
        for (source, target), step in sorted(steps.items())
        if step.use is worst
    )
    return min(ways, key=len)


def severity_of(arrows: Arrows, steps: Steps) -> Severity:
    """Medium where three or more files need each other on load: the order of their imports decides whether they load."""
    needed = {
        path: {end for end in ends if steps[path, end].use is Use.ON_LOAD} for path, ends in arrows.items()
    }
    return Severity.MEDIUM if has_long_cycle(needed) else Severity.LOW


def defines_something(path: str, arrows: Arrows, files: Mapping[str, File]) -> bool:
    """Whether a file has something to move: one that only passes on what others define has not."""
    passes_on = all(edge.kind is EdgeKind.REEXPORT for edge in arrows[path].values())
    return not passes_on and bool(files[path].facts.definitions)


def split_advice(arrows: Arrows, files: Mapping[str, File]) -> str:
    """Which file to split where no few imports break the cycles, and what that leaves; empty if that is most of them."""

    def degree(path: str) -> int:
        return min(len(arrows[path]), sum(path in ends for ends in arrows.values()))

    candidates = sorted(arrows, key=lambda path: (-degree(path), path))[:MAX_SPLIT_CANDIDATES]
    left = {
        path: [
            len(cycle)
            for cycle in cycles_in({other: ends for other, ends in arrows.items() if other != path})
        ]
        for path in candidates
    }
    best = min(candidates, key=lambda path: (sum(left[path]), path))
    if len(arrows) >= MIN_HOPELESS_FILES and 2 * max(left[best], default=0) > len(arrows):
        return ""
    cycles = independent_cycles(arrows, MAX_INDEPENDENT_CYCLES)
    number = (
        f"{MAX_INDEPENDENT_CYCLES} or more"
        if cycles == MAX_INDEPENDENT_CYCLES
        else f"at least {max(cycles, MAX_CUTS + 1)}"
    )
    rest = f"the largest cycle left has {max(left[best])} files" if left[best] else "no cycle is left"
    start = f"To break every cycle, {number} imports have to go. Start with `{best}`"
    if not defines_something(best, arrows, files):
        return f"{start}, which only passes on names: let these files import each name from the file that defines it."
    return f"{start}: move what the other files import from it to a new file that imports none of them. Then {rest}."


def is_acknowledged(file: File, edge: Edge) -> bool:
    """Whether a comment at or above the import mentions the import cycle."""
    line = edge.line + 1
    for comment in sorted(file.facts.comments, key=lambda comment: -comment.line):
        if comment.end in (line, line - 1) or (line > edge.line and comment.end == edge.line - 1):
            if ACKNOWLEDGED.search(comment.text):
                return True
            line = min(comment.line, edge.line)
    return False


def fix_of(step: Step, repo: Repo, may_replace: bool, used: Mapping[str, ImportUse]) -> str:
    """How to cut an import, as far as this code allows it."""
    edge, importer = step.edge, repo.files[step.edge.source]
    names, plural = name_list(edge), len(edge.names) > 1
    it, they_are = ("them", "they are") if plural else ("it", "it is")
    if step.annotates:
        return f"Import {names} under `TYPE_CHECKING` and quote {it} in annotations: nothing else here needs {it}."
    if step.instead and may_replace:
        paths = quoted_names(step.instead, MAX_NAMED)
        return f"Import {names} from {paths}, where {they_are} defined, instead of from `{edge.target}`."
    if edge.kind is EdgeKind.REEXPORT:
        return f"Remove the re-export of `{edge.target}`, and let its users import that file directly."
    ways = []
    if not holds_nothing_else(repo.files[edge.target], edge):
        moved = names if names != f"`{edge.target}`" else f"what `{edge.source}` needs from `{edge.target}`"
        ways.append(f"move {moved} to a file that imports neither")
    if may_be_late(edge, importer, used):
        ways.append(f"import {names if not ways else it} inside the function that needs {it}")
    if not ways and step.use is Use.LATER:
        ways.append(f"pass {names} in as an argument instead of importing {it}")
    ways = ways or [f"merge `{edge.source}` and `{edge.target}`: the one needs the other to load"]
    text = ", or ".join(ways)
    return f"{text[0].upper()}{text[1:]}."


def name_list(edge: Edge) -> str:
    """The imported names, at most three of them; the file if the import names none."""
    if is_whole_module(edge) or not {"*", "default"}.isdisjoint(edge.names):
        return f"`{edge.target}`"
    return quoted_names(edge.names, MAX_NAMED)


def advice(cuts: list[Step], may_replace: bool, arrows: Arrows, scan: Pass) -> str:
    """The cut that breaks every cycle, or the file to split."""
    if not cuts:
        return split_advice(arrows, scan.repo.files)
    used = scan[LOAD_USES].get(cuts[0].edge.source, {})
    fix = fix_of(cuts[0], scan.repo, may_replace, used)
    if len(cuts) == 1:
        return fix
    others = " and ".join(f"the import of `{step.edge.target}` in `{step.edge.source}`" for step in cuts[1:])
    return f"{fix} Cut {others} as well: then no cycle is left."


def signals(size: int, is_ordered: bool) -> tuple[Signal, ...]:
    """What the cycle rests on; doubt where a package's own file decides the order."""
    if is_ordered:
        reason = "a package's own file runs before the others and decides their order"
        return (Signal("ordered by a package", Category.SYNTAX, 45, reason),)
    return (
        Signal("imports on load", Category.SYNTAX, 80, "each step is an import statement that runs on load"),
        Signal(
            "several files" if size > 2 else "two files",
            Category.GRAPH,
            92 if size > 2 else 80,
            f"{size} files reach each other through resolved imports",
        ),
    )


def worked_around(scan: Pass, finding: Finding) -> Iterator[Signal]:
    """Evidence for a cycle in doubt: imports between its files that somebody moved into a function."""
    files = finding.evidence["shown_cycle"].value
    members = set(files) if isinstance(files, tuple) else set()
    late = [
        edge
        for path in sorted(members)
        for edge in scan[IMPORT_GRAPH].imports.get(path, ())
        if edge.kind is EdgeKind.DEFERRED and edge.target in members and edge.target != path
    ]
    if late:
        reason = f"{count(len(late), 'import')} between these files had to move into a function ({late[0].source}:{late[0].line})"
        yield Signal("moved imports", Category.GRAPH, (65, 80, 92)[min(len(late), 3) - 1], reason)


def report(arrows: Arrows, steps: Steps, scan: Pass, is_ordered: bool) -> Finding | Excused:
    cuts, may_replace = cuts_of(arrows, steps)
    way = worst_cycle(arrows, steps)
    on_way = [steps[arrow] for arrow in arrows_of(way)]
    # Every complete cut holds an import of this cycle: the finding is there.
    cuts.sort(key=lambda step: (step not in on_way, step.cost))
    start = (
        on_way.index(cuts[0])
        if cuts
        else min(range(len(way)), key=lambda n: (-on_way[n].use, on_way[n].cost))
    )
    way, on_way = way[start:] + way[:start], on_way[start:] + on_way[:start]
    severity = severity_of(arrows, steps)
    notes: tuple[str, ...] = ()
    for step in on_way:
        if not notes and is_acknowledged(scan.repo.files[step.edge.source], step.edge):
            severity = Severity.LOW
            notes = (f"a comment at the import in {step.edge.source} mentions the import cycle: low",)
    edge, size = on_way[0].edge, len(arrows)
    place = Place(edge.source, edge.line, edge.line)
    fix = advice(cuts, may_replace, arrows, scan)
    if not fix:
        return Excused(place, f"no first step leaves less than half of this cycle of {size} files")
    return Finding(
        place,
        severity,
        f"{fact_of(way, size)}{load_note(on_way, scan)}.",
        signals(size, is_ordered),
        evidence={
            "files": Measure(size),
            "shown_cycle": Measure(tuple(way)),
            "imports_used_on_load": Measure(sum(step.use is Use.ON_LOAD for step in steps.values())),
            "imports_in_cycles": Measure(len(steps)),
            "cuts_that_break_all": Measure(len(cuts)),
        },
        related=tuple(
            Related(Place(step.edge.source, step.edge.line, step.edge.line), f"imports {step.edge.target}")
            for step in on_way[1:]
        ),
        notes=notes,
        fix=fix,
    )


def fact_of(way: list[str], size: int) -> str:
    path = " → ".join((*way, way[0]))
    if size == len(way):
        return f"{size} files form an import cycle: {path}"
    return f"{size} files import each other, for example {path}"


def load_note(on_way: list[Step], scan: Pass) -> str:
    """What a file of the cycle needs from another while it is loaded."""
    step = next((step for step in on_way if step.use is Use.ON_LOAD), None)
    if step is None:
        return ""
    edge = step.edge
    use = scan[LOAD_USES].get(edge.source, {}).get(edge.target)
    used = use.on_load if use else ()
    names = (
        () if is_whole_module(edge) else used or [name for name in edge.names if name not in ("*", "default")]
    )
    what = f"{quoted_names(names, MAX_NAMED)} from `{edge.target}`" if names else f"`{edge.target}`"
    verb = "uses" if used else "needs"  # a name must exist when it is imported, even if it is used later
    return f", and `{edge.source}` {verb} {what} while it is loaded"


_ADMITTED = r"circular|cyclic(al)? (import|depend)|import cycle|import loop"

DETECTOR = Detector(
    id="import_cycle",
    title="Import cycle",
    category="dependencies",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
    default=False,
    effort=Effort.HOURS,
    detect=detect,
    needs=(IMPORT_GRAPH, LOAD_USES),
    deferred=(worked_around, admitted_in_a_comment(_ADMITTED)),
    examples=(
        Example(
            "silent on a cycle of many files that no first step makes much smaller",
            {
                "shop/__init__.py": "",
                **{
                    f"shop/part{n}.py": "".join(
                        f"from shop import part{other}\n" for other in range(12) if other != n
                    )
                    + f"\n\nclass Part{n}(part{(n + 1) % 12}.Part{(n + 1) % 12}):\n    pass\n"
                    for n in range(12)
                },
            },
        ),
        Example(
            "two Python modules that import a name from each other",
            {
                "shop/__init__.py": "",
                "shop/cart.py": "from shop.price import price_of, round_up\n\ndef total(cart):\n    return sum(map(price_of, cart))\n",
                "shop/price.py": "from shop.cart import total\n\ndef price_of(item):\n    return item.price\n\ndef round_up(value):\n    return value\n",
            },
            finds=("shop/price.py:1",),
            severity=Severity.LOW,
        ),
        Example(
            "three TypeScript files that need each other to load",
            {
                "src/a.ts": "import { B } from './b';\nexport class A extends B {}\n",
                "src/b.ts": "import { c } from './c';\nexport class B {}\nexport const b = c;\n",
                "src/c.ts": "import { A } from './a';\nexport const c = new A();\nexport const d = 1;\n",
            },
            finds=("src/a.ts:1",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "two of three TypeScript files use names only when they are called",
            {
                "src/a.ts": "import { b } from './b';\nexport const a = b();\n",
                "src/b.ts": "import { c } from './c';\nexport const b = () => c();\n",
                "src/c.ts": "import { a } from './a';\nexport function c() {\n  return a;\n}\nexport const e = 1;\n",
            },
            finds=("src/b.ts:1",),
            severity=Severity.LOW,
        ),
        Example(
            "an order that the package decides, and that an import inside a function shows to be in the way",
            {
                "shop/__init__.py": "from shop.cart import total\nfrom shop.price import price_of\n",
                "shop/cart.py": "from shop.price import price_of\n\nMAX_ITEMS = 5\n\ndef total(cart):\n    return sum(map(price_of, cart))\n",
                "shop/price.py": "from shop import cart\n\nLIMIT = cart.MAX_ITEMS\n\ndef price_of(item):\n"
                "    from shop.cart import total\n\n    return item.price or total(item.parts)\n",
            },
            ("shop/cart.py:1",),
        ),
        Example(
            "silent where the package imports all files of the cycle itself, in its own order",
            {
                "shop/__init__.py": "from shop.cart import total\nfrom shop.price import price_of\n",
                "shop/cart.py": "from shop.price import price_of\n\nMAX_ITEMS = 5\n\ndef total(cart):\n    return sum(map(price_of, cart))\n",
                "shop/price.py": "from shop import cart\n\nLIMIT = cart.MAX_ITEMS\n\ndef price_of(item):\n    return item.price\n",
            },
        ),
        Example(
            "a package that imports one file of the cycle",
            {
                "shop/__init__.py": "from shop.cart import total\n",
                "shop/cart.py": "from shop.price import price_of, round_up\n\ndef total(cart):\n    return sum(map(price_of, cart))\n",
                "shop/price.py": "from shop.cart import total\n\ndef price_of(item):\n    return item.price\n\ndef round_up(value):\n    return value\n",
            },
            finds=("shop/price.py:1",),
        ),
        Example(
            "silent where one side is only used as a type, in TypeScript",
            {
                "src/a.ts": "import { B } from './b';\nexport class A extends B {}\nexport const size = 1;\n",
                "src/b.ts": "import { A } from './a';\nexport class B {\n  join(other: A): A[] {\n    return [other];\n  }\n}\nexport const name = 'b';\n",
            },
        ),
        Example(
            "a name that is used as a type and as a value",
            {
                "src/a.ts": "import { B } from './b';\nexport class A extends B {}\nexport const size = 1;\n",
                "src/b.ts": "import { A } from './a';\nexport class B {\n  join(other: A): A[] {\n    return [other, new A()];\n  }\n}\nexport const name = 'b';\n",
            },
            finds=("src/a.ts:1",),
        ),
        Example(
            "silent on headers that include each other",
            {
                "src/a.h": '#ifndef A_H\n#define A_H\n#include "b.h"\nint a(void);\n#endif\n',
                "src/b.h": '#ifndef B_H\n#define B_H\n#include "a.h"\nint b(void);\n#endif\n',
            },
        ),
        Example(
            "silent where all names are used in functions",
            {
                "src/a.ts": "import { b } from './b';\nexport const a = () => b();\n",
                "src/b.ts": "import { c } from './c';\nexport class B {\n  value = c();\n  get() {\n    return c();\n  }\n}\nexport const b = (x = c()) => x;\n",
                "src/c.ts": "import { a } from './a';\nexport function c() {\n  return a();\n}\nexport { a };\n",
            },
        ),
        Example(
            "silent where modules are used in functions",
            {
                "shop/__init__.py": "",
                "shop/cart.py": "import shop.price\n\ndef total(cart):\n    return sum(map(shop.price.price_of, cart))\n",
                "shop/price.py": "from shop import cart\n\ndef price_of(item):\n    return cart.total([item])\n",
            },
        ),
        Example(
            "silent where a name at module level only happens to be that of a module",
            {
                "shop/__init__.py": "",
                "shop/version.py": "from shop import release\n\ndef current():\n    return release.Release()\n",
                "shop/release.py": "from dataclasses import dataclass\n\nfrom shop import version\n\n@dataclass\nclass Release:\n"
                "    version: int\n\n    def old(self):\n        return version.current()\n",
            },
        ),
        Example(
            "silent on imports that only tools see",
            {
                "shop/__init__.py": "import os\n\n# This is never executed, but static analysers learn the types from it.\nSTATIC = os.environ.get('STATIC')\nif STATIC:\n    from shop.cart import total\n",
                "shop/cart.py": "from shop import name\n\ntotal = name\n",
            },
        ),
        Example(
            "silent on a submodule that imports a sibling's name from the package, which always runs first",
            {
                "pkg/__init__.py": "from .base import Base\nfrom .model import Model\n",
                "pkg/base.py": "class Base:\n    pass\n",
                "pkg/model.py": "from pkg import Base\n\nclass Model(Base):\n    pass\n",
            },
        ),
        Example(
            "a barrel and a file that imports from it",
            {
                "src/index.ts": "export { stream } from './stream';\nexport { text } from './text';\n",
                "src/stream.ts": "export const stream = () => 1;\n",
                "src/text.ts": "import { stream } from './index';\nexport const text = stream();\n",
            },
            finds=("src/text.ts:1",),
        ),
        Example(
            "a comment at the import lowers the severity",
            {
                "a.py": "import b\n\none = b.two()\n",
                "b.py": "def two():\n    return 2\n\n# At the end: a and b import each other (circular).\nimport a\n",
            },
            finds=("b.py:5",),
            severity=Severity.LOW,
        ),
        Example(
            "silent on deferred and type-only imports",
            {
                "a.py": "from b import two\n\ndef one():\n    return two()\n",
                "b.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from a import One\n\ndef two():\n    from a import one\n    return one\n",
            },
        ),
        Example(
            "silent on imports of types, whether `type` is written or not",
            {
                "src/node.ts": "import { walk } from './walk';\nexport interface Node { next: Node }\nexport const go = (n: Node) => walk(n);\n",
                "src/walk.ts": "import { Node } from './node';\nexport const walk = (n: Node) => n.next;\n",
                "src/print.ts": "import type { show } from './show';\nexport const print = (s: typeof show) => s;\n",
                "src/show.ts": "import { print } from './print';\nexport const show = () => print;\n",
            },
        ),
        Example(
            "silent when a submodule imports a sibling module through the package",
            {
                "pkg/__init__.py": "from .api import run\n",
                "pkg/api.py": "from . import steps\n\ndef run():\n    return steps.first()\n",
                "pkg/steps.py": "def first():\n    return 1\n",
            },
        ),
        Example(
            "silent when a package imports the submodules after what they need from it",
            {
                "app/__init__.py": "from framework import Blueprint\n\nbp = Blueprint()\n\nfrom . import views\n",
                "app/views.py": "from app import bp\n\n@bp.route('/')\ndef index():\n    return ''\n",
            },
        ),
        Example(
            "silent on import cycles of tests",
            {
                "tests/test_a.py": "from tests.test_b import b\n\na = 1\n",
                "tests/test_b.py": "from tests.test_a import a\n\nb = 2\n",
            },
        ),
    ),
)
