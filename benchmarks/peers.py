"""Other tools beside crimes: `python benchmarks/peers.py REPO [--path FOLDER…]`. CPU and wall seconds of one run, the parse floor first.

Nothing is installed: the tools below that are on --path or on the PATH run over the whole repository, each with the options
that come closest to what crimes does. Their output is discarded. A tool that takes longer than --timeout is stopped and
marked so.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The command, and what the tool does in that time.
TOOLS: dict[str, tuple[tuple[str, ...], str]] = {
    "lizard": (("lizard", "-l", "python", "-l", "javascript", "{root}"), "cyclomatic complexity, length"),
    "radon": (("radon", "cc", "-s", "{root}"), "cyclomatic complexity; Python"),
    "complexipy": (("complexipy", "{root}", "--quiet"), "cognitive complexity; Python"),
    "ruff": (
        ("ruff", "check", "--isolated", "--no-cache", "--select", "C901", "-q", "{root}"),
        "one rule, cyclomatic complexity; Python",
    ),
    "jscpd": (
        ("jscpd", "--silent", "--reporters", "json", "--output", "{work}", "{root}"),
        "copied code",
    ),
    "pyscn": (
        ("pyscn", "analyze", "--json", "--no-open", "{root}"),
        "complexity, dead code, clones, coupling; Python",
    ),
    "fallow": (
        ("fallow", "--root", "{root}", "--quiet"),
        "unused code, copies, complexity; TypeScript and JavaScript",
    ),
    "semgrep": (
        (
            *("semgrep", "scan", "--config", "{rules}", "--metrics", "off", "--disable-version-check"),
            *("--quiet", "--jobs", "1", "{root}"),
        ),
        "five patterns; Python",
    ),
}
RULES = """rules:
- {id: a, languages: [python], severity: INFO, message: a, pattern: "except: ..."}
- {id: b, languages: [python], severity: INFO, message: b, pattern: "eval(...)"}
- {id: c, languages: [python], severity: INFO, message: c, pattern: "datetime.datetime.utcnow()"}
- {id: d, languages: [python], severity: INFO, message: d, pattern: "time.sleep(...)"}
- {id: e, languages: [python], severity: INFO, message: e, pattern: "def $F(..., $X=[], ...): ..."}
"""


def run_timed(command: list[str], path: str, work: Path, timeout: float) -> tuple[float, float, str]:
    """CPU and wall seconds of a command and all it starts, and a note if it did not end well."""
    before, start = _cpu(), time.monotonic()
    environment = {**os.environ, "PATH": path, "CRIMES_CACHE_DIR": str(work / "cache")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    try:
        completed = subprocess.run(
            command,
            cwd=work,
            env=environment,
            timeout=timeout,
            check=False,
            stdin=subprocess.DEVNULL,  # the floor repeats until its input ends
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # Exit code 1: the tool has findings.
        note = f"exit code {completed.returncode}" if completed.returncode > 1 else ""
    except subprocess.TimeoutExpired:
        note = "stopped"
    return _cpu() - before, time.monotonic() - start, note


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repository", type=Path, metavar="REPO")
    parser.add_argument("--path", action="append", default=[], metavar="FOLDER", help="where tools are")
    parser.add_argument("--timeout", type=float, default=300, metavar="SECONDS")
    arguments = parser.parse_args()
    root = arguments.repository.resolve()
    path = os.pathsep.join([*map(os.path.abspath, arguments.path), os.environ.get("PATH", "")])
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "rules.yaml").write_text(RULES)
        placeholders = {"{root}": str(root), "{work}": str(work / "out"), "{rules}": str(work / "rules.yaml")}
        crimes = [sys.executable, "-m", "crimes", "scan", "--format", "json", "--jobs", "1", str(root)]
        floor = [sys.executable, str(HERE / "speed.py"), "--measure", "floor", str(root)]
        runs: list[tuple[str, list[str], str]] = [
            ("floor", floor, "reading and parsing what crimes reads, and the start of an interpreter"),
            ("crimes, cold", crimes, "everything, one process; fills the cache"),
            ("crimes, again", crimes, "the same, nothing changed"),
        ]
        for name, (command, does) in TOOLS.items():
            if shutil.which(command[0], path=path):
                runs.append((name, [placeholders.get(word, word) for word in command], does))
            else:
                print(f"{name}: not found, left out")
        print(f"{'tool':<16}{'CPU s':>8}{'wall s':>8}  what it does in that time")
        for name, run, does in runs:
            cpu, wall, note = run_timed(run, path, work, arguments.timeout)
            print(f"{name:<16}{cpu:>8.2f}{wall:>8.2f}  {does}{f' ({note})' if note else ''}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
