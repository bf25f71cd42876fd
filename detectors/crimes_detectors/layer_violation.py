"""A file imports from a layer that its own layer may not import, as `[layers]` in the configuration states it.

## Why it matters

An import against the layers ties parts together that are meant to be read, tested and changed separately. The next edit copies it.

## What to do

Pass in what is needed instead of importing it (an argument, a callback, an interface of the lower layer), or move the code to its layer.
If the import is right, the layers are not: change them.

## Before

```python
# crimes.toml: order = ["api", "orders", "storage"]

# shop/storage/save.py
from shop.api.session import current_user

def save(order):
    order.changed_by = current_user().name
    write(order)
```

## After

```python
# shop/storage/save.py
def save(order, changed_by):
    order.changed_by = changed_by
    write(order)

# shop/api/checkout.py
def checkout(order):
    save(order, changed_by=current_user().name)
```

## What it does not report

- Everything, as long as there is no `[layers]`: see [how to state them](../layers.md).
- Imports of types alone: they are erased, and tie no code together when it runs.
- Files of no layer, and tests, examples, scripts, generated and vendored files.
- A comment at the import that mentions the layers, or calls it an exception, lowers the severity one step.
"""

from __future__ import annotations

from collections.abc import Iterator

from crimes.api import (
    ANY,
    IMPORT_GRAPH,
    LAYERS,
    Category,
    Detector,
    Edge,
    EdgeKind,
    Effort,
    Example,
    File,
    Finding,
    LayerMap,
    Measure,
    Pass,
    Place,
    Related,
    Role,
    Severity,
    Signal,
    count,
    quoted_names,
    regex,
)

STATED = regex(r"(?i)\blayers?\b|\bexception\b|on purpose|deliberate|circular|import cycle")
LOWER = {Severity.HIGH: Severity.MEDIUM, Severity.MEDIUM: Severity.LOW}
MAX_NAMED = 3


def detect(scan: Pass) -> Iterator[Finding]:
    layers, files = scan[LAYERS], scan.repo.files
    if not layers.of:
        return
    cycle_of = {path: n for n, cycle in enumerate(scan[IMPORT_GRAPH].cycles) for path in cycle}
    by_file_and_layer: dict[tuple[str, str], list[Edge]] = {}
    for edge in scan.repo.edges:
        importer, imported = layers.of.get(edge.source, ""), layers.of.get(edge.target, "")
        counts = (
            not edge.via and edge.kind is not EdgeKind.TYPE_ONLY and files[edge.source].role is Role.SOURCE
        )
        if counts and importer and imported and layers.objection(importer, imported):
            by_file_and_layer.setdefault((edge.source, imported), []).append(edge)
    for (path, imported), edges in sorted(by_file_and_layer.items()):
        in_cycle = any(cycle_of.get(path, -1) == cycle_of.get(edge.target, -2) for edge in edges)
        yield report(files[path], imported, sorted(edges, key=lambda edge: edge.line), layers, in_cycle)


def report(file: File, imported: str, edges: list[Edge], layers: LayerMap, in_cycle: bool) -> Finding:
    first = edges[0]
    importer = layers.of[file.path]
    objection = layers.objection(importer, imported)
    severity = Severity.HIGH if in_cycle else Severity.MEDIUM
    notes: tuple[str, ...] = ()
    if any(is_stated(file, edge.line) for edge in edges):
        severity, notes = LOWER[severity], ("a comment states the reason: lowered one step",)
    targets = list(dict.fromkeys(edge.target for edge in edges))
    named = quoted_names(targets, MAX_NAMED)
    closes = ", which imports it back" if in_cycle else ""
    return Finding(
        Place(file.path, first.line, first.line),
        severity,
        f"This file of layer {importer} imports {named} of layer {imported}{closes}, against the stated layers: "
        f"{objection.rstrip('.')}.",
        signals=(
            Signal(
                "import",
                Category.SYNTAX,
                85,
                f"{count(len(edges), 'import')} of {imported} in a file of {importer}",
            ),
            Signal("layers", Category.GRAPH, 90, f"the configuration says: {objection}"),
        ),
        evidence={
            "layer": Measure(importer),
            "imported_layer": Measure(imported),
            "imports": Measure(tuple(targets)),
        },
        related=tuple(
            Related(Place(target, 1, 1), f"is in layer {imported}") for target in targets[:MAX_NAMED]
        ),
        discriminator=imported,
        notes=notes,
    )


def is_stated(file: File, line: int) -> bool:
    """Whether a comment at or above an import mentions the layers."""
    near = (comment for comment in file.facts.comments if comment.line - 1 <= line <= comment.end + 1)
    return any(STATED.search(comment.text) for comment in near)


SETTINGS = """\
[layers]
order = ["api", "orders | prices", "storage"]

[layers.files]
api = ["shop/api/"]
orders = ["shop/orders/"]
prices = ["shop/prices*"]
storage = ["shop/storage/"]

[[layers.forbidden]]
from = "api"
to = "storage"
reason = "the API asks orders"
"""

DETECTOR = Detector(
    id="layer_violation",
    title="Layer violation",
    category="dependencies",
    doc=__doc__ or "",
    languages=ANY,
    max_severity=Severity.HIGH,
    effort=Effort.HOURS,
    detect=lambda scan, options: detect(scan),
    needs=(LAYERS, IMPORT_GRAPH),
    examples=(
        Example(
            "imports upwards, sideways, and against a rule",
            {
                "crimes.toml": SETTINGS,
                "shop/api/views.py": "from shop.storage import rows\n",
                "shop/orders/total.py": "import os\nfrom shop import prices\n",
                "shop/prices.py": "RATE = 1\n",
                "shop/storage/rows.py": "def load():\n    from shop.orders import total\n    return total\n",
            },
            finds=("shop/api/views.py:1", "shop/orders/total.py:2", "shop/storage/rows.py:2"),
            severity=Severity.MEDIUM,
        ),
        Example(
            "TypeScript, and an import that closes an import cycle",
            {
                "crimes.toml": SETTINGS,
                "shop/api/routes.ts": 'import { total } from "../orders/total";\nexport const routes = [total];\n',
                "shop/orders/total.ts": 'import { routes } from "../api/routes";\nexport const total = () => routes.length;\n',
            },
            finds=("shop/orders/total.ts:1",),
            severity=Severity.HIGH,
        ),
        Example(
            "a stated reason lowers the severity",
            {
                "crimes.toml": SETTINGS,
                "shop/orders/total.py": "# An exception from the layers: see the decision on rounding.\nfrom shop import prices\n",
                "shop/prices.py": "RATE = 1\n",
            },
            finds=("shop/orders/total.py:2",),
            severity=Severity.LOW,
        ),
        Example(
            "silent on imports downwards, inside a layer, on types, on tests and on files of no layer",
            {
                "crimes.toml": SETTINGS,
                "shop/api/views.py": "from shop.orders import total\n",
                "shop/orders/total.py": "from shop.orders import lines\nfrom shop.storage import rows\n",
                "shop/orders/lines.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from shop.api import views\n",
                "shop/storage/rows.py": "from shop import settings\n",
                "shop/storage/test_rows.py": "from shop.api import views\n",
                "shop/settings.py": "from shop.api import views\n",
            },
        ),
        Example("silent without layers", {"a/x.py": "import b.y\n", "b/y.py": "import a.x\n"}),
    ),
)
