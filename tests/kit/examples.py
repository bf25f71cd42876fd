"""Builds a detector's example as a real repository and scans it with that detector alone."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from crimes.config.loader import load_config
from crimes.config.schema import DetectorConfig
from crimes.detection.detector import Detector, Example
from crimes.detection.registry import catalogue
from crimes.engine.scan import scan
from crimes.model.report import Report
from tests.kit.gitrepo import GitRepo

_MODULES = 12
SURROUNDINGS = {
    "around/__init__.py": "",
    **{
        f"around/m{number}.py": f"from around.m{number + 1} import f as g\n\n\ndef f():\n    return g()\n"
        for number in range(_MODULES)
    },
    f"around/m{_MODULES}.py": "def f():\n    return 1\n",
}


def run(detector: Detector, example: Example, folder: Path) -> Report:
    """The report on the example, with its options and its crimes.toml, and every other detector off."""
    repo = GitRepo(folder)
    for commit in example.history:
        repo.commit(commit.files, commit.message, days_ago=commit.days_ago, author=commit.author)
    repo.commit(example.files, "The example")
    detectors = {id_: DetectorConfig(enabled=False) for id_ in catalogue()}
    detectors[detector.id] = DetectorConfig(enabled=True, options=example.options)
    config = replace(load_config(folder, None), detectors=detectors)
    report = scan(folder, config).report
    if not report.imports.unresolved or report.imports.unresolved < report.imports.internal:
        return report
    # An example that is about imports which lead nowhere stands in a repository where most lead somewhere.
    repo.commit(SURROUNDINGS, "The rest of the repository")
    return scan(folder, config).report
