"""Does the briefing of a file, made at the parent of a past commit, name the other files that the commit changed?

    python benchmarks/briefing/run.py FOLDER_WITH_CLONES [--sample tuned|held-out] [--work DIR] [--files 30]

Two answers are measured: the list of files that change with it, at 3, 5 and 10 names, and all files that the text names, by budget.
Compared with plain lists of as many names: the files of the same folder, those that contain its name, those that import it, those
that changed last. Precision is the share of all named files that the commit changed; recall the share of the files of a commit that
was named, as a mean over the questions. Clones need their whole history. Nothing in them is changed: past commits are checked out
in a second clone in the work folder, which shares their objects.
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
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crimes.workflows.briefing.record import Briefing

BUDGETS = (300, 600, 1_500)
NUMBERS = (3, 5, 10)  # of names
SAMPLES = {
    # The weights of the ranking were chosen on commits of these.
    "tuned": (
        "scrapy_scrapy",
        "tokio-rs_tokio",
        "composer_composer",
        "etcd-io_etcd",
        "rubocop_rubocop",
        "nestjs_nest",
        "vitejs_vite",
    ),
    # Nothing was looked at here before the weights were chosen.
    "held-out": (
        "streamlink_streamlink",
        "hyperium_hyper",
        "doctrine_orm",
        "ruby-grape_grape",
        "wiremock_wiremock",
        "derailed_k9s",
        "reduxjs_redux-toolkit",
    ),
}
_COMMITS_PER_REPOSITORY = 12
_MAX_FILES_PER_COMMIT = 3
_NEWEST_COMMITS = 1_500  # the commits are drawn from these
_MIN_FILES_CHANGED, _MAX_FILES_CHANGED = 2, 20
_SEED = 21
_CODE_SUFFIXES = (".py", ".rs", ".php", ".go", ".rb", ".kt", ".ts", ".cs", ".js", ".java")


@dataclass(frozen=True)
class Commit:
    sha: str
    parent: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """A file, and the other files its commit changed."""

    repository: str
    commit: str
    file: str
    wanted: frozenset[str]


@dataclass(frozen=True)
class Answer:
    """The files that one method named: at most so many, or in the text of a budget, which takes some tokens."""

    method: str
    limit: str  # "5 names", or "600 tokens"
    question: Question
    named: frozenset[str]
    tokens: int = 0


def git(folder: Path, *arguments: str, codes: tuple[int, ...] = (0,)) -> str:
    process = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    if process.returncode not in codes:
        raise SystemExit(f"git {' '.join(arguments)}: {process.stderr.decode(errors='replace')}")
    return os.fsdecode(process.stdout)


def load_commits(folder: Path) -> list[Commit]:
    """The newest commits with one parent, newest first."""
    log = git(folder, "log", "-z", "--no-merges", "--name-only", f"-n{_NEWEST_COMMITS}", "--format=%x01%H %P")
    commits = []
    for record in log.split("\x01")[1:]:
        head, _, names = record.partition("\0")
        sha, _, parent = head.strip().partition(" ")
        files = tuple(name.strip("\n") for name in names.split("\0") if name.strip("\n"))
        if parent:
            commits.append(Commit(sha, parent, files))
    return commits


def draw_commits(folder: Path) -> list[Commit]:
    """A sample of commits that change a few files, oldest first: the cache of one scan serves the next."""
    newest_first = load_commits(folder)
    ages = {commit.sha: age for age, commit in enumerate(newest_first)}
    suitable = [
        commit
        for commit in newest_first
        if _MIN_FILES_CHANGED <= len(commit.files) <= _MAX_FILES_CHANGED
        and any(name.endswith(_CODE_SUFFIXES) for name in commit.files)
    ]
    # The seed is fixed: every run has to draw the same commits.
    sample = random.Random(_SEED).sample(suitable, min(len(suitable), _COMMITS_PER_REPOSITORY))
    return sorted(sample, key=lambda commit: -ages[commit.sha])


def same_folder(paths: frozenset[str], file: str) -> list[str]:
    return sorted(path for path in paths if dirname(path) == dirname(file) and path != file)


def containing_name(folder: Path, file: str) -> list[str]:
    stem = basename(file).split(".")[0]
    listing = git(folder, "grep", "-z", "-l", "-w", "-F", "-e", stem, codes=(0, 1))
    return sorted(path for path in listing.split("\0") if path and path != file)


def last_changed(folder: Path, paths: frozenset[str], file: str) -> list[str]:
    log = git(folder, "log", "-z", "--no-merges", "--name-only", "-n800", "--format=")
    names = dict.fromkeys(name.strip("\n") for name in log.split("\0"))
    return [name for name in names if name in paths and name != file]


def named_in(text: str, present: frozenset[str]) -> frozenset[str]:
    """The files that a briefing names: as a path, with lines, in a command that runs at the root, or as one of
    `folder/{one, other}`."""
    named = set()
    for span in re.findall(r"`([^`\n]+)`", text):
        group = re.fullmatch(r"(.*/)\{(.*)\}", span)
        if group:
            named |= {group[1] + name for name in group[2].split(", ")}
        words = () if span.startswith("cd ") else span.split()
        named |= {span, re.sub(r":\d[\d, -]*$", "", span), *words}
    return present & named


def answers(folder: Path, commits: list[Commit], repository: str, max_files: int) -> Iterator[Answer]:
    """Answers of all methods for up to `max_files` files of a repository; checks out the parent of each commit."""
    from crimes.analyses.import_graph import IMPORT_GRAPH
    from crimes.model.facts import Role
    from crimes.workflows.briefing.build import BriefingBuilder
    from crimes.workflows.scan_options import ScanOptions
    from crimes.workflows.session import Session

    questions = 0
    for number, commit in enumerate(commits):
        git(folder, "checkout", "-q", "--force", "--detach", commit.parent)
        present = frozenset(git(folder, "ls-files", "-z").split("\0")) - {""}
        changed = [path for path in commit.files if path in present]
        if len(changed) < _MIN_FILES_CHANGED:
            continue
        scan = Session(folder, ScanOptions(jobs=2)).scan()
        graph, files = scan.context[IMPORT_GRAPH], scan.context.repo.files
        sources, tests = (
            [path for path in changed if path in files and files[path].role is role]
            for role in (Role.SOURCE, Role.TEST)
        )
        builder = BriefingBuilder(scan)
        files_of_commit = -(-(max_files - questions) // (len(commits) - number))
        for file in [*sources, *tests][: min(_MAX_FILES_PER_COMMIT, files_of_commit)]:
            questions += 1
            question = Question(repository, commit.sha, file, frozenset(changed) - {file})
            lists = {
                "same folder": same_folder(present, file),
                "grep for its name": containing_name(folder, file),
                "direct importers": sorted(graph.direct(file)),
                "last changed": last_changed(folder, present, file),
            }
            yield from answer(builder.brief(file), question, lists, present)


def answer(
    briefing: Briefing, question: Question, lists: dict[str, list[str]], present: frozenset[str]
) -> Iterator[Answer]:
    """The answers to one question: by number of names, then by budget with as many names for each list."""
    from crimes.render.brief import markdown

    companions = [companion.file for companion in briefing.companions]
    for number in NUMBERS:
        limit = f"{number} names"
        yield Answer("briefing", limit, question, frozenset(companions[:number]))
        for method, names in lists.items():
            yield Answer(method, limit, question, frozenset(names[:number]))
    for budget in BUDGETS:
        text = markdown([briefing], budget)
        named = named_in(text, present) - {question.file}
        tokens = len(text.encode()) // 4
        yield Answer("briefing", f"{budget:,} tokens", question, named, tokens)
        for method, names in lists.items():
            yield Answer(method, f"{budget:,} tokens", question, frozenset(names[: len(named)]), tokens)


def precision(answers: list[Answer]) -> float:
    """The share of the named files that the commits changed."""
    named = sum(len(answer.named) for answer in answers)
    return sum(len(answer.named & answer.question.wanted) for answer in answers) / named if named else 0.0


def recall(answers: list[Answer]) -> float:
    """The share of the files of a commit that was named, as a mean over the questions."""
    shares = [len(answer.named & answer.question.wanted) / len(answer.question.wanted) for answer in answers]
    return sum(shares) / len(shares) if shares else 0.0


def by_method(answers: list[Answer], limit: str) -> dict[str, list[Answer]]:
    methods: dict[str, list[Answer]] = {}
    for answer in answers:
        if answer.limit == limit:
            methods.setdefault(answer.method, []).append(answer)
    return methods


def table(answers: list[Answer]) -> str:
    """Precision and recall by method, number of names and budget, as markdown: `precision / recall`."""
    methods = list(dict.fromkeys(answer.method for answer in answers))
    rows = [
        "| at most | names on average | " + " | ".join(methods) + " | recall, times the best list |",
        "|---|" + "---:|" * (len(methods) + 2),
    ]
    for limit in dict.fromkeys(answer.limit for answer in answers):
        groups = by_method(answers, limit)
        own = groups["briefing"]
        names = sum(len(answer.named) for answer in own) / len(own)
        best = max(recall(group) for method, group in groups.items() if method != "briefing")
        cells = " | ".join(
            f"{100 * precision(groups[method]):.0f} % / {100 * recall(groups[method]):.0f} %"
            for method in methods
        )
        rows.append(f"| {limit} | {names:.1f} | {cells} | {recall(own) / best if best else 0:.1f} |")
    return "\n".join(rows)


def repository_table(answers: list[Answer], limit: str) -> str:
    """Precision and recall of the briefing in each repository, and the recall of the best list there."""
    rows = ["| repository | questions | precision | recall | best list |", "|---|---:|---:|---:|---|"]
    for repository in dict.fromkeys(answer.question.repository for answer in answers):
        groups = by_method([answer for answer in answers if answer.question.repository == repository], limit)
        own = groups.pop("briefing")
        method = max(groups, key=lambda name: recall(groups[name]))
        cells = f"{len(own)} | {100 * precision(own):.0f} % | {100 * recall(own):.0f} %"
        rows.append(f"| {repository} | {cells} | {method} {100 * recall(groups[method]):.0f} % |")
    return "\n".join(rows)


def write_answers(path: Path, answers: list[Answer]) -> None:
    """Write one JSON object a line."""
    with path.open("w") as file:
        for answer in answers:
            row = {
                "method": answer.method,
                "limit": answer.limit,
                "repository": answer.question.repository,
                "commit": answer.question.commit,
                "file": answer.question.file,
                "wanted": sorted(answer.question.wanted),
                "named": sorted(answer.named),
                "tokens": answer.tokens,
            }
            file.write(json.dumps(row) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", choices=SAMPLES, default="held-out")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--files", type=int, default=30, help="questions of each repository")
    parser.add_argument("--keep", type=Path, help="write every answer here, one JSON a line")
    options = parser.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="crimes-briefing-"))
    os.environ["CRIMES_CACHE_DIR"] = str(work / "cache")
    collected: list[Answer] = []
    for name in SAMPLES[options.sample]:
        clone = work / name
        if not clone.exists():
            git(options.folder / name, "clone", "-q", "--shared", "--no-checkout", ".", str(clone.resolve()))
        # Drawn from the clone that was given: the HEAD of the other is where an earlier run left it.
        commits = draw_commits(options.folder / name)
        collected += answers(clone, commits, name, options.files)
        print(name, file=sys.stderr, flush=True)
        if options.keep:
            write_answers(options.keep, collected)
    questions = {answer.question for answer in collected}
    commit_count = len({question.commit for question in questions})
    print(f"{len(questions)} files of {commit_count} commits, {options.sample}\n")
    print(table(collected))
    print(f"\nAt 5 names:\n\n{repository_table(collected, '5 names')}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
