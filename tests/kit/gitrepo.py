"""Small real git repositories for tests: fixed identity and dates, deaf to the configuration of the machine."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

NOW = datetime(2025, 6, 1, 12, 0, tzinfo=UTC)  # what `days_ago` counts back from
ADA = "Ada <ada@example.org>"
PAST_COMMITS, PAST_DAYS = 10, 30  # what a scan needs to judge a repository


class GitRepo:
    """A repository at `path`, made on the spot. Commit oldest first.

    Before the first commit it gets a `past` of commits that change nothing, for a repository without one is not judged.
    """

    def __init__(self, path: Path, *, past: bool = True) -> None:
        self.path = path
        self._needs_past = past
        path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    @classmethod
    def clone(cls, source: GitRepo, path: Path, *options: str) -> GitRepo:
        """A clone over the real transport, so that options such as `--depth=1` take effect."""
        source.git("clone", "-q", *options, source.path.as_uri(), str(path))
        made = cls.__new__(cls)
        made.path = path
        made._needs_past = False
        return made

    def git(self, *arguments: str, when: datetime = NOW, author: str = ADA, stdin: str = "") -> str:
        """Run git in here and return what it prints, without the last newline."""
        done = subprocess.run(
            ("git", "-c", "protocol.file.allow=always", *arguments),
            cwd=self.path,
            input=stdin.encode(),
            env=_environment(when, author),
            check=False,
            capture_output=True,
        )
        if done.returncode != 0:
            raise AssertionError(f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace')}")
        return os.fsdecode(done.stdout).removesuffix("\n")

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files below the root; None deletes."""
        for name, content in files.items():
            path = self.path / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(
        self,
        files: Mapping[str, str | bytes | None],
        message: str = "Change",
        *,
        days_ago: float = 0,
        when: datetime | None = None,
        author: str = ADA,
    ) -> str:
        """Write files (None deletes) and commit all there is. Returns the commit's id."""
        self.write(files)
        moment = when or NOW - timedelta(days=days_ago)
        self.make_past(moment)
        self.git("add", "--all")
        self.git("commit", "-q", "--allow-empty", "-m", message, when=moment, author=author)
        return self.git("rev-parse", "HEAD")

    def make_past(self, until: datetime) -> None:
        """Commits that change nothing, the last of them a month before a moment; none if there is a past."""
        if not self._needs_past:
            return
        self._needs_past = False
        end = int(until.timestamp()) - PAST_DAYS * 86_400
        person = f"{ADA} %d +0000\n"
        moments = (end - number * 86_400 for number in reversed(range(PAST_COMMITS)))
        commits = (f"commit refs/heads/main\ncommitter {person % moment}data 4\nPast\n" for moment in moments)
        self.git("fast-import", "--quiet", stdin="".join(commits))

    def rename(self, old: str, new: str, message: str = "Move", *, days_ago: float = 0) -> str:
        """Move a file, unchanged, and commit that."""
        (self.path / new).parent.mkdir(parents=True, exist_ok=True)
        (self.path / old).rename(self.path / new)
        return self.commit({}, message, days_ago=days_ago)

    def delete(self, path: str, message: str = "Delete", *, days_ago: float = 0) -> str:
        """Delete a file and commit that."""
        return self.commit({path: None}, message, days_ago=days_ago)


def _environment(when: datetime, author: str) -> dict[str, str]:
    name, _, email = author.partition(" <")
    date = f"{int(when.timestamp())} +0000"
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return kept | {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": email.removesuffix(">"),
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": email.removesuffix(">"),
        "GIT_COMMITTER_DATE": date,
        "LC_ALL": "C",
    }
