"""Where in a file: the functions that hold its complexity and that past fixes changed.

Each fix is read as git has it: the file after the fix is parsed, and the functions around the changed lines are counted. That is
too slow for a scan, so it is done only for the files that are shown, and only where it was asked for. A function that has been renamed
since is not recognised, nor is one of a file that had another name at the time of the fix.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import log2
from typing import TYPE_CHECKING

import msgspec

from crimes.analyses.history.history import HISTORY
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.reading import Unreadable
from crimes.model.errors import Unavailable
from crimes.model.facts import Function
from crimes.system import git
from crimes.system.git_patches import WHOLE_FILE_LINES, Patch, read_patches
from crimes.system.workers import Progress, Stopped, run_in_worker
from crimes.workflows.hotspots import HotFunction, Hotspots, rank_files, with_functions

if TYPE_CHECKING:
    from crimes.detection.context import Context
    from crimes.workflows.session import Session

MAX_FUNCTIONS = 3  # of a file
MAX_READ_FIXES = 20  # of a file, the newest
MAX_VERSION_BYTES = 1_000_000  # of a file, as it was after a fix
MAX_READ_SECONDS = 60.0  # for the fixes of all files

_decode_counts = msgspec.msgpack.Decoder(dict[str, dict[str, int]]).decode


def rank_with_functions(
    session: Session, *, top: int | None, below: Collection[str], per_line: bool
) -> Hotspots:
    """The ranked files with their functions; without fixes where git cannot give them, or reading them takes too long."""
    scan = session.scan()
    hotspots = rank_files(scan.report, top=top, below=below, per_line=per_line)
    paths = [] if hotspots.calm else [file.file for file in hotspots.files]
    fixes: Mapping[str, Mapping[str, int]] = {}
    try:
        with session.listener.progress() as on_progress:
            fixes = fixes_by_function(scan.context, paths, on_progress)
    except Stopped as stop:
        session.listener.notice(f"fixes of functions are not known: {stop}")
    files = scan.context.repo.files
    return with_functions(
        hotspots, {path: hot_functions(files[path].facts.functions, fixes.get(path, {})) for path in paths}
    )


def hot_functions(functions: Sequence[Function], fixes: Mapping[str, int]) -> tuple[HotFunction, ...]:
    """The functions that stand out, by the same measure as files: log2(1 + complexity) + 2 log2(1 + fixes).

    A function without a name belongs to the one around it. Of several with one name, whose fixes cannot be told apart, the most
    complex is taken.
    """
    complexity: Counter[Function] = Counter()
    for function in functions:
        complexity[_named(function, functions)] += function.cognitive_own
    candidates = [
        HotFunction(function.qualname, function.start, function.end, own, fixes.get(function.qualname, 0))
        for function, own in complexity.items()
        if not function.in_test
    ]
    simplest_first = sorted(candidates, key=lambda function: (function.complexity, -function.start))
    hot = [
        function
        for function in {function.name: function for function in simplest_first}.values()
        if function.complexity
    ]
    hot.sort(
        key=lambda function: (-log2(1 + function.complexity) - 2 * log2(1 + function.fixes), function.start)
    )
    return tuple(hot[:MAX_FUNCTIONS])


def fixes_by_function(
    context: Context, paths: Sequence[str], on_progress: Progress | None = None
) -> dict[str, dict[str, int]]:
    """By path and qualified name: how many past fixes changed the function. Stopped when it takes too long.

    Other versions of files are parsed in a process of its own: one of them may crash or occupy its grammar.
    """
    try:
        fixes = _fixes_of(context, paths)
        tree = git.find(context.repo.root)
    except Unavailable:
        return {}

    def work(progress: Progress) -> bytes:
        counts: dict[str, Counter[str]] = {}
        for done, (path, shas) in enumerate(fixes.items()):
            progress("reading fixes", done, len(fixes))
            language = context.repo.files[path].language
            name = tree.prefix + os.fsencode(path)
            counts[path] = Counter()
            try:
                for patch in read_patches(tree, shas, [name], WHOLE_FILE_LINES):
                    counts[path].update(changed_functions(patch, language))
            except Unavailable:  # a partial clone may lack the contents
                continue
        return msgspec.msgpack.encode(counts)

    return _decode_counts(run_in_worker(work, MAX_READ_SECONDS, on_progress or (lambda *_: None)))


def _fixes_of(context: Context, paths: Sequence[str]) -> dict[str, list[bytes]]:
    """By path: the newest fix commits that are known, by their full names."""
    history, tree = context[HISTORY], git.find(context.repo.root)
    short = {}
    for path in paths:
        past = history.files[path]
        short[path] = [fix.sha for fix in (*past.fixes, *past.older_fixes)][:MAX_READ_FIXES]
    wanted = sorted({sha for shas in short.values() for sha in shas})
    full = git.run(tree, "rev-parse", *wanted).split() if wanted else []
    names = dict(zip(wanted, full, strict=True))
    return {path: [names[sha] for sha in shas] for path, shas in short.items() if shas}


def changed_functions(patch: Patch, language: str) -> set[str]:
    """Qualified names of the functions around the changed lines; of a patch that only deletes, as they were before."""
    version = patch.after if patch.after.changed else patch.before
    source = b"\n".join(version.lines)
    if len(source) > MAX_VERSION_BYTES:
        return set()
    try:
        functions = read_facts(by_id[language], source).functions
    except Unreadable:
        return set()
    names = set()
    for number in version.changed:
        around = [function for function in functions if function.start <= number <= function.end]
        if around:
            innermost = min(around, key=lambda function: function.end - function.start)
            names.add(_named(innermost, functions).qualname)
    return names


def _named(function: Function, functions: Sequence[Function]) -> Function:
    """The function, or the nearest one around it that has a name."""
    while function.is_anonymous and function.parent >= 0:
        function = functions[function.parent]
    return function
