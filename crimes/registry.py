"""The catalogue: every detector, found by listing its package. No registration line anywhere."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from crimes.detector import Detector
from crimes.errors import EnvironmentFault


@cache
def catalogue() -> Mapping[str, Detector]:
    """Detectors by id, sorted. One that does not load, or is misnamed, stops the run with its name."""
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
