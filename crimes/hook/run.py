"""`crimes hook`: reads a hook's JSON on stdin and prints advice in the agent's format, or nothing.

Whatever goes wrong, nothing is printed and the exit code is 0: advice must never stop an agent.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from crimes.hook.cached_briefings import has_scan, load_briefings, root_of
from crimes.hook.call import Call, answer, read_call, refusal
from crimes.hook.relevance import THRESHOLD, is_never_edited, relevance
from crimes.render.brief import MIN_BUDGET, markdown
from crimes.render.fitting import code_span
from crimes.system.session_log import mark_told, not_yet_told
from crimes.workflows.briefing.signatures import WITH_SIGNATURES, signatures

_BUDGET = 600  # tokens
_MAX_INPUT_CHARS = 8_000_000
_MAX_FILES_PER_CALL = 8
_NO_SCAN = (
    "crimes has no scan of this repository yet. Run `crimes scan` once, and each file's risks, users and tests are "
    "shown before it is edited.\n"
)
_MAX_SOURCE_BYTES = 4_000_000
_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def main(arguments: Sequence[str]) -> int:
    """Answer one call. The exit code is 0, whatever happens."""
    try:
        options = _options(arguments)
        call = read_call(sys.stdin.read(_MAX_INPUT_CHARS))
        response = _response(call, options) if call else None
        if response is not None:
            sys.stdout.write(json.dumps(response) + "\n")
            sys.stdout.flush()
    except BaseException as fault:
        if os.environ.get("CRIMES_DEBUG"):
            raise
        _discard_stdout()
        raise SystemExit(0) from fault
    return 0


class Options(NamedTuple):
    """What the command line of the hook may set."""

    threshold: float = THRESHOLD
    budget: float = _BUDGET
    block: bool = False
    root: str = ""  # the repository to speak about; empty: the one the file is in


def _options(arguments: Sequence[str]) -> Options:
    """`--threshold 0.5`, `--budget 600`, `--block`, `--root DIR`; ValueError for anything else."""
    options = Options()
    words = iter(arguments)
    for word in words:
        match word:
            case "--block":
                options = options._replace(block=True)
            case "--threshold":
                options = options._replace(threshold=float(next(words, "")))
            case "--budget":
                options = options._replace(budget=float(next(words, "")))
            case "--root":
                options = options._replace(root=os.path.realpath(next(words)))
            case _:
                raise ValueError(word)
    return options


def _response(call: Call, options: Options) -> dict[str, object] | None:
    """The JSON to print; None when there is nothing worth saying."""
    folder, names = call.folder or options.root or os.getcwd(), call.files[:_MAX_FILES_PER_CALL]
    files = [os.path.realpath(os.path.join(folder, name)) for name in names]
    root = (options.root or root_of(files[0])) if files else ""
    if not root:
        return None
    if not has_scan(root):
        return _without_scan(call, root)
    paths = [os.path.relpath(file, root).replace(os.sep, "/") for file in files]
    cached = load_briefings(root, [path for path in paths if not path.startswith("../")])
    if options.block:
        never = [entry.briefing for entry in cached.values() if is_never_edited(entry.briefing)]
        denied = refusal(call, markdown(never, MIN_BUDGET)) if never else None
        if denied is not None:
            return denied
    relevant = [path for path, entry in cached.items() if relevance(entry.briefing) >= options.threshold]
    new = not_yet_told(call.session, root, relevant)
    if not new:
        return None
    for path in new:
        _add_signatures(cached[path].briefing, os.path.join(root, path))
    text = markdown([cached[path].briefing for path in new], max(MIN_BUDGET, int(options.budget)))
    scan_ns = cached[new[0]].scan_ns  # the same for all
    response = answer(call, f"{text}From a scan {_age(scan_ns)} ago{_changes(root, new, scan_ns)}.\n")
    if response is not None:
        mark_told(call.session, root, new)
    return response


def _without_scan(call: Call, root: str) -> dict[str, object] | None:
    """How to make the first scan, once in a session; None in one that has no name, or has been told."""
    if not call.session or not not_yet_told(call.session, root, [_NO_SCAN]):
        return None
    response = answer(call, _NO_SCAN)
    if response is not None:
        mark_told(call.session, root, [_NO_SCAN])
    return response


def _add_signatures(briefing: Any, file: str) -> None:
    """Give the symbols of a cached briefing the signatures that the source has now, as the command does."""
    if briefing.role not in WITH_SIGNATURES:
        return
    try:
        with open(file, "rb") as source:
            lines = source.read(_MAX_SOURCE_BYTES).decode("utf-8", "backslashreplace").splitlines()
    except OSError:
        return
    texts = signatures(lines, briefing.symbols, briefing.language)
    for symbol in briefing.symbols:
        symbol.signature = texts.get((symbol.name, symbol.start), "")


def _age(scan_ns: int) -> str:
    """The time since the scan, in its largest unit."""
    seconds = max(0, int(time.time() - scan_ns / 1e9))
    size, unit = next(((size, unit) for size, unit in _UNITS if seconds >= size), (1, "second"))
    number = seconds // size
    return f"{number} {unit}{'' if number == 1 else 's'}"


def _changes(root: str, paths: Sequence[str], scan_ns: int) -> str:
    """Which of the files have changed since the scan; deleted ones have no lines that could have moved."""
    changed = []
    for path in paths:
        try:
            if os.path.getmtime(os.path.join(root, path)) * 1e9 > scan_ns:
                changed.append(code_span(path))
        except OSError:
            continue
    if not changed:
        return ""
    which = "the file has changed since" if len(paths) == 1 else f"changed since: {', '.join(changed)}"
    return f"; {which}, so lines may have moved"


def _discard_stdout() -> None:
    """Keep the interpreter from complaining at exit about a closed pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
