"""A store of analysis results that lives in memory."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class FakeMemoStore:
    """Keeps what is saved; `contents` are the content keys by path."""

    contents: dict[str, bytes]
    saved: dict[str, bytes] = field(default_factory=dict)

    def content_key(self, path: str) -> bytes:
        return self.contents.get(path, b"")

    def load(self, name: str) -> bytes | None:
        return self.saved.get(name)

    def save(self, name: str, value: bytes) -> None:
        self.saved[name] = value
