"""`crimes context FILE --format json|md` for a tree that did not change, answered before the command line is even built.

Whatever is not exactly that, or not known, is left to the command itself.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

_FORMATS = ("json", "md")
_FLAGS = ("--format", "-f")


def answered(arguments: Sequence[str]) -> bool:
    """Whether the question was answered."""
    asked = _asked(arguments)
    if asked is None or sys.stdout is None:
        return False
    from crimes.errors import CrimesError
    from crimes.roots import chosen_file

    file, format_ = asked
    try:
        root, path = chosen_file(Path(file))
    except (CrimesError, OSError, ValueError):
        return False
    data = known_briefing(root, path)
    if data is None:
        return False
    sys.stdout.buffer.write(_shown(data, format_))
    sys.stdout.buffer.flush()
    return True


def _asked(arguments: Sequence[str]) -> tuple[str, str] | None:
    """The file and the format, when nothing else was said."""
    match list(arguments):
        case ["context", file, flag, format_] if flag in _FLAGS:
            pass
        case ["context", flag, format_, file] if flag in _FLAGS:
            pass
        case _:
            return None
    return None if file.startswith("-") or format_ not in _FORMATS else (file, format_)


def known_briefing(root: Path, path: str) -> bytes | None:
    """The briefing of a file as it was kept, when the tree is what it was. Notices are left to who scans."""
    from crimes.cache.answers import Answers, answers_key

    answers = Answers(root.resolve(), answers_key(None, ()), lambda text: None)
    try:
        return answers.briefing(path) if answers.still_hold() else None
    finally:
        answers.cache.close()


def _shown(data: bytes, format_: str) -> bytes:
    import msgspec

    from crimes.briefing.record import Briefing

    briefing = msgspec.msgpack.decode(data, type=Briefing)
    if format_ == "json":
        from crimes.report_json import encode

        return encode(briefing)
    from crimes.views.context import markdown

    return markdown(briefing).encode()
