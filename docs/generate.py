"""Writes the generated pages of docs/: detectors, commands, configuration with its JSON Schema, the table in docs/formats.md and those on
calibration in docs/precision.md; and what is measured on labels: crimes/workflows/precision.json, crimes/judging/signal_values.json.

python docs/generate.py            write the pages
python docs/generate.py --check    write nothing; exit 1 and list the pages that are stale
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.precision.calibration import report
from benchmarks.precision.signal_fit import Sample, load_samples
from crimes.cli.app import app_for
from crimes.detection.detector import Detector
from crimes.detection.registry import builtin
from crimes.render.formats import FORMATS
from crimes.workflows.setup.settings import SCHEMA_ADDRESS
from docs.generators.commands import commands_page
from docs.generators.configuration import configuration_schema, configuration_schema_text
from docs.generators.configuration_page import configuration_page
from docs.generators.detectors import detector_pages
from docs.generators.fleet_tables import fleet_tables
from docs.generators.precision import precision_table, signal_values_table

FOLDER = Path(__file__).parent
FORMATS_PAGE = "formats.md"
PRECISION_PAGE = "precision.md"
FLEET_PAGE = "fleet.md"
FLEET_TABLES = re.compile(r"(?<=<!-- tables -->\n).*?(?=<!-- end of tables -->)", re.DOTALL)
PRECISION_TABLE = Path("..", "crimes", "workflows", "precision.json").as_posix()
SIGNAL_VALUES = Path("..", "crimes", "judging", "signal_values.json").as_posix()
CALIBRATION = re.compile(r"(?<=<!-- calibration -->\n).*?(?=<!-- end of calibration -->)", re.DOTALL)
TABLE = re.compile(r"^\| format \|.*?\n(?=\n)", re.DOTALL | re.MULTILINE)


def pages(detectors: Mapping[str, Detector]) -> dict[str, str]:
    """Every generated file by its path below docs/."""
    samples = load_samples(detectors)
    return {
        **detector_pages(detectors),
        "commands.md": commands_page(app_for(())),
        "configuration.md": configuration_page(configuration_schema(detectors, SCHEMA_ADDRESS)),
        "crimes.schema.json": configuration_schema_text(detectors, SCHEMA_ADDRESS),
        FORMATS_PAGE: formats_page(),
        PRECISION_PAGE: precision_page(samples),
        FLEET_PAGE: fleet_page(),
        PRECISION_TABLE: precision_table(detectors),
        SIGNAL_VALUES: signal_values_table(samples),
    }


def formats_page() -> str:
    """The page on formats with a table of those there are; all else on it is written by hand."""
    rows = ["| format | for | what is particular |", "|---|---|---|"]
    rows += [f"| `{format_.name}` | {format_.readers} | {format_.about} |" for format_ in FORMATS]
    written = (FOLDER / FORMATS_PAGE).read_text(encoding="utf-8")
    return TABLE.sub(lambda _: "\n".join(rows) + "\n", written, count=1)


def precision_page(samples: tuple[Sample, ...]) -> str:
    """The page on precision with the tables on calibration; all else on it is written by hand."""
    written = (FOLDER / PRECISION_PAGE).read_text(encoding="utf-8")
    return CALIBRATION.sub(lambda _: f"\n{report(samples)}\n", written, count=1)


def fleet_page() -> str:
    """The page on fleets with the columns of its tables; all else on it is written by hand."""
    written = (FOLDER / FLEET_PAGE).read_text(encoding="utf-8")
    return FLEET_TABLES.sub(lambda _: fleet_tables(), written, count=1)


def stale(folder: Path, wanted: Mapping[str, str]) -> list[str]:
    """Names of pages that are missing, differ, or belong to no detector."""
    names = {*wanted, *(f"detectors/{file.name}" for file in folder.glob("detectors/*.md"))}
    present = {
        name: (folder / name).read_text(encoding="utf-8") for name in names if (folder / name).is_file()
    }
    return sorted(name for name in present.keys() | wanted.keys() if present.get(name) != wanted.get(name))


def main(arguments: list[str]) -> int:
    """Write the pages, or list those that are stale and return 1."""
    wanted = pages(builtin())
    names = stale(FOLDER, wanted)
    if "--check" in arguments:
        for name in names:
            print(f"stale: docs/{name}; run `make docs`")
        return 1 if names else 0
    (FOLDER / "detectors").mkdir(exist_ok=True)
    for name in names:
        if name in wanted:
            (FOLDER / name).write_text(wanted[name], encoding="utf-8")
        else:
            (FOLDER / name).unlink()
        print(f"docs/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
