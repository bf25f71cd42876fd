"""How often real changes are called broken or stopped: python benchmarks/change/quiet.py CHECKOUT… [--last 40] [--broken-only]
[--write FILE]

Each checkout is cloned to a temporary folder, and `crimes replay` runs over its last merged changes with the default gate. What it
stopped is listed: whether that is right has to be read, and is stated in `judged.json` by repository and commit.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

JUDGED = Path(__file__).parent / "judged.json"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--last", type=int, default=40)
    parser.add_argument(
        "--broken-only", action="store_true", help="no commit is scanned: what is broken alone"
    )
    parser.add_argument("--write", type=Path, help="a JSON file that the stopped changes are added to")
    options = parser.parse_args()
    rows = json.loads(options.write.read_text("utf-8")) if options.write and options.write.exists() else []
    for checkout in options.checkouts:
        rows = [row for row in rows if row["repository"] != checkout.name]
        rows.append(run(checkout, options.last, ("--broken-only",) if options.broken_only else ()))
        if options.write:
            options.write.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    _report(rows)


def run(checkout: Path, last: int, more: tuple[str, ...] = ()) -> dict[str, Any]:
    """What a replay of one repository stopped."""
    with tempfile.TemporaryDirectory(prefix="replay-") as folder:
        root = Path(folder) / checkout.name
        subprocess.run(["git", "clone", "-q", "--shared", checkout, root], check=True)
        command = [
            sys.executable,
            "-m",
            "crimes",
            "replay",
            "--last",
            str(last),
            "--root",
            str(root),
            "--format",
            "json",
            *more,
        ]
        begun = time.monotonic()
        done = subprocess.run([*command, "--quiet"], check=True, capture_output=True)
        replay = json.loads(done.stdout)
        seconds = round(time.monotonic() - begun)
    stopped = [change for change in replay["changes"] if change["outcome"] == "stopped"]
    print(f"{checkout.name}: {replay['summary']} in {seconds} s", file=sys.stderr)
    return {
        "repository": checkout.name,
        "seconds": seconds,
        **replay["summary"],
        "list": [_short(change) for change in stopped],
    }


def _short(change: dict[str, Any]) -> dict[str, Any]:
    return {
        "commit": change["commit"],
        "subject": change["subject"],
        "broken": [
            {
                "fact": item["fact"],
                "places": [f"{spot['file']}:{spot['line']}" for spot in item["places"][:3]],
            }
            for item in change["broken"]
        ],
        "new": [
            f"{crime['severity']} {crime['type']} {crime['file']}:{crime['lines']['start']}"
            for crime in change["new"]
        ],
        "followed": [
            f"{commit['kind']} {commit['subject']}"
            for commit in change["followed_by"]
            if commit["same_lines"]
        ],
    }


def _report(rows: list[dict[str, Any]]) -> None:
    judged = json.loads(JUDGED.read_text("utf-8")) if JUDGED.exists() else {}
    right, unread = 0, []
    for row in rows:
        for change in row["list"]:
            verdict = judged.get(f"{row['repository']} {change['commit'][:12]}", "")
            right += verdict.startswith("right")
            if not verdict:
                unread.append(f"{row['repository']} {change['commit'][:12]}")
    totals = {
        key: sum(row[key] for row in rows)
        for key in ("changes", "stopped", "broken", "followed", "not_judged")
    }
    print(
        f"{len(rows)} repositories: {totals}; {right} of the stopped ones read and right, {len(unread)} not read"
    )
    for key in unread:
        print(f"  not read: {key}")


if __name__ == "__main__":
    main()
