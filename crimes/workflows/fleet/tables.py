"""Parquet files of a run: rows in, the same bytes for the same rows out, and rows back. The only module that knows Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from crimes.model.errors import EnvironmentFault
from crimes.workflows.fleet.columns import TABLES, TABLES_VERSION, Column

_ROWS_PER_GROUP = 20_000  # held in memory at a time; fixed, for it decides the bytes of the file
_COMPRESSION, _COMPRESSION_LEVEL = "zstd", 3
_TYPES = {
    "text": pa.string(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "truth": pa.bool_(),
    "list of text": pa.list_(pa.string()),
    "map of text": pa.map_(pa.string(), pa.string()),
}

Row = Sequence[Any]  # the values of a row, in the order of the columns


def schema_of(table: str) -> pa.Schema:
    """The Arrow schema of a table, with its version."""
    fields = [pa.field(column.name, _TYPES[column.type]) for column in TABLES[table]]
    return pa.schema(fields, {"crimes.table": table, "crimes.tables_version": TABLES_VERSION})


class TableWriter:
    """Writes a table row by row. Rows have to come sorted."""

    def __init__(self, folder: Path, table: str) -> None:
        self._columns: tuple[Column, ...] = TABLES[table]
        self._schema = schema_of(table)
        self._rows: list[Row] = []
        self._writer = pq.ParquetWriter(
            folder / f"{table}.parquet",
            self._schema,
            compression=_COMPRESSION,
            compression_level=_COMPRESSION_LEVEL,
            version="2.6",
            data_page_version="1.0",
            store_schema=True,
        )

    def add(self, rows: Iterable[Row]) -> None:
        """Add rows; full groups are written at once."""
        for row in rows:
            self._rows.append(row)
            if len(self._rows) == _ROWS_PER_GROUP:
                self._flush()

    def _flush(self) -> None:
        columns = zip(*self._rows, strict=True) if self._rows else ((),) * len(self._columns)
        arrays = [
            pa.array(list(values), type=field.type)
            for values, field in zip(columns, self._schema, strict=True)
        ]
        self._writer.write_table(
            pa.Table.from_arrays(arrays, schema=self._schema), row_group_size=_ROWS_PER_GROUP
        )
        self._rows = []

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self._rows:
            self._flush()
        self._writer.close()


def read_rows(
    folder: Path, table: str, columns: Sequence[str], where: Mapping[str, Sequence[str]] | None = None
) -> Iterator[tuple[Any, ...]]:
    """The rows of a table of a run, of these columns, group by group; `where` keeps rows with one of some values.

    EnvironmentFault when the file cannot be read, or is of another major version.
    """
    path = folder / f"{table}.parquet"
    try:
        with pq.ParquetFile(path) as file:
            _check_version(path, file.schema_arrow)
            wanted = [*dict.fromkeys((*columns, *(where or ())))]
            for batch in file.iter_batches(batch_size=_ROWS_PER_GROUP, columns=wanted):
                rows = pa.Table.from_batches([batch])
                for name, values in (where or {}).items():
                    rows = rows.filter(pc.is_in(rows[name], pa.array(values, pa.string())))
                yield from zip(*(rows[name].to_pylist() for name in columns), strict=True)
    except (OSError, pa.ArrowException, KeyError) as error:
        raise EnvironmentFault(f"{path.name} of {folder.name} cannot be read: {str(error)[:200]}") from error


def _check_version(path: Path, schema: pa.Schema) -> None:
    version = (schema.metadata or {}).get(b"crimes.tables_version", b"none").decode("ascii", "replace")
    if version.split(".")[0] != TABLES_VERSION.split(".")[0]:
        raise EnvironmentFault(
            f"{path.name} has tables version {version}, but this crimes reads {TABLES_VERSION}"
        )
