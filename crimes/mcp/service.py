"""What the tools of the server answer, as text: from the last scan, with its age. Nothing here knows the protocol."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from crimes.model.errors import UsageError
from crimes.model.wording import count
from crimes.workflows.live_scan import LiveScan
from crimes.workflows.session import Session

if TYPE_CHECKING:
    from crimes.system.workers import BackgroundJob

MAX_ANSWER_BYTES = 6_000
MAX_ROWS = 200  # findings, or lines
_TAIL_BYTES = 400  # for the notes after a list
_CONCISE_TOKENS = 400
_FULL_TOKENS = 1_400  # leaves room for a note on its age
_WAIT_SECONDS = 20.0  # for a scan, when there is nothing to answer from
_WAIT_SECONDS_IF_STALE = 2.0  # and when there is
_CHECK_SECONDS = 25.0


class RepositoryService:
    """Answers questions about one repository, and has it scanned when the last scan is stale."""

    def __init__(self, root: Path, wait_seconds: float = _WAIT_SECONDS) -> None:
        self._root = root.resolve()
        self._live = LiveScan(self._root)
        self._wait_seconds = wait_seconds
        self._check: BackgroundJob | None = None
        self._lock = threading.Lock()

    def file_context(self, files: Sequence[str], detail: str, limit: int) -> str:
        from crimes.render.brief import markdown
        from crimes.workflows.briefing.target import narrow

        parts = [self._locate(file) for file in files[:limit]]
        age = self._refresh()
        cached = self._live.briefings([path for path, _ in parts])
        missing = [path for path, _ in parts if path not in cached]
        briefings = [narrow(cached[path], part, self._root) for path, part in parts if path in cached]
        if not briefings:
            raise UsageError(self._missing_reason(missing, age))
        text = markdown(briefings, _CONCISE_TOKENS if detail == "concise" else _FULL_TOKENS)
        left = [*missing, *files[limit:]]
        notes = [f"Not included: {', '.join(left)}." if left else "", age]
        return fit_answer(text, notes)

    def explain(self, id_: str, detail: str, limit: int) -> str:
        from crimes.detection.registry import catalogue
        from crimes.render.explain import lines
        from crimes.render.lines import plain
        from crimes.workflows.explanation import FindingDetails
        from crimes.workflows.find_finding import check_id, find_matches
        from crimes.workflows.source_lines import read_source

        prefix = check_id(id_)
        age = self._refresh()
        report, scanned_at = self._live.report()
        withheld = report.trust.withheld.get("actions", "")
        texts = []
        for crime in find_matches(report, prefix):
            if detail == "concise":
                texts.append(
                    f"{crime.severity} {crime.type} {crime.file}:{crime.lines.start}\n{crime.message}\n"
                )
                continue
            source = read_source(self._root, crime.file, scanned_at)
            details = FindingDetails(
                crime, catalogue().get(crime.type), source, report.history, withheld=withheld
            )
            texts.append(plain(lines(details)))
        return fit_answer(first_lines("\n".join(texts), limit), [age])

    def hotspots(self, prefix: str, detail: str, limit: int) -> str:
        from crimes.model.sanitize import safe
        from crimes.render.hotspots import remarks, row, unranked_row
        from crimes.workflows.hotspots import rank_files

        age = self._refresh()
        report, _ = self._live.report()
        folder = prefix.rstrip("/")
        ranking = rank_files(report, below=(folder,) if folder else ())
        rows: list[str] = []
        room = MAX_ANSWER_BYTES - _TAIL_BYTES
        for spot in () if ranking.calm else ranking.files[:limit]:
            text = safe(row(spot, spot.rank, brief=detail == "concise"))
            room -= len(text.encode()) + 1
            if room < 0:
                break
            rows.append(text)
        rows += [safe(unranked_row(file)) for file in ranking.unranked[:limit]]
        notes = [] if ranking.calm else [safe(remaining_note(prefix, ranking.asked, len(rows), limit))]
        return fit_answer("\n".join([*rows, *map(safe, remarks(ranking))]), [*notes, age])

    def check_change(self, detail: str, limit: int) -> str:
        import msgspec

        from crimes.render.check import fit_check
        from crimes.system.workers import BackgroundJob
        from crimes.workflows.check import Check

        with self._lock:
            job, self._check = self._check or BackgroundJob(check_in_background, self._root), None
            encoded = job.result(_CHECK_SECONDS)
            if encoded is None:
                self._check = job
                return "The check is still running; ask again in a moment."
        check = msgspec.json.decode(encoded, type=Check)
        return fit_answer(
            first_lines(
                fit_check(check, _CONCISE_TOKENS if detail == "concise" else _FULL_TOKENS).markdown(), limit
            ),
            [],
        )

    def _locate(self, file: str) -> tuple[str, str]:
        """A file below the root and the part that is meant. UsageError for anything that leads out of it."""
        from crimes.workflows.briefing.target import split_target

        name, part = split_target(file, self._root)
        real = os.path.realpath(os.path.join(self._root, name))
        if not Path(real).is_relative_to(self._root):
            raise UsageError(f"{file} is outside the repository")
        return Path(real).relative_to(self._root).as_posix(), part

    def _missing_reason(self, paths: Sequence[str], age: str) -> str:
        """Why nothing is known of any of these files."""
        from crimes.workflows.briefing.target import no_file_message

        gone = [path for path in paths if not (self._root / path).is_file()]
        if gone:
            return "; ".join(no_file_message(self._root, path) for path in gone)
        names = ", ".join(paths)
        if age:
            return f"the last scan did not read {names}. {age}"
        return f"crimes does not read {names}: unsupported language, or excluded by git or the configuration"

    def _refresh(self) -> str:
        return self._live.refresh(self._wait_seconds, _WAIT_SECONDS_IF_STALE)


def remaining_note(prefix: str, number: int, shown: int, limit: int) -> str:
    """How many files are left, and the call that shows them, if there is one."""
    if shown == number:
        return ""
    if shown == limit and number <= MAX_ROWS:
        return f"{number - shown} more: call hotspots(path_prefix={prefix!r}, limit={number})"
    return f"{number - shown} more: use detail='concise', or path_prefix for one folder"


def first_lines(text: str, limit: int) -> str:
    """The first `limit` lines of a text, and how many more there are."""
    rows = text.rstrip("\n").split("\n")
    if len(rows) <= limit:
        return "\n".join(rows)
    call = f": use limit={min(len(rows), MAX_ROWS)}" if limit < MAX_ROWS else ""
    return "\n".join([*rows[:limit], f"{count(len(rows) - limit, 'more line')}{call}."])


def fit_answer(text: str, notes: Sequence[str]) -> str:
    """The text with notes after it, at most 6,000 bytes; a note says that it was cut."""
    end = "".join(f"\n{note}" for note in notes if note)
    room = MAX_ANSWER_BYTES - len(end.encode())
    data = text.encode()
    if len(data) > room:
        cut = data[: room - 60].decode("utf-8", "ignore").rpartition("\n")[0]
        text = f"{cut}\nCut here: use detail='concise' or a smaller limit."
    return text.rstrip("\n") + end


def check_in_background(root: Path) -> bytes:
    """Check the work tree; the result is JSON."""
    from crimes.model.codec import encode
    from crimes.workflows.check import check_work_tree

    return encode(check_work_tree(Session(root)))
