"""Turns a sample repository into one with a past: replays its history.toml with real git.

python tests/kit/sample_history.py mixed TARGET    build one to look at
python tests/kit/sample_history.py --update        rewrite the expected.json of all of them
"""

from __future__ import annotations

import json
import sys
import tempfile
import tomllib
from collections import Counter
from datetime import timedelta
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from crimes.config.loader import load_config
from crimes.detection.registry import catalogue
from crimes.engine.scan import scan
from crimes.model.report import Report
from tests.kit.gitrepo import GitRepo

SAMPLES = Path(__file__).parents[2] / "sample_repos"
OURS = ("history.toml", "expected.json")


def names() -> list[str]:
    return sorted(path.parent.name for path in SAMPLES.glob("*/history.toml"))


def build(name: str, target: Path) -> Path:
    """The sample with its history, in a new folder named after it."""
    source = SAMPLES / name
    script = tomllib.loads((source / "history.toml").read_text(encoding="utf-8"))
    contents = {path: (source / path).read_bytes() for path in _files(source)}
    commits = [(*commit[:3], _matching(commit[3], contents)) for commit in script["history"]["commits"]]
    touches = Counter(path for *_, paths in commits for path in paths)
    commits[0][3].extend(path for path in contents if path not in touches)

    repo = GitRepo(target / name, past=False)
    seen: Counter[str] = Counter()
    for days, author, message, paths in commits:
        seen.update(paths)
        files = {path: _piece(contents[path], seen[path], max(touches[path], 1)) for path in paths}
        when = script["head"] - timedelta(days=days)
        repo.commit(files, message, when=when, author=script["authors"][author])
    return repo.path


def _piece(content: bytes, number: int, total: int) -> bytes:
    """What a file is after a number of the commits that touch it: a longer piece each time, in whole lines."""
    lines = content.splitlines(keepends=True)
    return b"".join(lines[: len(lines) * number // total])


def _files(folder: Path) -> list[str]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return [name for path in paths if (name := path.relative_to(folder).as_posix()) not in OURS]


def _matching(patterns: list[str], contents: dict[str, bytes]) -> list[str]:
    found = [path for path in contents if any(fnmatch(path, pattern) for pattern in patterns)]
    unused = [pattern for pattern in patterns if not any(fnmatch(path, pattern) for path in contents)]
    if unused:
        raise ValueError(f"history.toml names files that are not there: {unused}")
    return found


def report(root: Path) -> Report:
    config = load_config(root, {id_: detector.options for id_, detector in catalogue().items()})
    return scan(root, config).report


def stable(report: Report) -> dict[str, Any]:
    """The part of a report that must not change by itself: no wording, no versions."""
    return {
        "files": report.files.by_role,
        "commits": report.history.commits,
        "unresolved_imports": list(report.imports.unresolved_examples),
        "skipped": [skipped.path for skipped in report.files.skipped],
        "hidden": len(report.hidden),
        "findings": [
            {
                "type": crime.type,
                "file": crime.file,
                "line": crime.lines.start,
                "symbol": crime.symbol,
                "severity": crime.severity.value,
                "scores": {name: getattr(crime.scores, name) for name in crime.scores.__struct_fields__},
            }
            for crime in report.findings
        ],
    }


def expected(name: str) -> Any:
    return json.loads((SAMPLES / name / "expected.json").read_text(encoding="utf-8"))


def update() -> None:
    for name in names():
        with tempfile.TemporaryDirectory() as folder:
            found = stable(report(build(name, Path(folder))))
        text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
        (SAMPLES / name / "expected.json").write_text(text, encoding="utf-8")
        print(f"sample_repos/{name}/expected.json: {len(found['findings'])} findings")


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        update()
    elif len(sys.argv) == 3:
        print(build(sys.argv[1], Path(sys.argv[2])))
    else:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
