"""The catalogue: every detector. Ours are found by listing their package, others by their entry points."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from functools import cache

from crimes.detection.detector import Detector
from crimes.model.errors import EnvironmentFault

GROUP = "crimes.detectors"


@cache
def catalogue() -> Mapping[str, Detector]:
    """Detectors by id, sorted. One that does not load, or is misnamed, stops the run with its name."""
    found = dict(builtin())
    for name, origin, detector in _plugins():
        if detector.id in found:
            raise EnvironmentFault(
                f"the detector {name!r} of {origin}: there is another {detector.id!r} already"
            )
        found[detector.id] = detector
    return dict(sorted(found.items()))


@cache
def builtin() -> Mapping[str, Detector]:
    """The detectors that come with crimes."""
    import crimes_detectors

    found: dict[str, Detector] = {}
    for module in sorted(pkgutil.iter_modules(crimes_detectors.__path__), key=lambda item: item.name):
        loaded = importlib.import_module(f"crimes_detectors.{module.name}")
        detector = getattr(loaded, "DETECTOR", None)
        if not isinstance(detector, Detector) or detector.id != module.name:
            raise EnvironmentFault(
                f"the detector file {module.name}.py does not define DETECTOR with that id"
            )
        found[detector.id] = detector
    return found


def _plugins() -> Iterator[tuple[str, str, Detector]]:
    """Detectors of other installed packages: name, where from, value. Any fault in one stops the run.

    The folder we stand in is never searched: it may be the repository under investigation.
    """
    here = os.getcwd()
    places = [place for place in sys.path if place and os.path.abspath(place) != here]
    if not any(map(_names_our_group, places)):
        return  # as nearly everywhere: what could load them need not be imported
    from importlib.metadata import distributions

    entries = {
        (point.name, point.value): (point, found.metadata["Name"])
        for found in distributions(path=places)
        for point in found.entry_points
        if point.group == GROUP
    }
    for (name, _), (point, origin) in sorted(entries.items(), key=lambda item: item[0]):
        try:
            detector = point.load()
        except Exception as error:  # whatever a stranger's module raises, the user reads its name
            raise EnvironmentFault(
                f"the detector {name!r} of {origin} does not load: {type(error).__name__}: {error}"
            ) from error
        if not isinstance(detector, Detector) or detector.id != name:
            raise EnvironmentFault(f"the detector {name!r} of {origin} is not a Detector with that id")
        yield name, origin, detector


def _names_our_group(place: str) -> bool:
    """Whether a package installed there may bring detectors; what is no folder may hold anything."""
    try:
        names = os.listdir(place)
    except OSError:
        return os.path.exists(place)
    for name in names:
        if name.endswith((".dist-info", ".egg-info", "EGG-INFO")):
            try:
                with open(os.path.join(place, name, "entry_points.txt"), "rb") as file:
                    if GROUP.encode() in file.read():
                        return True
            except OSError:  # it has none
                continue
    return False
