"""`crimes hook`: reads a hook's JSON on stdin and prints advice in the words of the agent, or nothing.

Whatever goes wrong, nothing is printed and the exit code is 0: an agent must not stop because of its adviser.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence

from crimes.hook.cached_briefings import CachedBriefing, known, root_of
from crimes.hook.call import Call, answer, read_call, refusal
from crimes.hook.relevance import THRESHOLD, is_never_edited, relevance
from crimes.hook.session_log import note, unsaid
from crimes.render.brief import LEAST, markdown
from crimes.render.fitting import code

_BUDGET = 600  # tokens
_LONGEST = 8_000_000  # characters of input
_FILES = 8  # of one call
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def main(arguments: Sequence[str]) -> int:
    """Answer one call. The exit code is 0, whatever happens."""
    try:
        options = _options(arguments)
        call = read_call(sys.stdin.read(_LONGEST))
        said = _advice(call, **options) if call else None
        if said is not None:
            sys.stdout.write(json.dumps(said) + "\n")
            sys.stdout.flush()
    except BaseException as fault:
        if os.environ.get("CRIMES_DEBUG"):
            raise
        _forget_stdout()
        raise SystemExit(0) from fault
    return 0


def _options(arguments: Sequence[str]) -> dict[str, float]:
    """`--threshold 0.5`, `--budget 600`, `--block`; ValueError for anything else."""
    found = {"threshold": THRESHOLD, "budget": float(_BUDGET), "block": 0.0}
    words = iter(arguments)
    for word in words:
        if word == "--block":
            found["block"] = 1.0
        elif word in ("--threshold", "--budget"):
            found[word[2:]] = float(next(words, ""))
        else:
            raise ValueError(word)
    return found


def _advice(call: Call, *, threshold: float, budget: float, block: float) -> dict[str, object] | None:
    """What to answer, None when there is nothing worth a word."""
    files = [os.path.realpath(os.path.join(call.folder or os.getcwd(), file)) for file in call.files[:_FILES]]
    root = root_of(files[0]) if files else ""
    if not root:
        return None
    inside = [os.path.relpath(file, root).replace(os.sep, "/") for file in files]
    paths = [path for path in inside if not path.startswith("../")]
    found = known(root, paths)
    if block:
        never = [one for one in found.values() if is_never_edited(one.briefing)]
        denied = refusal(call, markdown([one.briefing for one in never], LEAST)) if never else None
        if denied is not None:
            return denied
    wanted = [path for path in found if relevance(found[path].briefing) >= threshold]
    wanted = unsaid(call.session, root, wanted)
    if not wanted:
        return None
    text = markdown([found[path].briefing for path in wanted], max(LEAST, int(budget)))
    said = answer(call, f"{text}{_age(root, found, wanted)}\n")
    if said is not None:
        note(call.session, root, wanted)
    return said


def _age(root: str, found: Mapping[str, CachedBriefing], told: Sequence[str]) -> str:
    """How old the facts are, and which of the files have changed since."""
    taken = found[told[0]].taken  # all are of one scan
    seconds = max(0, int(time.time() - taken / 1e9))
    unit, name = next(
        (
            (unit, name)
            for unit, name in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute"))
            if seconds >= unit
        ),
        (1, "second"),
    )
    number = seconds // unit
    return f"From the scan {number} {name}{'' if number == 1 else 's'} ago{_since(root, told, taken)}."


def _since(root: str, told: Sequence[str], taken: int) -> str:
    """Which of the files have changed since the scan; one that is gone has no lines that could have moved."""
    changed = []
    for path in told:
        try:
            if os.path.getmtime(os.path.join(root, path)) * 1e9 > taken:
                changed.append(code(path))
        except OSError:
            continue
    if not changed:
        return ""
    which = "the file has changed since" if len(told) == 1 else f"changed since: {', '.join(changed)}"
    return f"; {which}, lines may have moved"


def _forget_stdout() -> None:
    """A reader that left must not make the interpreter complain at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
