"""How many generated breaks the comparison catches: python benchmarks/change/caught.py CHECKOUT… [--seed 19] [--kind KIND]
[--write FILE]

Each checkout is cloned to a temporary folder and broken there 40 times, one break at a time. What is broken, and where it is
used, is found by plain text (plain_text.py), not by the graph that is tested. A break is caught if a broken reference or a changed
signature has the edited file as its cause and names a place in another file: the users themselves, or what passes the name on
to them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.change.breaks import KINDS, SIGNATURE, Break, draw
from benchmarks.change.plain_text import PlainText
from crimes.model.change import ChangeItem
from crimes.system.git_diff import difference
from crimes.workflows.change_items import items_of_change
from crimes.workflows.session import Session

BREAKS_PER_REPOSITORY = 40
_KINDS = ("broken_reference", "changed_signature")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--kind", choices=KINDS, help="breaks of one kind only")
    parser.add_argument("--write", type=Path, help="a JSON file that the rows are added to")
    options = parser.parse_args()
    rows = json.loads(options.write.read_text("utf-8")) if options.write and options.write.exists() else []
    for checkout in options.checkouts:
        rows = [row for row in rows if row["repository"] != checkout.name]
        rows += run(checkout, options.seed, (options.kind,) if options.kind else KINDS)
        if options.write:
            options.write.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    print(table(rows))


def run(checkout: Path, seed: int, kinds: Sequence[str]) -> list[dict[str, object]]:
    """What became of the breaks of one repository."""
    with tempfile.TemporaryDirectory(prefix="breaks-") as folder:
        root = Path(folder) / checkout.name
        subprocess.run(["git", "clone", "-q", "--shared", checkout, root], check=True)
        begun = time.monotonic()
        breaks = draw(PlainText(root), BREAKS_PER_REPOSITORY, seed, kinds)
        print(
            f"{checkout.name}: {len(breaks)} breaks drawn in {time.monotonic() - begun:.0f} s",
            file=sys.stderr,
        )
        rows = []
        for made in breaks:
            begun = time.monotonic()
            with applied(root, made):
                row = row_of(checkout.name, made, items_in(root))
            rows.append(row)
            word = "caught" if row["caught"] else "MISSED"
            print(
                f"  {word} {made.kind}: {made.path} {made.name} ({time.monotonic() - begun:.1f} s)",
                file=sys.stderr,
            )
        return rows


@contextmanager
def applied(root: Path, made: Break) -> Iterator[None]:
    """The work tree with a break in it; restored afterwards."""
    for path, content in made.edits.items():
        file = root / path
        if content is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode("utf-8", "surrogateescape"))
    try:
        yield
    finally:
        subprocess.run(["git", "-C", root, "reset", "-q", "--hard"], check=True)
        subprocess.run(["git", "-C", root, "clean", "-qfd"], check=True)


def items_in(root: Path) -> list[ChangeItem]:
    """What the comparison of the work tree with HEAD calls broken."""
    session = Session(root)
    changes = difference(root, "HEAD", lines=False).changes.values()
    with session.change_states(session.config(), "HEAD", "", changes) as states:
        return [item for item in items_of_change(root, states) if item.kind in _KINDS]


def row_of(repository: str, made: Break, items: list[ChangeItem]) -> dict[str, object]:
    causes = [item for item in items if item.file in made.edits]
    named = {place.file for item in causes for place in item.places} - made.edits.keys()
    return {
        "repository": repository,
        "language": made.language,
        "kind": made.kind,
        "path": made.path,
        "name": made.name,
        "users": sorted(made.users)[:5],
        "caught": bool(named),
        "files_named": len(named & made.users),
        "files_using": len(made.users),
    }


def table(rows: list[dict[str, object]]) -> str:
    """Caught of all, by language and kind."""
    return "\n".join(_table_lines(rows))


def _table_lines(rows: list[dict[str, object]]) -> Iterator[str]:
    everything, caught = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for row in rows:
        group = "signature" if row["kind"] == SIGNATURE else "deleted, renamed, moved, not exported"
        for key in (
            (row["language"], row["kind"]),
            (row["language"], group),
            ("all", row["kind"]),
            ("all", group),
        ):
            everything[str(key[0]), str(key[1])] += 1
            caught[str(key[0]), str(key[1])] += bool(row["caught"])
    for language, kind in sorted(everything):
        of, hits = everything[language, kind], caught[language, kind]
        yield f"{language:<12} {kind:<38} {hits:>4} of {of:>4}  {100 * hits / of:5.1f} %"


if __name__ == "__main__":
    main()
