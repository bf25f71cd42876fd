"""Does the briefing of a file, made at the parent of a past commit, name the other files that the commit changed?

    python benchmarks/briefing/run.py FOLDER_WITH_CLONES [--work DIR] [--repositories 10] [--files 200]

Compared with plain lists of names that take as many bytes as the briefing took: the files of the same folder, those that hold its
name, those that import it, those that changed last. Clones need their whole history. Nothing in them is changed: each is
cloned once more into the work folder, sharing its objects, and past commits are checked out there.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from posixpath import basename, dirname

BUDGETS = (300, 600, 1_500)
REPOSITORIES = (  # of 680 to 7,100 files
    "scrapy_scrapy",
    "tokio-rs_tokio",
    "composer_composer",
    "etcd-io_etcd",
    "rubocop_rubocop",
    "detekt_detekt",
    "vitejs_vite",
    "jellyfin_jellyfin",
    "sveltejs_kit",
    "django_django",
)
_COMMITS = 11  # of each repository
_FILES = 4  # of each commit
_NEWEST = 1_500  # commits among which they are chosen
_FEWEST, _MOST = 2, 20  # files of a commit
_SEED = 8
_CODE = (".py", ".rs", ".php", ".go", ".rb", ".kt", ".ts", ".cs", ".js", ".svelte")


@dataclass(frozen=True)
class Commit:
    sha: str
    parent: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """One question: a file, the other files its commit changed, and which of those are tests."""

    repository: str
    commit: str
    file: str
    wanted: frozenset[str]
    tests: frozenset[str]


@dataclass(frozen=True)
class Answer:
    """What one method named of it within a budget, and the tokens it took."""

    method: str
    budget: int
    asked: Asked
    named: frozenset[str]
    tokens: int


def git(folder: Path, *arguments: str, codes: tuple[int, ...] = (0,)) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    if done.returncode not in codes:
        raise SystemExit(f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace')}")
    return os.fsdecode(done.stdout)


def commits(folder: Path) -> list[Commit]:
    """The newest commits with one parent, newest first."""
    told = git(folder, "log", "-z", "--no-merges", "--name-only", f"-n{_NEWEST}", "--format=%x01%H %P")
    found = []
    for record in told.split("\x01")[1:]:
        head, _, names = record.partition("\0")
        sha, _, parent = head.strip().partition(" ")
        files = tuple(name.strip("\n") for name in names.split("\0") if name.strip("\n"))
        if parent:
            found.append(Commit(sha, parent, files))
    return found


def chosen(folder: Path) -> list[Commit]:
    """Some commits of a few files each, oldest first: what is kept of one serves the next."""
    newest_first = commits(folder)
    order = {commit.sha: number for number, commit in enumerate(newest_first)}
    fit = [
        commit
        for commit in newest_first
        if _FEWEST <= len(commit.files) <= _MOST and any(name.endswith(_CODE) for name in commit.files)
    ]
    # S311: no secret is made of it, and the same commits have to be chosen again.
    picked = random.Random(_SEED).sample(fit, min(len(fit), _COMMITS))
    return sorted(picked, key=lambda commit: -order[commit.sha])


def same_folder(paths: frozenset[str], file: str) -> list[str]:
    return sorted(path for path in paths if dirname(path) == dirname(file) and path != file)


def holding_name(folder: Path, file: str) -> list[str]:
    stem = basename(file).split(".")[0]
    told = git(folder, "grep", "-z", "-l", "-w", "-F", "-e", stem, codes=(0, 1))
    return sorted(path for path in told.split("\0") if path and path != file)


def last_changed(folder: Path, paths: frozenset[str], file: str) -> list[str]:
    told = git(folder, "log", "-z", "--no-merges", "--name-only", "-n800", "--format=")
    names = dict.fromkeys(name.strip("\n") for name in told.split("\0"))
    return [name for name in names if name in paths and name != file]


def filled(names: list[str], room: int) -> frozenset[str]:
    """As many names, one a line, as fit into so many bytes."""
    taken = set()
    for name in names:
        room -= len(name.encode()) + 1
        if room < 0:
            break
        taken.add(name)
    return frozenset(taken)


def named_in(text: str, wanted: frozenset[str]) -> frozenset[str]:
    """Those of the files that a briefing names: as a path, as a place in it, as a word of a command that is run at
    the root, or as one of `folder/{one, other 3/9}`."""
    named = set()
    for span in re.findall(r"`([^`\n]+)`", text):
        group = re.fullmatch(r"(.*/)\{(.*)\}", span)
        if group:
            named |= {group[1] + re.sub(r" \d+/\d+$", "", name) for name in group[2].split(", ")}
        words = () if span.startswith("cd ") else span.split()
        named |= {span, re.sub(r":\d+-\d+$", "", span), *words}
    return wanted & named


def answers(folder: Path, picked: list[Commit], repository: str, most: int) -> Iterator[Answer]:
    """All methods for up to `most` files of a repository, whose work tree is moved from one commit's parent to the next."""
    from crimes.analyses.import_graph import IMPORT_GRAPH
    from crimes.model.facts import Role
    from crimes.render.brief import markdown
    from crimes.workflows.briefing.build import BriefingBuilder
    from crimes.workflows.scan_options import ScanOptions
    from crimes.workflows.session import Session

    asked_in_all = 0
    for number, commit in enumerate(picked):
        git(folder, "checkout", "-q", "--force", "--detach", commit.parent)
        present = frozenset(git(folder, "ls-files", "-z").split("\0")) - {""}
        changed = [path for path in commit.files if path in present]
        if len(changed) < _FEWEST:
            continue
        scan = Session(folder, ScanOptions(jobs=1)).scan()
        repo = scan.context.repo
        graph = scan.context[IMPORT_GRAPH]
        roles = {path: repo.files[path].role for path in changed if path in repo.files}
        code = [path for path, role in roles.items() if role is Role.SOURCE]
        code += [path for path, role in roles.items() if role is Role.TEST]
        if not code:
            continue
        gatherer = BriefingBuilder(scan)
        share_of_it = -(-(most - asked_in_all) // (len(picked) - number))
        for file in code[: min(_FILES, share_of_it)]:
            wanted = frozenset(changed) - {file}
            tests = frozenset(
                path for path in wanted if path in repo.files and repo.files[path].role is Role.TEST
            )
            asked = Asked(repository, commit.sha, file, wanted, tests)
            asked_in_all += 1
            briefing = gatherer.brief(file)
            lists = {
                "same folder": same_folder(present, file),
                "grep for its name": holding_name(folder, file),
                "direct importers": sorted(graph.direct(file)),
                "last changed": last_changed(folder, present, file),
            }
            for budget in BUDGETS:
                text = markdown([briefing], budget)
                size = len(text.encode())
                yield Answer("briefing", budget, asked, named_in(text, wanted), size // 4)
                for method, names in lists.items():
                    yield Answer(method, budget, asked, filled(names, size) & wanted, size // 4)


def share(found: list[Answer], *, tests: bool) -> float:
    """The mean over the files asked about of the share of what was wanted that was named."""
    parts = [
        len(one.named & wanted) / len(wanted)
        for one in found
        if (wanted := one.asked.tests if tests else one.asked.wanted)
    ]
    return sum(parts) / len(parts) if parts else 0.0


def table(found: list[Answer]) -> str:
    """Recall by method and budget, as markdown."""
    methods = list(dict.fromkeys(one.method for one in found))
    rows = [
        "| tokens asked for | tokens used | " + " | ".join(methods) + " | times the best other |",
        "|" + "---:|" * (len(methods) + 3),
    ]
    for tests in (False, True):
        for budget in BUDGETS:
            cells = {
                method: share(
                    [one for one in found if (one.method, one.budget) == (method, budget)], tests=tests
                )
                for method in methods
            }
            tokens = [one.tokens for one in found if (one.method, one.budget) == ("briefing", budget)]
            best = max(value for method, value in cells.items() if method != "briefing")
            used = round(sum(tokens) / max(1, len(tokens)))
            what = f"{budget:,}, tests only" if tests else f"{budget:,}"
            shown = " | ".join(f"{cells[method]:.2f}" for method in methods)
            rows.append(f"| {what} | {used:,} | {shown} | {cells['briefing'] / best if best else 0:.1f} |")
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--repositories", type=int, default=len(REPOSITORIES))
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--keep", type=Path, help="write every answer here, one JSON a line")
    options = parser.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="crimes-briefing-"))
    os.environ["CRIMES_CACHE_DIR"] = str(work / "cache")
    names = REPOSITORIES[: options.repositories]
    found: list[Answer] = []
    for number, name in enumerate(names):
        place = work / name
        if not place.exists():
            git(options.folder / name, "clone", "-q", "--shared", "--no-checkout", ".", str(place.resolve()))
        before = len(found)
        asked = len({one.asked for one in found})
        # Chosen in the clone that was given: the head of the other one is where an earlier run left it.
        picked = chosen(options.folder / name)
        found += answers(place, picked, name, -(-(options.files - asked) // (len(names) - number)))
        mine = [one for one in found[before:] if one.budget == BUDGETS[-1]]
        shown = {
            method: share([one for one in mine if one.method == method], tests=False)
            for method in {one.method for one in mine}
        }
        print(
            name,
            len(mine) // 5,
            {method: round(value, 2) for method, value in sorted(shown.items())},
            file=sys.stderr,
            flush=True,
        )
    if options.keep:
        with options.keep.open("w") as file:
            for one in found:
                row = {
                    "method": one.method,
                    "budget": one.budget,
                    "repository": one.asked.repository,
                    "commit": one.asked.commit,
                    "file": one.asked.file,
                    "wanted": sorted(one.asked.wanted),
                    "named": sorted(one.named),
                    "tokens": one.tokens,
                }
                file.write(json.dumps(row) + "\n")
    files = {(one.asked.repository, one.asked.commit, one.asked.file) for one in found}
    print(
        f"{len(files)} files of {len({one.asked.commit for one in found})} commits, {len(names)} repositories\n"
    )
    print(table(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
