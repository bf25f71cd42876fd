"""What the tools of the server answer: from the last scan, with its age. Nothing here knows the protocol."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from crimes.mcp import answers
from crimes.mcp.arguments import check_argument
from crimes.model.errors import UsageError
from crimes.render.fitting import BYTES_PER_TOKEN
from crimes.workflows.live_scan import LiveScan
from crimes.workflows.session import Session

if TYPE_CHECKING:
    from crimes.system.workers import BackgroundJob
    from crimes.workflows.briefing.record import Briefing

MAX_ANSWER_BYTES = 6_000
MAX_ROWS = 200  # files
MAX_FILES = 8  # of one file_context
_TAIL_BYTES = 400  # for the notes after a list
_CONCISE_TOKENS = 400
_FULL_TOKENS = 1_400  # leaves room for a note on its age
_WAIT_SECONDS = 20.0  # for a scan, when there is nothing to answer from
_WAIT_SECONDS_IF_STALE = 2.0  # and when there is
_CHECK_SECONDS = 25.0


class Reply(NamedTuple):
    """An answer twice: agents show their model either the text or the data, so each has to stand alone."""

    text: str
    data: dict[str, Any]


class RepositoryService:
    """Answers questions about one repository, and has it scanned when the last scan is stale."""

    def __init__(self, root: Path, wait_seconds: float = _WAIT_SECONDS) -> None:
        self._root = root.resolve()
        self._live = LiveScan(self._root)
        self._wait_seconds = wait_seconds
        self._check: BackgroundJob | None = None
        self._lock = threading.Lock()

    def file_context(self, files: Sequence[str], detail: str) -> Reply:
        from crimes.mcp.data import file_data
        from crimes.render.brief import markdown

        parts = [self._locate(file) for file in files[:MAX_FILES]]
        briefings, missing, age = self._briefings(parts)
        text = markdown(briefings, _tokens(detail))
        left = [*missing, *files[MAX_FILES:]]
        notes = [f"Not included: {', '.join(left)}." if left else "", age]
        answer = answers.FileContext(
            files=[file_data(briefing) for briefing in briefings], trust=briefings[0].trust
        )
        return reply(text, answer, notes, detail, MAX_FILES, "files")

    def impact(self, symbol: str) -> Reply:
        from crimes.mcp.data import impact_data
        from crimes.render.impact import markdown
        from crimes.workflows.briefing.target import no_symbol_message, symbols_asked_for

        path, part = self._locate(symbol)
        (briefing, *_), _, age = self._briefings([(path, part)])
        if not symbols_asked_for(briefing):
            raise UsageError(no_symbol_message(briefing, part))
        return reply(markdown(briefing, _FULL_TOKENS), impact_data(briefing), [age])

    def explain(self, id_: str, detail: str) -> Reply:
        from crimes.detection.registry import catalogue
        from crimes.mcp.data import explained_data
        from crimes.model.sanitize import safe
        from crimes.render.explain import lines
        from crimes.render.lines import plain
        from crimes.workflows.explanation import FindingDetails
        from crimes.workflows.find_finding import check_id, find_matches
        from crimes.workflows.source_lines import read_source

        prefix = check_id(check_argument(id_))
        age = self._refresh()
        report, scanned_at = self._live.report()
        withheld = report.trust.withheld.get("actions", "")
        matches = find_matches(report, prefix)
        label = safe(report.trust.caveat)
        texts = [f"Trust: {label}\n"] if label and detail == "concise" else []
        for crime in matches:
            if detail == "concise":
                texts.append(
                    f"{crime.severity} {crime.type} {crime.file}:{crime.lines.start}\n{crime.message}\n"
                )
                continue
            source = read_source(self._root, crime.file, scanned_at)
            details = FindingDetails(
                crime,
                catalogue().get(crime.type),
                source,
                report.history,
                withheld=withheld,
                trust=report.trust.caveat,
            )
            texts.append(plain(lines(details)))
        explained = [explained_data(crime, with_advice=not withheld) for crime in matches]
        return reply(
            "\n".join(texts),
            answers.Explanation(findings=explained, trust=report.trust.caveat),
            [f"no advice: {withheld}" if withheld else "", age],
            detail,
        )

    def hotspots(self, prefix: str, limit: int) -> Reply:
        from crimes.mcp.data import hot_files
        from crimes.model.sanitize import safe
        from crimes.render.hotspots import remarks, row, unranked_row
        from crimes.workflows.hotspots import rank_files

        check_argument(prefix)
        age = self._refresh()
        report, _ = self._live.report()
        folder = prefix.rstrip("/")
        ranking = rank_files(report, below=(folder,) if folder else (), top=limit)
        rows: list[str] = []
        room = MAX_ANSWER_BYTES - _TAIL_BYTES
        for text in (
            *(row(spot, spot.rank) for spot in (() if ranking.calm else ranking.files)),
            *map(unranked_row, ranking.unranked),
        ):
            room -= len(safe(text).encode()) + 1
            if room < 0:
                break
            rows.append(safe(text))
        notes = [] if ranking.calm else [safe(remaining_note(prefix, ranking.asked, len(rows), limit))]
        said = [safe(text) for text in remarks(ranking)]
        answer = answers.HotFiles(
            files=hot_files(ranking),
            unranked=[*map(unranked_row, ranking.unranked)],
            notes=said,
            trust=ranking.trust,
        )
        return reply("\n".join([*said, *rows]), answer, [*notes, age])

    def check_change(self, detail: str) -> Reply:
        from crimes.mcp.data import check_data
        from crimes.render.check import fit_check
        from crimes.system.workers import BackgroundJob
        from crimes.workflows.check import Check

        with self._lock:
            job, self._check = self._check or BackgroundJob(check_in_background, self._root), None
            encoded = job.result(_CHECK_SECONDS)
            if encoded is None:
                self._check = job
                note = "The check is still running; ask again in a moment."
                return reply(note, answers.ChangeCheck(verdict="unknown", notes=[note]), [])
        check = msgspec.json.decode(encoded, type=Check)
        return reply(fit_check(check, _tokens(detail)).markdown(), check_data(check), [], detail)

    def _briefings(self, parts: Sequence[tuple[str, str]]) -> tuple[list[Briefing], list[str], str]:
        """The briefings of these files or parts, the files that have none, and how old that is. UsageError if none has one."""
        from crimes.workflows.briefing.calls import with_signatures, with_uses
        from crimes.workflows.briefing.target import narrow

        age = self._refresh()
        cached = self._live.briefings([path for path, _ in parts])
        missing = [path for path, _ in parts if path not in cached]
        narrowed = [narrow(cached[path], part, self._root) for path, part in parts if path in cached]
        if not narrowed:
            raise UsageError(self._missing_reason(missing, age))
        session = Session(self._root)
        found = [with_signatures(with_uses(briefing, session), self._root) for briefing in narrowed]
        return found, missing, age

    def _locate(self, file: str) -> tuple[str, str]:
        """A file below the root and the part that is meant. UsageError for anything that leads out of it."""
        from crimes.workflows.briefing.target import split_target

        name, part = split_target(check_argument(file), self._root)
        real = os.path.realpath(os.path.join(self._root, name))
        if not Path(real).is_relative_to(self._root):
            raise UsageError(f"{file} is outside the repository")
        return Path(real).relative_to(self._root).as_posix(), part

    def _missing_reason(self, paths: Sequence[str], age: str) -> str:
        """Why nothing is known of any of these files."""
        from crimes.workflows.briefing.target import no_file_message

        gone = [path for path in paths if not os.path.isfile(self._root / path)]
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
    return f"{number - shown} more: use path_prefix for one folder"


def reply(
    text: str,
    answer: answers.Answer,
    notes: Sequence[str],
    detail: str = "full",
    max_rows: int = MAX_ROWS,
    whole: str = "",
) -> Reply:
    """Both halves of an answer, each with its notes and within 6,000 bytes."""
    from crimes.mcp.data import to_fitting_dict

    answer = answer.model_copy(update={"notes": [*answer.notes, *filter(None, notes)]})
    max_bytes = MAX_ANSWER_BYTES if detail == "full" else _CONCISE_TOKENS * BYTES_PER_TOKEN
    return Reply(fit_answer(text, notes), to_fitting_dict(answer, max_bytes, max_rows, whole))


def _tokens(detail: str) -> int:
    return _CONCISE_TOKENS if detail == "concise" else _FULL_TOKENS


def fit_answer(text: str, notes: Sequence[str]) -> str:
    """The text with notes after it, at most 6,000 bytes; a note says that it was cut."""
    end = "".join(f"\n{note}" for note in notes if note)
    room = MAX_ANSWER_BYTES - len(end.encode())
    data = text.encode()
    if len(data) > room:
        cut = data[: room - 60].decode("utf-8", "ignore").rpartition("\n")[0]
        text = f"{cut}\nCut here: ask for less, or use detail='concise'."
    return text.rstrip("\n") + end


def check_in_background(root: Path) -> bytes:
    """Check the work tree; the result is JSON."""
    from crimes.model.codec import encode
    from crimes.workflows.check import check_work_tree

    return encode(check_work_tree(Session(root)))
