"""Findings for readers who know nothing of the rules, and their verdicts as labels.

python benchmarks/precision/blind.py draw FOLDER SEED OWNER/NAME=CHECKOUT...   lists for readers, and the key to them
python benchmarks/precision/blind.py collect FOLDER ROUND [REPORTS]            verdicts/<reader>_list_<number>.jsonl of that folder into labels/

ROUND is six more than the number of the round in docs/precision.md: 15 for round 9. Measure calibration first: `calibration.py FOLDER`.

A list (lists/list_<number>.json) holds what a user sees of the findings of some repositories and nothing of how they were found: no score, no
confidence, no evidence. Two readers get the same list and do not see each other's verdicts. REPORTS is a folder of reports made after the rules were changed because of the verdicts: what they no
longer contain is marked as gone.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.precision.labels import FOLDER as LABELS_FOLDER
from benchmarks.precision.labels import Label, encode_label
from crimes.detection.registry import builtin
from crimes.judging.signal_values import signal_name

FIRST = 10  # findings of a repository that are read together: what its users see first
FIRST_REPOSITORIES = 20  # of which that is done; the others only add findings of rare detectors
LIST_FINDINGS = 40  # about as many as one reader can judge with care; a repository is never split
MAX_PER_REPOSITORY = 5  # of one detector, so that one repository is not the whole sample
WANTED = 20
WANTED_OF = dict.fromkeys(
    (
        *("god_function", "cloned_logic", "drifted_copy", "unreachable_handler", "identical_branches"),
        *("repeated_condition", "overwritten_argument", "silent_failure"),
    ),
    60,
)
MIN_SHOWN_CONFIDENCE = 0.5
SHOWN = ("id", "severity", "type", "symbol", "fact", "why", "fix")


def main(command: str, folder: str, *rest: str) -> None:
    if command == "draw":
        names = dict(word.split("=", 1) for word in rest[1:])
        draw(Path(folder), rest[0], {name: Path(checkout).resolve() for name, checkout in names.items()})
    elif command == "collect":
        collect(Path(folder), int(rest[0]), Path(rest[1]) if rest[1:] else None)
    else:
        raise SystemExit(__doc__)


def draw(folder: Path, seed: str, repositories: Mapping[str, Path]) -> None:
    """Write the lists, and `key.json` with what the readers are not shown."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {name: (root, report) for name, root in repositories.items() if (report := _report(folder, root))}
    chosen = {
        name: _first(report) if position < FIRST_REPOSITORIES else {}
        for position, (name, (_, report)) in enumerate(found.items())
    }
    pool = defaultdict(list)
    for name, (_, report) in found.items():
        for finding in _code_findings(report):
            pool[finding["type"]].append((name, finding))
    for type_, candidates in sorted(pool.items()):
        _fill(chosen, type_, candidates, random.Random(f"{seed} {type_}"))
    key: dict[str, Any] = {}
    lists: list[list[dict[str, Any]]] = [[]]
    for name, findings in chosen.items():
        root, report = found[name]
        ordered = random.Random(f"{seed} {name}").sample(list(findings.values()), len(findings))
        if lists[-1] and len(lists[-1]) + len(ordered) > LIST_FINDINGS:
            lists.append([])
        lists[-1] += [_shown(root, finding) for finding in ordered]
        commit = report["history"]["head"][:12]
        key |= {f"{root.name} {finding['id']}": _key(finding, name, commit) for finding in ordered}
    (folder / "lists").mkdir(exist_ok=True)
    for number, shown in enumerate(lists, 1):
        (folder / "lists" / f"list_{number}.json").write_text(json.dumps(shown, indent=1))
    (folder / "key.json").write_text(json.dumps(key, indent=1))
    print(len(lists), "lists", len(key), "findings", Counter(entry["type"] for entry in key.values()))


def _report(folder: Path, root: Path) -> dict[str, Any] | None:
    """The report of a default scan, kept in the folder so that it is made once."""
    kept = folder / "reports" / f"{root.name}.json"
    if not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "crimes", "scan", "--format", "json", "--root", str(root)]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode:
            print(f"{root.name}: {done.stderr.decode()[:200]}")
            return None
        kept.write_bytes(done.stdout)
    made: dict[str, Any] = json.loads(kept.read_bytes())
    return made


