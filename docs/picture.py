"""The pictures in the README, from real runs on a sample repository: docs/images/scan.svg and docs/images/map.svg.

python docs/picture.py            write them
python docs/picture.py --check    exit with 1 if one is not fresh
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402
from rich.text import Text  # noqa: E402

from crimes.config.schema import Config  # noqa: E402
from crimes.engine.scan import scan as scan_folder  # noqa: E402
from crimes.render.html.elements import Html, join, tag  # noqa: E402
from crimes.render.html.map_data import MapModel, build_model  # noqa: E402
from crimes.render.html.pictures import treemap  # noqa: E402
from crimes.render.html.shell import asset  # noqa: E402
from crimes.workflows.briefing.build import BriefingBuilder  # noqa: E402
from crimes.workflows.repository_map import map_of  # noqa: E402
from tests.kit.sample_history import build  # noqa: E402

IMAGES = ROOT / "docs" / "images"
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


MAP_WIDTH, MAP_HEIGHT, MARGIN = 1200, 560, 24
_NAMES = "font: 12px system-ui, sans-serif"


def map_svg() -> str:
    """The map of the sample as the page draws it, with its title and the meaning of the colours."""
    with tempfile.TemporaryDirectory() as folder:
        result = scan_folder(build(SAMPLE, Path(folder)), Config())
        builder = BriefingBuilder(result)
        briefings = [builder.brief(path) for path in sorted(result.context.repo.files)]
        model = build_model(result.report, map_of(briefings, result.report))
    width, height = MAP_WIDTH + 2 * MARGIN, MAP_HEIGHT + 118
    parts = (
        tag("style", Html(_style())),
        tag("rect", class_="ground", width=width, height=height, rx=8),
        tag("text", SAMPLE, class_="title", x=MARGIN, y=38),
        tag("text", "crimes map: area is lines of code, colour is edit risk", class_="note", x=MARGIN, y=58),
        tag(
            "svg",
            treemap(model, width=MAP_WIDTH, height=MAP_HEIGHT),
            x=MARGIN,
            y=72,
            width=MAP_WIDTH,
            height=MAP_HEIGHT,
        ),
        _legend(model, MAP_HEIGHT + 90),
    )
    label = f"Treemap of {len(model.files)} files by edit risk"
    return (
        tag(
            "svg",
            *parts,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width} {height}",
            role="img",
            aria_label=label,
        )
        + "\n"
    )


def _style() -> str:
    """The colours of the page in light, for the classes of the picture."""
    steps = re.findall(r"--step-(\d): light-dark\((#\w{6})", asset("base.css"))
    rules = [f".step-{step} {{ fill: {colour} }}" for step, colour in steps]
    rules += [f".on-step-{step} {{ fill: #ffffff }}" for step in range(4, 8)]
    return " ".join(
        (
            f"text {{ {_NAMES} }} .title {{ font-size: 20px; font-weight: 650 }} .note {{ fill: #59636e; font-size: 13px }}",
            ".ground { fill: #f6f7f9 } .folder { fill: #ffffff; stroke: #d9dee4 } .folder-name { fill: #59636e; font-weight: 600 }",
            ".file { stroke: #ffffff; stroke-width: 0.6 } .file-name { fill: #1b1f24 } .none { fill: #dfe3e8 }",
            *rules,
        )
    )


def _legend(model: MapModel, y: int) -> Html:
    limits = model.limits[model.colouring]
    swatches = [
        tag("rect", class_=f"step-{step}", x=MARGIN + 84 + 26 * step, y=y - 10, width=24, height=12)
        for step in range(8)
    ]
    low = tag("text", f"under {limits[0]:.1f}", class_="note", x=MARGIN, y=y)
    high = tag(
        "text",
        f"{limits[-1]:.1f} or more: likely to need a fix soon",
        class_="note",
        x=MARGIN + 84 + 26 * 8 + 10,
        y=y,
    )
    return join((low, *swatches, high))


def main(arguments: list[str]) -> int:
    """Write the pictures, or compare them with what runs give now."""
    stale = []
    for name, text in (("scan.svg", svg(scan())), ("map.svg", map_svg())):
        picture = IMAGES / name
        if arguments != ["--check"]:
            IMAGES.mkdir(exist_ok=True)
            picture.write_text(text, encoding="utf-8")
        elif not picture.is_file() or picture.read_text(encoding="utf-8") != text:
            stale.append(name)
            print(f"docs/images/{name} is not fresh: run python docs/picture.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
