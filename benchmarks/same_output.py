"""Compares what two versions of `crimes` print, for changes that must not change behaviour.

    python benchmarks/same_output.py record PYTHON FOLDER REPO…     once for each version, with the Python of its environment
    python benchmarks/same_output.py compare FOLDER FOLDER

`record` clones each repository to the same place, runs every command in every format on a cold cache, on a warm one and after
an edit, and saves output, errors and exit code. `compare` prints a unified diff of every output that differs, and exits with 1
if there is one.
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
from itertools import islice
from pathlib import Path
from typing import Any

MAX_FILES_BRIEFED = 4
MAX_FINDINGS_EXPLAINED = 4
MAX_DIFF_LINES_SHOWN = 40
MAX_DIFF_LINE_CHARACTERS = 400
# Always the same path: outputs contain it.
WORK = Path(tempfile.gettempdir()) / "crimes-same-output"
COMMANDS = (
    *(
        "scan",
        "init",
        "report",
        "diff",
        "verdict",
        "ignore",
        "triage",
        "hotspots",
        "trend",
        "backtest",
        "explain",
        "context",
    ),
    *("plan", "check", "hook", "mcp", "claims", "review", "trust", "feedback", "calibration", "detectors"),
    *("baseline", "cache"),
)
# Durations, sizes and names of cache files differ between two runs of the same version.
VOLATILE = re.compile(
    r"\b\d+(?:\.\d+)? ?(?:ms|s|MB|kB|bytes)\b|\b\d+ (?:second|minute)s? ago|\bcrimes-same-output/cache/\S+"
)


class Recorder:
    """Runs one version of `crimes` in a clone and saves what each run prints, in a file of `folder`."""

    def __init__(self, python: str, folder: Path, clone: Path) -> None:
        self.python, self.folder, self.clone = python, folder, clone
        self.folder.mkdir(parents=True)

    def run(self, name: str, *arguments: str, stdin: str = "") -> str:
        """Save output, errors and exit code under `name`; return the output."""
        environment = {
            **os.environ,
            "CRIMES_CACHE_DIR": str(WORK / "cache"),
            "HOME": str(WORK / "home"),
            "COLUMNS": "100",
            "PYTHONHASHSEED": "random",
        }
        process = subprocess.run(
            [self.python, "-m", "crimes", *arguments],
            cwd=self.clone,
            env=environment,
            input=stdin.encode(),
            capture_output=True,
        )
        output, errors = (stream.decode(errors="replace") for stream in (process.stdout, process.stderr))
        header = f"$ crimes {' '.join(arguments)}\nexit {process.returncode}\n"
        (self.folder / f"{name}.txt").write_text(f"{header}--- stdout\n{output}\n--- stderr\n{errors}\n")
        return output

    def scan(self, name: str) -> list[dict[str, Any]]:
        """Save a report as JSON; return its findings."""
        findings: list[dict[str, Any]] = json.loads(self.run(name, "scan", "--format", "json"))["findings"]
        return findings


def record(python: str, folder: Path, repositories: list[Path]) -> None:
    """Save everything that the version behind `python` prints about `repositories`."""
    shutil.rmtree(folder, ignore_errors=True)
    recorder = _fresh_recorder(python, folder / "help", None)
    recorder.run("crimes", "--help")
    usages = {command: recorder.run(command, command, "--help") for command in COMMANDS}
    formats = _formats_in(usages["scan"])
    for repository in repositories:
        print(repository.name, flush=True)
        recorder = _fresh_recorder(python, folder / repository.name, repository)
        findings = recorder.scan("cold-scan-json")
        _record_commands(recorder, findings, "warm", formats)
        _edit(recorder.clone, findings)
        recorder.run("edited-check-json-first", "check", "--format", "json")
        _record_commands(recorder, recorder.scan("edited-scan-json-first"), "edited", formats)
        recorder.run("edited-scan-uncached", "scan", "--format", "json", "--no-cache")


def _formats_in(usage: str) -> list[str]:
    """The formats that the help of a command lists after `--format`."""
    listed = re.findall(r"The output format: ([a-z, ]+)\.", " ".join(usage.split()))[0]
    return re.split(r", | or ", listed)


def _fresh_recorder(python: str, folder: Path, repository: Path | None) -> Recorder:
    """A recorder with a new clone (an empty folder without `repository`), an empty cache and an empty home."""
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "home").mkdir(parents=True)
    clone = WORK / (repository.name if repository else "empty")
    if repository:
        subprocess.run(["git", "clone", "-q", str(repository), str(clone)], check=True)
    else:
        clone.mkdir()
    return Recorder(python, folder, clone)


def _record_commands(
    recorder: Recorder, findings: list[dict[str, Any]], stage: str, formats: list[str]
) -> None:
    """Run each command that reads a repository, about the files and findings of its last scan."""

    def run(name: str, *arguments: str, stdin: str = "") -> None:
        recorder.run(f"{stage}-{name}", *arguments, stdin=stdin)

    paths = _code_files(recorder.clone, findings)
    for format_ in formats:
        run(f"scan-{format_}", "scan", "--format", format_)
    run("scan-all", "scan", "--all", "--verbose")
    run("scan-gate", "scan", "--quiet", "--fail-on", "medium", "--require-trusted")
    run("scan-changed", "scan", "--changed", "--base", "HEAD~3", "--format", "json")
    run("why-not", "scan", "--why-not", paths[0])
    for format_ in ("human", "json"):
        run(f"diff-{format_}", "diff", "HEAD~3...HEAD", "--format", format_)
        run(f"diff-base-{format_}", "diff", "--base", "HEAD~2", "--format", format_, "--fail-on-new")
        run(f"verdict-{format_}", "verdict", "--base", "HEAD~2", "--format", format_)
        run(f"hotspots-{format_}", "hotspots", "--format", format_)
        run(f"backtest-{format_}", "backtest", "--format", format_)
        run(f"trust-{format_}", "trust", "--format", format_)
        run(f"review-{format_}", "review", "--own", "--base", "HEAD~3", "--format", format_)
        run(f"claims-{format_}", "claims", "README.md", "--format", format_)
    for format_ in ("human", "json", "md"):
        run(f"check-{format_}", "check", "--format", format_)
        run(f"plan-{format_}", "plan", *paths[:3], "--format", format_)
        for number, path in enumerate(paths):
            run(f"context-{number}-{format_}", "context", path, "--format", format_)
    for number, finding in enumerate(findings[:MAX_FINDINGS_EXPLAINED]):
        run(f"explain-{number}", "explain", finding["id"])
    for path in paths[:2]:
        edit = {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": {"file_path": path}}
        call = {**edit, "cwd": str(recorder.clone), "session_id": f"{stage}-{path}"}
        run(f"hook-{path.replace('/', '-')}", "hook", "--threshold", "0", stdin=json.dumps(call))
    run("detectors", "detectors")
    run("trend", "trend")
    run("unknown-file", "context", "no/such/file.py")
    run("unknown-option", "scan", "--formt", "json")
    run("unknown-id", "explain", "fffffff")


def _code_files(clone: Path, findings: list[dict[str, Any]]) -> list[str]:
    """The first files of code that have findings, worst first: they have the longest briefings. Without any, the first of all."""
    paths = dict.fromkeys(finding["file"] for finding in findings)
    code = [path for path in paths if not path.endswith((".md", ".json", ".toml"))][:MAX_FILES_BRIEFED]
    if code:
        return code
    command = ["git", "-C", str(clone), "ls-files", "*.py", "*.ts", "*.js", "*.go", "*.rs", "*.rb", "*.java"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[
        :MAX_FILES_BRIEFED
    ]


def _edit(clone: Path, findings: list[dict[str, Any]]) -> None:
    """Cut the last line of one file, copy a second, delete a third."""
    paths = [clone / path for path in _code_files(clone, findings)]
    lines = paths[0].read_text().splitlines(keepends=True)
    paths[0].write_text("".join(lines[:-1]))
    original = paths[1 % len(paths)]
    original.with_stem(original.stem + "_copy").write_bytes(original.read_bytes())
    if len(paths) > 2:
        paths[2].unlink()


def compare(before: Path, after: Path) -> int:
    """Print how the outputs differ; return how many do."""
    names = sorted({path.relative_to(folder) for folder in (before, after) for path in folder.rglob("*.txt")})
    different = 0
    for name in names:
        old, new = before / name, after / name
        old_lines, new_lines = _stable_lines(old), _stable_lines(new)
        if old_lines != new_lines:
            different += 1
            diff = difflib.unified_diff(old_lines, new_lines, str(old), str(new), lineterm="", n=0)
            shown = (line[:MAX_DIFF_LINE_CHARACTERS] for line in islice(diff, MAX_DIFF_LINES_SHOWN))
            print("\n".join(shown))
    print(f"{different} of {len(names)} outputs differ")
    return different


def _stable_lines(path: Path) -> list[str]:
    return VOLATILE.sub("#", path.read_text()).splitlines() if path.exists() else ["(not there)"]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    record_parser = commands.add_parser("record")
    record_parser.add_argument("python")
    record_parser.add_argument("folder", type=Path)
    record_parser.add_argument("repositories", type=Path, nargs="+")
    compare_parser = commands.add_parser("compare")
    compare_parser.add_argument("before", type=Path)
    compare_parser.add_argument("after", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "record":
        record(arguments.python, arguments.folder, arguments.repositories)
        return 0
    return 1 if compare(arguments.before, arguments.after) else 0


if __name__ == "__main__":
    sys.exit(main())