def _code_findings(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [finding for finding in report["findings"] if finding["kind"] == "code"]


def _first(report: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {finding["id"]: finding | {"first": True} for finding in _code_findings(report)[:FIRST]}


def _fill(
    chosen: dict[str, dict[str, dict[str, Any]]],
    type_: str,
    candidates: list[tuple[str, dict[str, Any]]],
    order: random.Random,
) -> None:
    """Add findings of a detector until there are enough of it, a few of each repository."""
    taken = Counter(
        name for name, findings in chosen.items() for finding in findings.values() if finding["type"] == type_
    )
    for name, finding in order.sample(candidates, len(candidates)):
        if taken.total() >= WANTED_OF.get(type_, WANTED):
            return
        if taken[name] < MAX_PER_REPOSITORY and finding["id"] not in chosen[name]:
            chosen[name][finding["id"]] = finding
            taken[name] += 1


def _shown(root: Path, finding: Mapping[str, Any]) -> dict[str, Any]:
    place = f"{finding['file']}:{finding['lines']['start']}-{finding['lines']['end']}"
    return {
        "repository": root.name,
        "checkout": str(root),
        **{name: finding[name] for name in SHOWN},
        "place": place,
        "related": finding["related"],
    }


def _key(finding: Mapping[str, Any], repository: str, commit: str) -> dict[str, Any]:
    return {
        "repository": repository,
        "commit": commit,
        "type": finding["type"],
        "fingerprint": finding["fingerprint"],
        "severity": finding["severity"],
        "confidence": finding["scores"]["confidence"],
        "signals": _signals(finding),
        "first": finding.get("first", False),
    }


def _signals(finding: Mapping[str, Any]) -> list[str]:
    """What the confidence rests on: the signals about the finding's own target, without those of people.

    None where a signal has a chosen value that hides findings: a fit to the few that are shown would bring all back. A measured one may be low.
    """
    target = f"{finding['file']}#{finding['symbol']}" if finding["symbol"] else finding["file"]
    own = [signal for signal in finding["confidence_signals"] if signal["target"] == target]
    if any(signal["value"] < MIN_SHOWN_CONFIDENCE and not signal["measured_on"] for signal in own):
        return []
    return sorted(
        {signal_name(signal["category"], signal["source"]) for signal in own} - {"review: feedback"}
    )


def collect(folder: Path, round_: int, reports: Path | None) -> None:
    """Add the verdicts of all readers to the labels."""
    known = builtin()
    for type_, rows in sorted(labels_of(folder, round_, reports).items()):
        if type_ not in known:
            print(f"{type_:26} {len(rows)} of a detector that is deleted: left out")
            continue
        with (LABELS_FOLDER / f"{type_}.jsonl").open("a", encoding="utf-8") as file:
            file.writelines(encode_label(row) + "\n" for row in rows)
        print(f"{type_:26} {len(rows)}")


def labels_of(folder: Path, round_: int, reports: Path | None = None) -> dict[str, list[Label]]:
    """The verdicts of all readers by detector; a finding's readings are numbered in the order of the readers' names."""
    key = json.loads((folder / "key.json").read_text())
    readings: Counter[str] = Counter()
    present: dict[str, set[str]] = {}
    labels = defaultdict(list)
    for verdict in _verdicts(folder):
        name = f"{verdict['repository']} {verdict['id']}"
        entry = key[name]
        readings[name] += 1
        report = reports / f"{verdict['repository']}.json" if reports else None
        if report and report.exists() and verdict["repository"] not in present:
            findings = json.loads(report.read_bytes())["findings"]
            present[verdict["repository"]] = {finding["fingerprint"] for finding in findings}
        labels[entry["type"]].append(
            Label(
                repository=entry["repository"],
                commit=entry["commit"],
                fingerprint=entry["fingerprint"],
                label=verdict["verdict"],
                reason=verdict["reason"],
                round=round_,
                reading=readings[name],
                severity=entry["severity"],
                severity_verdict=verdict["severity_verdict"],
                text=verdict["text"],
                confidence=entry["confidence"],
                signals=tuple(entry.get("signals", ())),
                first=entry["first"],
                gone=entry["fingerprint"] not in present.get(verdict["repository"], {entry["fingerprint"]}),
            )
        )
    return labels


def _verdicts(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted((folder / "verdicts").glob("*_list_*.jsonl")):
        yield from (
            json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
