"""The files a scan is about, if not all. Everything is scanned, as some analyses need the whole repository; the report is narrowed."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from crimes.engine.report_builder import narrowed_summary
from crimes.model.errors import UsageError
from crimes.model.report import Crime, Report, WorkingSet
from crimes.model.repository import Repo
from crimes.system import git
from crimes.system.git_diff import difference, index_changes
from crimes.system.git_objects import commit_of, has_commits, merge_base

Choice = Callable[[Repo], WorkingSet]  # the set is known when the tree is


def changed(root: Path, base: str) -> Choice:
    """What differs from where HEAD left a branch or commit, files that git does not track included."""
    tree = git.find(root)
    if base == "HEAD" and not has_commits(tree):
        return lambda repo: _working_set("changed", repo.paths)
    commit = merge_base(tree, commit_of(tree, base))
    changes = difference(root, commit, lines=False).changes.values()
    others = os.fsdecode(git.run(tree, "ls-files", "-z", "--others", "--exclude-standard")).split("\0")
    names = {change.path for change in changes if not change.deleted} | {name for name in others if name}
    return lambda repo: _working_set("changed", names & repo.paths, base=commit)


def staged(root: Path) -> Choice:
    """What is staged. Work beyond that in the same file is scanned with it, and the set says so."""
    names = {change.path for change in index_changes(root).values() if not change.deleted}
    beyond = names & index_changes(root, to_work_tree=True).keys()
    notes = [f"{name} has unstaged changes, which were scanned too" for name in sorted(beyond)]
    return lambda repo: _working_set("staged", names & repo.paths, notes=notes)


def by_name(names: Iterable[str]) -> Choice:
    """Files and folders by name, relative to the root; those that lead to nothing are unmatched."""
    unique = tuple(dict.fromkeys(names))

    def choose(repo: Repo) -> WorkingSet:
        files: set[str] = set()
        unmatched = []
        for name in unique:
            below = {name} & repo.paths or {path for path in repo.paths if _below(path, name)}
            if not below:
                unmatched.append(name)
            files |= below
        return _working_set("files", files, unmatched=unmatched)

    return choose


def related_to(name: str, depth: int) -> Choice:
    """A file, what it imports and what imports it, so many steps away."""

    def choose(repo: Repo) -> WorkingSet:
        if name not in repo.files:
            raise UsageError(f"--related-to: '{name}' was not read, so its imports are unknown")
        near: dict[str, set[str]] = defaultdict(set)
        for edge in repo.edges:
            near[edge.source].add(edge.target)
            near[edge.target].add(edge.source)
        reached = last = {name}
        for _ in range(depth):
            last = {other for path in last for other in near[path]} - reached
            reached = reached | last
        return _working_set("related", reached)

    return choose


def narrow_report(report: Report, working_set: WorkingSet) -> Report:
    """The report with the findings that are about these files: in one of them, or with one of them as another place."""
    files = frozenset(working_set.files)

    def concerns(crime: Crime) -> bool:
        return crime.file in files or any(related.file in files for related in crime.related)

    findings = tuple(filter(concerns, report.findings))
    hidden = tuple(filter(concerns, report.hidden))
    missing = tuple(f"{name} is not a file in the repository" for name in working_set.unmatched)
    return msgspec.structs.replace(
        report,
        working_set=working_set,
        findings=findings,
        hidden=hidden,
        ignored=tuple(filter(concerns, report.ignored)),
        summary=narrowed_summary(report, findings, hidden),
        warnings=(*report.warnings, *missing, *working_set.notes),
        edit_risk=msgspec.structs.replace(
            report.edit_risk,
            files=tuple(file for file in report.edit_risk.files if file.file in files),
            unranked=tuple(file for file in report.edit_risk.unranked if file.file in files),
        ),
    )


def _below(path: str, folder: str) -> bool:
    return folder == "." or path.startswith(f"{folder}/")


def _working_set(
    kind: str,
    files: Iterable[str],
    *,
    base: str = "",
    unmatched: Iterable[str] = (),
    notes: Iterable[str] = (),
) -> WorkingSet:
    return WorkingSet(kind, base, tuple(sorted(files)), tuple(unmatched), tuple(notes))
