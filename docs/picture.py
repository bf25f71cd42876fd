"""The picture of a scan in the README: docs/images/scan.svg, from a real run on a sample repository.

python docs/picture.py            write it
python docs/picture.py --check    exit with 1 if it is not fresh
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402
from rich.text import Text  # noqa: E402

from tests.kit.sample_history import build  # noqa: E402

PICTURE = ROOT / "docs" / "images" / "scan.svg"
SAMPLE = "python_service"
COLUMNS = 120
MAX_ROWS = 44  # what a large terminal shows at once


def scan() -> str:
    """What `crimes scan` prints for the sample on a terminal with colours."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "COLUMNS": str(COLUMNS), "CRIMES_CACHE_DIR": f"{folder}/cache"}
        done = subprocess.run(
            [sys.executable, "-m", "crimes", "scan", "--color"],
            cwd=build(SAMPLE, Path(folder)),
            env=environment,
            capture_output=True,
            check=True,
        )
    return done.stdout.decode("utf-8")


def svg(output: str) -> str:
    """The first rows of coloured output as a picture. Its ids are fixed, so the same output gives the same bytes."""
    console = Console(
        record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="standard"
    )
    console.print(Text("$ crimes scan", "bold"))
    for row in output.splitlines()[:MAX_ROWS]:
        console.print(Text.from_ansi(row), soft_wrap=True)
    return console.export_svg(title="crimes", unique_id="crimes-scan")


def main(arguments: list[str]) -> int:
    """Write the picture, or compare it with what a run gives now."""
    text = svg(scan())
    if arguments == ["--check"]:
        fresh = PICTURE.is_file() and PICTURE.read_text(encoding="utf-8") == text
        if not fresh:
            print("docs/images/scan.svg is not fresh: run python docs/picture.py")
        return 0 if fresh else 1
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
