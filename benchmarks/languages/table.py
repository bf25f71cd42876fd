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
    return f"{share if part == whole else min(share, 99.9):.1f}%"  # 100% means all of them


def _agreement(measurement: dict[str, Any]) -> str:
    counts = measurement.get("oracle_agreement", {})
    for part, whole in (("found", "truth"), ("same_file", "names_with_one_definition")):
        if isinstance(counts, dict) and part in counts and whole in counts:
            return f"{counts[part]:,} of {counts[whole]:,}"
    return "-"


def _dependents(measurement: dict[str, Any]) -> str:
    """Dependents of the five files together, ours and those counted by hand: direct, or all over sure edges, or all."""
    files = measurement["blast_radius"]
    ours = sum(file.get("direct") or file.get("sure") or file["all"] for file in files)
    return f"{ours:,}, {sum(file['checked'] for file in files):,}"


def table() -> str:
    """The table, in Markdown."""
    rows = [
        "| language | repository | files | without parse error | imports inside, resolved | an independent answer: found of its | dependents of five files, and by hand | findings read: worth it |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in measurements():
        findings = row.get("findings_read", {})
        rows.append(
            f"| {row['language']} | {row['repository']} | {row['files']:,} | {_share(row['parsed_without_error'], row['files'])} "
            f"| {_share(row['resolved'], row['internal_imports'])} of {row['internal_imports']:,} | {_agreement(row)} "
            f"| {_dependents(row)} | {findings.get('worth', '-')} of {findings.get('total', '-')} |"
        )
    return "\n".join(rows) + "\n"


def oracles() -> str:
    """A list of the tools that gave the independent answers."""
    return "".join(
        f"- **{row['language']}**: {row['oracle']}.\n" for row in measurements() if row.get("oracle")
    )


def page(text: str) -> str:
    """The page with its table replaced by the current one."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n{table()}\nThe independent answers:\n\n{oracles()}\n{END}{after}"


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
    else:
        print(table())
