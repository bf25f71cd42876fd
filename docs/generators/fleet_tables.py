"""The columns of a fleet's Parquet files, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.workflows.fleet.columns import TABLES, TABLES_VERSION


def fleet_tables() -> str:
    """A section for each table."""
    return "\n".join(_rows()) + "\n"


def _rows() -> Iterator[str]:
    yield f"Tables version {TABLES_VERSION}."
    for name, columns in TABLES.items():
        yield from ("", f"### {name}.parquet", "", "| column | type | what it holds |", "|---|---|---|")
        yield from (f"| `{column.name}` | {column.type} | {column.about} |" for column in columns)
    yield ""
