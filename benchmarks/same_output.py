"""Compares what two versions of `crimes` print: `python benchmarks/same_output.py record PYTHON FOLDER REPO…`, once with the
Python of each version's environment, then `python benchmarks/same_output.py compare FOLDER FOLDER`.

For a change that must not change behaviour. `record` clones each repository to the same place, asks every command for every
format on a cold cache, on a warm one and after an edit, and keeps output, errors and exit code. `compare` prints a unified
diff of whatever differs and exits with 1 if anything does.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MAX_FILES_BRIEFED = 4
MAX_FINDINGS_EXPLAINED = 4
MAX_DIFF_LINES_SHOWN = 40
WORK = Path(tempfile.gettempdir()) / "crimes-same-output"
COMMANDS = [
    "scan",
    "init",
    "report",
    "diff",
    "verdict",
    "ignore",
    "triage",
    "hotspots",
    "trend",
    "explain",
    "context",
    "plan",
    "check",
    "hook",
    "mcp",
    "claims",
    "review",
    "trust",
    "feedback",
    "calibration",
    "detectors",
    "baseline",
    "cache",
]
# Numbers of the run, not of the repository: they differ between two runs of one version.
VOLATILE = re.compile(
    r"\b\d+(?:\.\d+)? ?(?:ms|s|MB|kB|bytes)\b|\b\d+ (?:second|minute)s? ago|\bcrimes-same-output/cache/\S+"
)


class Recorder:
    """Runs one version's command in a clone, and keeps what it prints under a name."""

    def __init__(self, python: str, folder: Path, clone: Path) -> None:
        self.python, self.folder, self.clone = python, folder, clone
        self.folder.mkdir(parents=True)

    def run(self, name: str, *arguments: str, stdin: str = "") -> str:
        environment = {
            **os.environ,
            "CRIMES_CACHE_DIR": str(WORK / "cache"),
            "HOME": str(WORK / "home"),
            "COLUMNS": "100",
            "PYTHONHASHSEED": "random",
        }
        done = subprocess.run(
            [self.python, "-m", "crimes", *arguments],
            cwd=self.clone,
            env=environment,
            input=stdin.encode(),
            capture_output=True,
        )
        text = f"$ crimes {' '.join(arguments)}\nexit {done.returncode}\n"
        for title, stream in (("stdout", done.stdout), ("stderr", done.stderr)):
            text += f"--- {title}\n{stream.decode(errors='replace')}\n"
        (self.folder / f"{name}.txt").write_text(text)
        return done.stdout.decode(errors="replace")


