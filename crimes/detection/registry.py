"""The catalogue: every detector. Ours are found by listing their package, others by their entry points."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec

from crimes.config.loader import load_config
from crimes.config.schema import Config, DetectorConfig
from crimes.detection.detector import Detector
from crimes.model.errors import EnvironmentFault

GROUP = "crimes.detectors"
DOCS_ADDRESS = "https://github.com/crimes-cli/crimes/blob/main/docs"


@cache
def catalogue() -> Mapping[str, Detector]:
    """Detectors by id, sorted. EnvironmentFault names one that does not load or is misnamed."""
    detectors = dict(builtin())
    for name, origin, detector in _plugins():
        if detector.id in detectors:
            raise EnvironmentFault(f"detector {name!r} of {origin}: the id {detector.id!r} is already taken")
        detectors[detector.id] = detector
    return dict(sorted(detectors.items()))


def load_checked_config(root: Path, file: Path | None = None) -> Config:
    """The configuration of a repository, or of a file that was named, the options of all detectors checked."""
    return load_config(root, {id_: detector.options for id_, detector in catalogue().items()}, file)


def with_enabled(config: Config, ids: Collection[str]) -> Config:
    """The configuration with these detectors turned on; their options stay."""
    if not ids:
        return config
    turned_on = {
        id_: msgspec.structs.replace(config.detectors.get(id_, DetectorConfig()), enabled=True) for id_ in ids
    }
    return msgspec.structs.replace(config, detectors={**config.detectors, **turned_on})


def is_enabled(detector: Detector, config: Config) -> bool:
    """Whether a detector runs under this configuration."""
    settings = config.detectors.get(detector.id)
    return detector.default if settings is None or settings.enabled is None else settings.enabled


@cache
def builtin() -> Mapping[str, Detector]:
    """The detectors that come with crimes."""
    import crimes_detectors

    detectors: dict[str, Detector] = {}
    for module in sorted(pkgutil.iter_modules(crimes_detectors.__path__), key=lambda item: item.name):
        loaded = importlib.import_module(f"crimes_detectors.{module.name}")
        detector = getattr(loaded, "DETECTOR", None)
        if not isinstance(detector, Detector) or detector.id != module.name:
            raise EnvironmentFault(
                f"the detector file {module.name}.py does not define DETECTOR with that id"
            )
        page = f"{DOCS_ADDRESS}/detectors/{detector.id}.md"
        detectors[detector.id] = msgspec.structs.replace(detector, docs=page)
    return detectors


def _plugins() -> Iterator[tuple[str, str, Detector]]:
    """Detectors of other installed packages: name, package, value. Any fault in one stops the run.

    The current folder is never searched: it may be the repository to scan.
    """
    here = os.getcwd()
    folders = [folder for folder in sys.path if folder and os.path.abspath(folder) != here]
    if not any(map(_may_hold_plugins, folders)):
        return  # nearly always, and importlib.metadata is slow to import
    from importlib.metadata import distributions

    entries = {
        (point.name, point.value): (point, distribution.metadata["Name"])
        for distribution in distributions(path=folders)
        for point in distribution.entry_points
        if point.group == GROUP
    }
    for (name, _), (point, origin) in sorted(entries.items(), key=lambda item: item[0]):
        try:
            detector = point.load()
        except Exception as error:  # a foreign module may raise anything
            raise EnvironmentFault(
                f"detector {name!r} of {origin} cannot be loaded: {type(error).__name__}: {error}"
            ) from error
        if not isinstance(detector, Detector) or detector.id != name:
            raise EnvironmentFault(f"detector {name!r} of {origin} is not a Detector with that id")
        yield name, origin, detector


def _may_hold_plugins(folder: str) -> bool:
    """Whether a package installed there may bring detectors; a file (a zip archive, say) may."""
    try:
        names = os.listdir(folder)
    except OSError:
        return os.path.exists(folder)
    for name in names:
        if name.endswith((".dist-info", ".egg-info", "EGG-INFO")):
            try:
                with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                    if GROUP.encode() in file.read():
                        return True
            except OSError:  # it has none
                continue
    return False
