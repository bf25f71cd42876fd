"""Settings, from the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    database: str
    provider_url: str
    provider_key: str
    sender: str
    max_attempts: int


def load() -> Settings:
    return Settings(
        database=os.environ.get("TOLLGATE_DATABASE", "tollgate.db"),
        provider_url=os.environ.get("TOLLGATE_PROVIDER_URL", "https://provider.example"),
        provider_key=os.environ["TOLLGATE_PROVIDER_KEY"],
        sender=os.environ.get("TOLLGATE_SENDER", "billing@tollgate.example"),
        max_attempts=int(os.environ.get("TOLLGATE_MAX_ATTEMPTS", "4")),
    )
