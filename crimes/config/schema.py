"""What a repository may set, as frozen data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from crimes.config.claims.settings import Settings
from crimes.model.layers import Layers
from crimes.model.scores import WeightsConfig


class DetectorConfig(Struct, frozen=True):
    """Settings of one detector; `enabled` None keeps its own default."""

    enabled: bool | None = None  # whether the detector runs
    options: Mapping[str, Any] = field(default_factory=dict)  # its own options by name


class Config(Struct, frozen=True):
    """What a repository may set. Patterns are gitignore patterns relative to the root."""

    source: str = ""  # the file it came from, relative to the root; empty when there is none
    # folders that imports start from, besides those found; relative to the root, with `/`
    roots: tuple[str, ...] = ()
    include: tuple[str, ...] = ()  # gitignore patterns; when given, only files they match are read
    exclude: tuple[str, ...] = ()  # gitignore patterns of files to leave out, besides what git ignores
    # gitignore patterns of files that are tests, besides those known by their language's conventions
    tests: tuple[str, ...] = ()
    max_file_bytes: int = 2_000_000  # larger files are not read, and the report says so
    # settings of each detector by its id; detectors of plugins are set in the same way
    detectors: Mapping[str, DetectorConfig] = field(default_factory=dict)
    # weights of agent_risk: each from 0 to 1 with at most two decimals, and all sum to 1
    weights: WeightsConfig = field(default_factory=WeightsConfig)
    claims: Settings = field(default_factory=Settings)  # how `crimes claims` rates a statement
    layers: Layers = field(default_factory=Layers)  # which part of the code may import which
