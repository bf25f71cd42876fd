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


def run(detector: Detector, example: Example, folder: Path) -> Report:
    """The report on the example, with its options and its crimes.toml, and every other detector off."""
    repo = GitRepo(folder)
    for commit in example.history:
        repo.commit(commit.files, commit.message, days_ago=commit.days_ago, author=commit.author)
    repo.commit(example.files, "The example")
    detectors = {id_: DetectorConfig(enabled=False) for id_ in catalogue()}
    detectors[detector.id] = DetectorConfig(enabled=True, options=example.options)
    return scan(folder, replace(load_config(folder, None), detectors=detectors)).report
