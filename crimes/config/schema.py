"""What a repository may set, as frozen data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from crimes.config.claims.settings import Settings
from crimes.model.layers import Layers
from crimes.model.scores import WeightsConfig


class DetectorConfig(Struct, frozen=True):
    """`enabled` None keeps the detector's own default."""

    enabled: bool | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


class Config(Struct, frozen=True):
    """What a repository may set. Patterns are gitignore patterns relative to the root."""

    source: str = ""  # the file it came from, relative to the root; empty when there is none
    roots: tuple[str, ...] = ()  # folders imports are resolved from, besides those found
    include: tuple[str, ...] = ()  # when given, only these
    exclude: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()  # files that are tests besides each language's conventions
    max_file_bytes: int = 2_000_000
    detectors: Mapping[str, DetectorConfig] = field(default_factory=dict)
    weights: WeightsConfig = field(default_factory=WeightsConfig)
    claims: Settings = field(default_factory=Settings)
    layers: Layers = field(default_factory=Layers)
