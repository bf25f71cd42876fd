"""The table of docs/languages.md from the measurements beside this file: python benchmarks/languages/table.py

`--write` puts it into the page.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
PAGE = FOLDER.parents[1] / "docs" / "languages.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"


def measurements() -> list[dict[str, Any]]:
    """Every measurement, by language."""
    return [json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))]


def _share(part: int, whole: int) -> str:
    if not whole:
        return "-"
    share = 100 * part / whole
    return f"{share if part == whole else min(share, 99.9):.1f} %"  # 100 is for all of them


def _agreement(found: dict[str, Any]) -> str:
    said = found.get("oracle_agreement", {})
    for part, whole in (("found", "truth"), ("same_file", "names_with_one_definition")):
        if isinstance(said, dict) and part in said and whole in said:
            return f"{said[part]:,} of {said[whole]:,}"
    return "-"


def _dependents(found: dict[str, Any]) -> str:
    """Of five well-known files together: direct dependents, or all over sure edges, or all; and as many by hand."""
    ours = sum(one.get("direct") or one.get("sure") or one["all"] for one in found["blast_radius"])
    return f"{ours:,}, {sum(one['checked'] for one in found['blast_radius']):,}"


def table() -> str:
    """The table, in Markdown."""
    rows = [
        "| language | repository | files | without parse error | imports inside, resolved | an independent answer: found of its | dependents of five files, and by hand | findings read: worth it |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for one in measurements():
        read = one.get("findings_read", {})
        rows.append(
            f"| {one['language']} | {one['repository']} | {one['files']:,} | {_share(one['parsed_without_error'], one['files'])} "
            f"| {_share(one['resolved'], one['internal_imports'])} of {one['internal_imports']:,} | {_agreement(one)} "
            f"| {_dependents(one)} | {read.get('worth', '-')} of {read.get('total', '-')} |"
        )
    return "\n".join(rows) + "\n"


def oracles() -> str:
    """What each independent answer is."""
    return "".join(
        f"- **{one['language']}**: {one['oracle']}.\n" for one in measurements() if one.get("oracle")
    )


def page(text: str) -> str:
    """The page with the present table in it."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n{table()}\nThe independent answers:\n\n{oracles()}\n{END}{after}"


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
    else:
        print(table())
