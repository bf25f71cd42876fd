"""Files import each other when they are loaded.

## Why it matters

None of the files in an import cycle loads without the others, so moving or adding one import can break all of them. Whether they
load at all can depend on which of them is imported first.

## What to do

Cut the import that is cheapest to cut: import a name from the file that defines it, or move what both sides need into a third file.
Where the language allows it, an import inside the function that needs the name also cuts the import cycle.

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

## What it accepts

- Imports inside functions, under TYPE_CHECKING, by `import type`, or of nothing but types: they do not run when the file is loaded, and
  are a usual way to cut an import cycle.
- A submodule that imports its siblings, as modules, through their package.
- A package that defines something and then, further down, imports the submodules that use it.
- Import cycles of tests, scripts, examples, generated and vendored files.
- A comment at one of the imports that mentions the import cycle or the order of imports lowers the severity one step.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

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
    File,
    FileFacts,
    Finding,
    ImportGraph,
    Measure,
    Pass,
    Place,
    Related,
    Repo,
    Role,
    Severity,
    Signal,
    condense,
    option,
    quoted_names,
    regex,
)

ACKNOWLEDGED = regex(r"(?i)circular|cycl(e|ic)|import order|load order|isort: ?skip|E402")
SIGNATURE_END = regex(
    r"^\s*[^@\s].*(?::\s*(?:#.*)?|\))\s*$"
)  # of the last line before a body; not a decorator
MAX_NAMED = 3

Arrows = Mapping[str, Mapping[str, Edge]]  # by source and target


@dataclass(frozen=True)
class Options:
    severe_files: int = option(4, "The severity is high from this many files in one import cycle.")


class Cut(Struct, frozen=True):
    """One edge of an import cycle, the cycle starting there, and what it takes to cut it."""

    edge: Edge
    way: tuple[str, ...]
    names: int
    calls: int
    instead: tuple[str, ...]  # the files that define the names, if the import goes through a package

    @property
    def cost(self) -> tuple[int, int, int, str, str, tuple[str, ...]]:
        """Detours through a package first, then other imports, re-exports last; then fewest names and calls."""
        kind = 0 if self.instead else 2 if self.edge.kind is EdgeKind.REEXPORT else 1
        return kind, self.names, self.calls, self.edge.source, self.edge.target, self.way


def detect(scan: Pass, options: Options) -> Iterator[Finding]:
    graph, files = scan[IMPORT_GRAPH], scan.repo.files
    for cycle in graph.cycles:
        sources = {path for path in cycle if path in files and may_run(files[path])}
        arrows = {
            path: {
                edge.target: edge
                for edge in graph.imports[path]
                if edge.target in sources
                and runs_on_load(edge)
                and not has_safe_order(edge, graph, files, sources)
            }
            for path in sorted(sources)
        }
        for members in cycles_in(arrows):
            known = set(members)
            inside = {
                path: {end: arrows[path][end] for end in arrows[path] if end in known} for path in members
            }
            steps = ((way, edge) for way in shortest_cycles(inside) for edge in edges(way, inside))
            cuts = (cut(edge, way, graph, files) for way, edge in steps)
            yield report(min(cuts, key=lambda cut: cut.cost), inside, scan.repo, options)


def may_run(file: File) -> bool:
    """Whether it is production code, not a stub."""
    return file.role is Role.SOURCE and not file.declares


def runs_on_load(edge: Edge) -> bool:
    """Whether an import always runs when its file is loaded."""
    return not edge.via and edge.kind in LOAD_KINDS


def has_safe_order(
    edge: Edge, graph: ImportGraph, files: Mapping[str, File], members: Collection[str]
) -> bool:
    """Whether a submodule imports names that its package binds before it imports any file of the cycle.

    The package always runs first, so this order holds. Names that the package itself imports from a sibling do not
    count: sorting its imports may change their order.
    """
    folder, name = posixpath.split(edge.target)
    if name != "__init__.py" or not edge.source.startswith(folder + "/") or not edge.names:
        return False
    package = files[edge.target].facts
    inner = graph.imports[edge.target]
    inner_lines = {step.line for step in inner}
    first = min((step.line for step in inner if step.target in members and runs_on_load(step)), default=0)
    bound = {item.name for item in package.statements if item.line < first}
    bound |= {item.name for item in package.functions if item.start < first}
    bound |= {item.name for item in package.classes if item.start < first}
    outer_imports = (item for item in package.imports if item.line < first and item.line not in inner_lines)
    bound |= {name.alias for item in outer_imports for name in item.names}
    return bound.issuperset(edge.names)


def files_behind(edge: Edge, name: str, graph: ImportGraph) -> list[str]:
    """Files that a name imported through a package comes from."""
    through = (other for other in graph.imports[edge.source] if other.via == edge.target)
    return [other.target for other in through if name in other.names]


def cycles_in(arrows: Arrows) -> list[list[str]]:
    """Sets of files that all reach each other, sorted."""
    names = sorted(arrows)
    number = {name: n for n, name in enumerate(names)}
    into: list[list[int]] = [[] for _ in names]
    for source, ends in arrows.items():
        for end in ends:
            into[number[end]].append(number[source])
    groups = (sorted(names[n] for n in group) for group in condense(into).groups)
    return sorted(group for group in groups if len(group) > 1)


def shortest_cycles(arrows: Arrows) -> list[list[str]]:
    """The shortest cycles, at most one for each file that sorts first in one."""
    shortest: list[list[str]] = []
    for start in arrows:
        way = shortest_way_back(start, arrows, len(shortest[0]) if shortest else len(arrows))
        if way and shortest and len(way) < len(shortest[0]):
            shortest = []
        shortest += [way] if way else []
    return shortest


def shortest_way_back(start: str, arrows: Arrows, max_files: int) -> list[str]:
    """The shortest way from a file back to itself over files that sort after it, of at most `max_files` files."""
    came_from = {start: ""}
    frontier = [start]
    for _ in range(max_files):
        following: list[str] = []
        for path in frontier:
            if start in arrows[path]:
                way = [path]
                while came_from[way[-1]]:
                    way.append(came_from[way[-1]])
                return way[::-1]
            for target in arrows[path]:
                if target > start and target not in came_from:
                    came_from[target] = path
                    following.append(target)
        frontier = following
    return []


def edges(way: list[str] | tuple[str, ...], arrows: Arrows) -> list[Edge]:
    return [arrows[source][target] for source, target in zip(way, (*way[1:], way[0]), strict=True)]


def cut(edge: Edge, way: list[str], graph: ImportGraph, files: Mapping[str, File]) -> Cut:
    facts = files[edge.source].facts
    start = way.index(edge.source)
    item = next((imported for imported in facts.imports if imported.line == edge.line), None)
    local_names = {name.alias or name.name for name in item.names} if item else set()
    module = item.alias or item.target if item and not item.names else ""
    called = [
        call.target
        for call in facts.calls
        if call.target.partition(".")[0] in local_names or (module and call.target.startswith(module + "."))
    ]
    names = len(edge.names) or len(set(called)) or 1
    if "*" in edge.names:
        names = max(1, len(files[edge.target].facts.definitions))
    origins = {defining_file(name, files_behind(edge, name, graph), files) for name in edge.names}
    direct = origins and "" not in origins and edge.source not in origins
    instead = tuple(sorted(origins)) if direct else ()
    return Cut(edge, (*way[start:], *way[:start]), names, len(called), instead)


def defining_file(name: str, paths: list[str], files: Mapping[str, File]) -> str:
    """The first of the files that defines the name; empty if none does."""
    return next((path for path in paths if path in files and name in files[path].facts.definitions), "")


def largest_cycle_after(cut: Cut, arrows: Arrows) -> int:
    """The number of files in the largest import cycle that remains after the cut."""
    remaining = {path: dict(ends) for path, ends in arrows.items()}
    del remaining[cut.edge.source][cut.edge.target]
    remaining[cut.edge.source] |= {origin: cut.edge for origin in cut.instead if origin in arrows}
    return max(map(len, cycles_in(remaining)), default=0)


def is_acknowledged(file: File, edge: Edge) -> bool:
    """Whether a comment at or above the import mentions the import cycle."""
    line = edge.line + 1
    for comment in sorted(file.facts.comments, key=lambda comment: -comment.line):
        if comment.end in (line, line - 1) or (line > edge.line and comment.end == edge.line - 1):
            if ACKNOWLEDGED.search(comment.text):
                return True
            line = min(comment.line, edge.line)
    return False


def fix_of(cut: Cut, repo: Repo) -> str:
    """How to cut the edge, as far as this code allows it."""
    edge, importer = cut.edge, repo.files[cut.edge.source]
    names, plural = name_list(edge), len(edge.names) > 1
    it, they_are = ("them", "they are") if plural else ("it", "it is")
    if cut.instead:
        paths = quoted_names(cut.instead, MAX_NAMED)
        return f"Import {names} from {paths}, where {they_are} defined, instead of from `{edge.target}`."
    if edge.kind is EdgeKind.REEXPORT:
        return f"Remove the re-export of `{edge.target}`, and let its users import that file directly."
    ways = []
    if not holds_nothing_else(repo.files[edge.target], edge):
        moved = (
            names if edge.names and "*" not in edge.names else f"what this file needs from `{edge.target}`"
        )
        ways.append(f"move {moved} to a file that both can import")
    if importer.traits.late_imports and not is_used_on_load(repo, edge):
        ways.append(f"import {names if not ways else it} inside the function that needs {it}")
    following = cut.way[2] if len(cut.way) > 2 else edge.source
    ways = ways or [
        f"pass what `{edge.target}` needs from `{following}` as an argument instead of importing it"
    ]
    text = ", or ".join(ways)
    return f"{text[0].upper()}{text[1:]}."


def name_list(edge: Edge) -> str:
    """The imported names, at most three of them; the file if the import names none."""
    if not edge.names or "*" in edge.names:
        return f"`{edge.target}`"
    return quoted_names(edge.names, MAX_NAMED)


def holds_nothing_else(target: File, edge: Edge) -> bool:
    """Whether the imported names are all that a file defines: they have a file of their own already."""
    return bool(edge.names) and set(target.facts.definitions) <= set(edge.names)


def is_used_on_load(repo: Repo, edge: Edge) -> bool:
    """Whether an imported name may be used outside functions, in a signature or as a decorator."""
    facts = repo.files[edge.source].facts
    imported = [item for item in facts.imports if item.line == edge.line]
    names = {name.alias or name.name for item in imported for name in item.names}
    names |= {(item.alias or item.target).partition(".")[0] for item in imported if not item.names}
    names.discard("")
    if not names or "*" in names:
        return True  # which names it brings is not known
    lines = repo.read(edge.source).decode("utf-8", "replace").split("\n")
    elsewhere = lines_without_uses(facts, lines)
    word = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(names)))})\b")
    return any(word.search(line) for number, line in enumerate(lines, 1) if number not in elsewhere)


def lines_without_uses(facts: FileFacts, lines: list[str]) -> set[int]:
    """Lines that use no name when the file is loaded: bodies of functions, imports, comments."""
    numbers: set[int] = set()
    for function in facts.functions:
        own = range(function.start, function.end + 1)
        header = next((n for n in own if SIGNATURE_END.search(lines[n - 1])), function.end)
        numbers.update(range(header + 1, function.end + 1))
    for item in facts.imports:
        is_open = "(" in lines[item.line - 1]
        following = range(item.line, len(lines) + 1)
        end = next((n for n in following if ")" in lines[n - 1]), item.line) if is_open else item.line
        numbers.update(range(item.line, end + 1))
    for comment in facts.comments:
        if comment.own_line:
            numbers.update(range(comment.line, comment.end + 1))
    return numbers


def report(cut: Cut, arrows: Arrows, repo: Repo, options: Options) -> Finding:
    edge, size, left, files = cut.edge, len(arrows), largest_cycle_after(cut, arrows), repo.files
    severity = Severity.HIGH if size >= options.severe_files else Severity.MEDIUM
    notes: tuple[str, ...] = ()
    for step in edges(cut.way, arrows):
        if not notes and is_acknowledged(files[step.source], step):
            severity = Severity.MEDIUM if severity is Severity.HIGH else Severity.LOW
            notes = (f"a comment at the import in {step.source} mentions the import cycle: lowered one step",)
    way = " → ".join((*cut.way, edge.source))
    return Finding(
        Place(edge.source, edge.line, edge.line),
        severity,
        f"{size} files form an import cycle: {way}."
        if size == len(cut.way)
        else f"{size} files import each other, and the shortest import cycle among them is {way}.",
        (
            Signal("import_cycle", Category.SYNTAX, 80, "each step is an import statement that runs on load"),
            Signal(
                "import_cycle",
                Category.GRAPH,
                92 if size > 2 else 80,
                f"{size} files reach each other through resolved imports",
            ),
        ),
        evidence={
            "files": Measure(size, options.severe_files),
            "shortest_circle": Measure(cut.way),
            "names_imported": Measure(cut.names),
            "calls_through_them": Measure(cut.calls),
            "largest_circle_left": Measure(left),
        },
        related=tuple(
            Related(Place(step.source, step.line, step.line), f"imports {step.target}")
            for step in edges(cut.way, arrows)[1:]
        ),
        notes=notes,
        fix=fix_of(cut, repo) + (f" An import cycle of {left} files then remains." if left else ""),
    )


DETECTOR = Detector(
    id="import_cycle",
    title="Import cycle",
    category="dependencies",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.HIGH,
    effort=Effort.HOURS,
    detect=detect,
    needs=(IMPORT_GRAPH,),
    options=Options,
    examples=(
        Example(
            "two Python modules that import a name from each other",
            {
                "shop/__init__.py": "",
                "shop/cart.py": "from shop.price import price_of, round_up\n\ndef total(cart):\n    return sum(map(price_of, cart))\n",
                "shop/price.py": "from shop.cart import total\n\ndef price_of(item):\n    return item.price\n\ndef round_up(value):\n    return value\n",
            },
            finds=("shop/price.py:1",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "four TypeScript files that import each other",
            {
                "src/a.ts": "import { b } from './b';\nexport const a = () => b();\n",
                "src/b.ts": "import { c } from './c';\nexport const b = () => c();\n",
                "src/c.ts": "import { d } from './d';\nexport const c = () => d();\n",
                "src/d.ts": "import { a } from './a';\nexport const d = () => a();\n",
            },
            finds=("src/a.ts:1",),
            severity=Severity.HIGH,
        ),
        Example(
            "a submodule that imports a sibling's name from the package",
            {
                "pkg/__init__.py": "from .base import Base\nfrom .model import Model\n",
                "pkg/base.py": "class Base:\n    pass\n",
                "pkg/model.py": "from pkg import Base\n\nclass Model(Base):\n    pass\n",
            },
            finds=("pkg/model.py:1",),
        ),
        Example(
            "a barrel and a file that imports from it",
            {
                "src/index.ts": "export { stream } from './stream';\nexport { text } from './text';\n",
                "src/stream.ts": "export const stream = () => 1;\n",
                "src/text.ts": "import { stream } from './index';\nexport const text = () => stream();\n",
            },
            finds=("src/text.ts:1",),
        ),
        Example(
            "a comment at the import lowers the severity",
            {
                "a.py": "import b\n\ndef one():\n    return b.two()\n",
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
