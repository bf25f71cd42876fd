"""Does the briefing of a file, made at the parent of a past commit, name the other files that the commit changed?

    python benchmarks/briefing/run.py FOLDER_WITH_CLONES [--work DIR] [--repositories 10] [--files 200]

Compared with plain lists of names that take as many bytes as the briefing: the files of the same folder, those that contain its
name, those that import it, those that changed last. Clones need their whole history. Nothing in them is changed: past commits
are checked out in a second clone in the work folder, which shares their objects.
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
_COMMITS_PER_REPOSITORY = 11
_MAX_FILES_PER_COMMIT = 4
_NEWEST_COMMITS = 1_500  # the commits are drawn from these
_MIN_FILES_CHANGED, _MAX_FILES_CHANGED = 2, 20
_SEED = 8
_CODE_SUFFIXES = (".py", ".rs", ".php", ".go", ".rb", ".kt", ".ts", ".cs", ".js", ".svelte")


@dataclass(frozen=True)
class Commit:
    sha: str
    parent: str
    files: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """A file, the other files its commit changed, and which of those are tests."""

    repository: str
    commit: str
    file: str
    wanted: frozenset[str]
    tests: frozenset[str]


@dataclass(frozen=True)
class Answer:
    """The wanted files that one method named within a budget, and the tokens it took."""

    method: str
    budget: int
    question: Question
    named: frozenset[str]
    tokens: int


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


def names_that_fit(names: list[str], room: int) -> frozenset[str]:
    """The first names that fit, one a line, into `room` bytes."""
    fitting = set()
    for name in names:
        room -= len(name.encode()) + 1
        if room < 0:
            break
        fitting.add(name)
    return frozenset(fitting)


def named_in(text: str, wanted: frozenset[str]) -> frozenset[str]:
    """The wanted files that a briefing names: as a path, with a range of lines, in a command that runs at the root, or
    as one of `folder/{one, other 3/9}`."""
    named = set()
    for span in re.findall(r"`([^`\n]+)`", text):
        group = re.fullmatch(r"(.*/)\{(.*)\}", span)
        if group:
            named |= {group[1] + re.sub(r" \d+/\d+$", "", name) for name in group[2].split(", ")}
        words = () if span.startswith("cd ") else span.split()
        named |= {span, re.sub(r":\d+-\d+$", "", span), *words}
    return wanted & named


def answers(folder: Path, commits: list[Commit], repository: str, max_files: int) -> Iterator[Answer]:
    """Answers of all methods for up to `max_files` files of a repository; checks out the parent of each commit."""
    from crimes.analyses.import_graph import IMPORT_GRAPH
    from crimes.model.facts import Role
    from crimes.render.brief import markdown
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
        scan = Session(folder, ScanOptions(jobs=1)).scan()
        graph, files = scan.context[IMPORT_GRAPH], scan.context.repo.files
        sources, tests = (
            [path for path in changed if path in files and files[path].role is role]
            for role in (Role.SOURCE, Role.TEST)
        )
        builder = BriefingBuilder(scan)
        files_of_commit = -(-(max_files - questions) // (len(commits) - number))
        for file in [*sources, *tests][: min(_MAX_FILES_PER_COMMIT, files_of_commit)]:
            wanted = frozenset(changed) - {file}
            question = Question(repository, commit.sha, file, wanted, wanted.intersection(tests))
            questions += 1
            briefing = builder.brief(file)
            lists = {
                "same folder": same_folder(present, file),
                "grep for its name": containing_name(folder, file),
                "direct importers": sorted(graph.direct(file)),
                "last changed": last_changed(folder, present, file),
            }
            for budget in BUDGETS:
                text = markdown([briefing], budget)
                size = len(text.encode())
                yield Answer("briefing", budget, question, named_in(text, wanted), size // 4)
                for method, names in lists.items():
                    yield Answer(method, budget, question, names_that_fit(names, size) & wanted, size // 4)


def recall(answers: list[Answer], *, tests: bool) -> float:
    """The share of wanted files (or of wanted tests) that was named, as a mean over the questions."""
    shares = [
        len(answer.named & wanted) / len(wanted)
        for answer in answers
        if (wanted := answer.question.tests if tests else answer.question.wanted)
    ]
    return sum(shares) / len(shares) if shares else 0.0


def recall_by_method(answers: list[Answer], budget: int, *, tests: bool = False) -> dict[str, float]:
    by_method: dict[str, list[Answer]] = {}
    for answer in answers:
        if answer.budget == budget:
            by_method.setdefault(answer.method, []).append(answer)
    return {method: recall(group, tests=tests) for method, group in by_method.items()}


def table(answers: list[Answer]) -> str:
    """Recall by method and budget, as markdown."""
    methods = list(dict.fromkeys(answer.method for answer in answers))
    rows = [
        "| budget in tokens | tokens used | " + " | ".join(methods) + " | times the best list |",
        "|" + "---:|" * (len(methods) + 3),
    ]
    for tests in (False, True):
        for budget in BUDGETS:
            recalls = recall_by_method(answers, budget, tests=tests)
            tokens = [
                answer.tokens for answer in answers if (answer.method, answer.budget) == ("briefing", budget)
            ]
            best = max(value for method, value in recalls.items() if method != "briefing")
            used = round(sum(tokens) / max(1, len(tokens)))
            title = f"{budget:,}, tests only" if tests else f"{budget:,}"
            cells = " | ".join(f"{recalls[method]:.2f}" for method in methods)
            rows.append(f"| {title} | {used:,} | {cells} | {recalls['briefing'] / best if best else 0:.1f} |")
    return "\n".join(rows)


def write_answers(path: Path, answers: list[Answer]) -> None:
    """Write one JSON object a line."""
    with path.open("w") as file:
        for answer in answers:
            row = {
                "method": answer.method,
                "budget": answer.budget,
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
    parser.add_argument("--work", type=Path)
    parser.add_argument("--repositories", type=int, default=len(REPOSITORIES))
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--keep", type=Path, help="write every answer here, one JSON a line")
    options = parser.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="crimes-briefing-"))
    os.environ["CRIMES_CACHE_DIR"] = str(work / "cache")
    names = REPOSITORIES[: options.repositories]
    collected: list[Answer] = []
    questions: set[Question] = set()
    for number, name in enumerate(names):
        clone = work / name
        if not clone.exists():
            git(options.folder / name, "clone", "-q", "--shared", "--no-checkout", ".", str(clone.resolve()))
        # Drawn from the clone that was given: the HEAD of the other is where an earlier run left it.
        commits = draw_commits(options.folder / name)
        max_files = -(-(options.files - len(questions)) // (len(names) - number))
        new_answers = list(answers(clone, commits, name, max_files))
        new_questions = {answer.question for answer in new_answers}
        recalls = sorted(recall_by_method(new_answers, BUDGETS[-1]).items())
        shown = {method: round(value, 2) for method, value in recalls}
        print(name, len(new_questions), shown, file=sys.stderr, flush=True)
        collected += new_answers
        questions |= new_questions
    if options.keep:
        write_answers(options.keep, collected)
    commit_count = len({question.commit for question in questions})
    print(f"{len(questions)} files of {commit_count} commits, {len(names)} repositories\n")
    print(table(collected))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