def record(python: str, folder: Path, repositories: list[Path]) -> None:
    """Everything the version behind `python` prints about `repositories`, in `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    recorder = _fresh(python, folder / "help", None)
    recorder.run("crimes", "--help")
    for command in COMMANDS:
        recorder.run(command, command, "--help")
    for repository in repositories:
        print(repository.name, flush=True)
        recorder = _fresh(python, folder / repository.name, repository)
        report = json.loads(recorder.run("cold-scan-json", "scan", "--format", "json"))
        _ask_everything(recorder, report, "warm")
        _edit(recorder.clone, report)
        recorder.run("edited-check-json-first", "check", "--format", "json")
        report = json.loads(recorder.run("edited-scan-json-first", "scan", "--format", "json"))
        _ask_everything(recorder, report, "edited")
        recorder.run("edited-scan-uncached", "scan", "--format", "json", "--no-cache")


def _fresh(python: str, folder: Path, repository: Path | None) -> Recorder:
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "home").mkdir(parents=True)
    clone = WORK / (repository.name if repository else "empty")
    if repository:
        subprocess.run(["git", "clone", "-q", str(repository), str(clone)], check=True)
    else:
        clone.mkdir()
    return Recorder(python, folder, clone)


def _ask_everything(recorder: Recorder, report: dict[str, object], when: str) -> None:
    findings, paths = report["findings"], _busiest_files(report)
    assert isinstance(findings, list)
    run = recorder.run
    for format_ in [
        "human",
        "json",
        "jsonl",
        "sarif",
        "github",
        "gitlab",
        "junit",
        "checkstyle",
        "rdjson",
        "markdown",
    ]:
        run(f"{when}-scan-{format_}", "scan", "--format", format_)
    run(f"{when}-scan-all", "scan", "--all", "--verbose")
    run(f"{when}-scan-gate", "scan", "--quiet", "--fail-on", "medium", "--require-trusted")
    run(f"{when}-scan-changed", "scan", "--changed", "--base", "HEAD~3", "--format", "json")
    run(f"{when}-why-not", "scan", "--why-not", paths[0])
    for format_ in ("human", "json"):
        run(f"{when}-diff-{format_}", "diff", "HEAD~3...HEAD", "--format", format_)
        run(f"{when}-diff-base-{format_}", "diff", "--base", "HEAD~2", "--format", format_, "--fail-on-new")
        run(f"{when}-verdict-{format_}", "verdict", "--base", "HEAD~2", "--format", format_)
        run(f"{when}-hotspots-{format_}", "hotspots", "--format", format_)
        run(f"{when}-trust-{format_}", "trust", "--format", format_)
        run(f"{when}-review-{format_}", "review", "--own", "--base", "HEAD~3", "--format", format_)
        run(f"{when}-claims-{format_}", "claims", "README.md", "--format", format_)
    for format_ in ("human", "json", "md"):
        run(f"{when}-check-{format_}", "check", "--format", format_)
        run(f"{when}-plan-{format_}", "plan", *paths[:3], "--format", format_)
        for number, path in enumerate(paths):
            run(f"{when}-context-{number}-{format_}", "context", path, "--format", format_)
    for number, finding in enumerate(findings[:MAX_FINDINGS_EXPLAINED]):
        run(f"{when}-explain-{number}", "explain", finding["id"])
    for path in paths[:2]:
        call = {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": {"file_path": path}}
        asked = json.dumps({**call, "cwd": str(recorder.clone), "session_id": f"{when}-{path}"})
        run(f"{when}-hook-{path.replace('/', '-')}", "hook", "--threshold", "0", stdin=asked)
    run(f"{when}-detectors", "detectors")
    run(f"{when}-trend", "trend")
    run(f"{when}-unknown-file", "context", "no/such/file.py")
    run(f"{when}-unknown-option", "scan", "--formt", "json")
    run(f"{when}-unknown-id", "explain", "fffffff")


def _busiest_files(report: dict[str, object]) -> list[str]:
    """Files with findings in code, worst first: they have the longest briefings."""
    findings = report["findings"]
    assert isinstance(findings, list)
    paths = dict.fromkeys(finding["file"] for finding in findings)
    return [path for path in paths if not path.endswith((".md", ".json", ".toml"))][:MAX_FILES_BRIEFED]


def _edit(clone: Path, report: dict[str, object]) -> None:
    """One file gets shorter by its last line, one is written twice, one goes."""
    paths = [clone / path for path in _busiest_files(report)]
    lines = paths[0].read_text().splitlines(keepends=True)
    paths[0].write_text("".join(lines[:-1]))
    copy = paths[1 % len(paths)]
    copy.with_stem(copy.stem + "_copy").write_bytes(copy.read_bytes())
    if len(paths) > 2:
        paths[2].unlink()


def compare(before: Path, after: Path) -> int:
    """Prints what differs; the number of outputs that do."""
    names = sorted({path.relative_to(folder) for folder in (before, after) for path in folder.rglob("*.txt")})
    different = 0
    for name in names:
        old, new = ((folder / name) for folder in (before, after))
        then, now = (
            VOLATILE.sub("#", path.read_text()).splitlines() if path.exists() else ["(not there)"]
            for path in (old, new)
        )
        if then != now:
            different += 1
            lines = list(difflib.unified_diff(then, now, str(old), str(new), lineterm="", n=0))
            print("\n".join(line[:400] for line in lines[:MAX_DIFF_LINES_SHOWN]))
    print(f"{different} of {len(names)} outputs differ")
    return different


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("python")
    recording.add_argument("folder", type=Path)
    recording.add_argument("repositories", type=Path, nargs="+")
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "record":
        record(arguments.python, arguments.folder, arguments.repositories)
        return 0
    return 1 if compare(arguments.before, arguments.after) else 0


if __name__ == "__main__":
    sys.exit(main())
