"""The report as a page: a map of the repository, its findings, and what was not read, in one file."""

from __future__ import annotations

from collections.abc import Mapping

from crimes.detection.detector import Detector
from crimes.model.report import Report
from crimes.render.checkout import Checkout
from crimes.render.html.map_page import map_page
from crimes.workflows.repository_map import RepositoryMap, map_of_report


def render(
    report: Report,
    *,
    checkout: Checkout,
    detectors: Mapping[str, Detector],
    repository_map: RepositoryMap | None,
) -> bytes:
    """The page; without a map of the repository it shows what the report alone says, and says so."""
    return map_page(report, repository_map or map_of_report(report), detectors, checkout.read)
