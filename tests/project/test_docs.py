"""The generated pages are fresh, `--check` notices when they are not, and what documents name exists."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import msgspec
import pytest

from benchmarks.precision.labels import precision_of
from crimes.config.loader import load_config
from crimes.detection.registry import builtin, catalogue
from crimes.render.precision_text import precision_text
from crimes.workflows.precision import measured_precision
from docs import generate
from docs.generators.detectors import page
from docs.generators.precision import precision_table
from tests.kit.paths import ROOT


def test_the_pages_are_fresh() -> None:
    assert generate.stale(generate.FOLDER, generate.pages(catalogue())) == []


def test_check_lists_a_missing_a_changed_and_a_left_over_page(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    tmp_path = tmp_path / "docs"
    (tmp_path.parent / "crimes" / "workflows").mkdir(parents=True)
    tmp_path.mkdir()
    monkeypatch.setattr(generate, "FOLDER", tmp_path)
    (tmp_path.parent / "crimes" / "judging").mkdir()
    for name in ("formats.md", "precision.md", "fleet.md"):
        (tmp_path / name).write_text((ROOT / "docs" / name).read_text())
    generate.main([])
    assert generate.main(["--check"]) == 0
    first, second = sorted(catalogue())[:2]
    pages = tmp_path / "detectors"
    (pages / f"{first}.md").unlink()
    (pages / f"{second}.md").write_text("edited by hand")
    (pages / "gone.md").write_text("a detector of the past")
    table = (tmp_path / "formats.md").read_text()
    (tmp_path / "formats.md").write_text(table.replace("| `json` |", "| `yaml` |"))
    (tmp_path / "commands.md").write_text("edited by hand")
    (tmp_path / "crimes.schema.json").unlink()
    (tmp_path.parent / "crimes" / "workflows" / "precision.json").write_text("{}")
    (tmp_path.parent / "crimes" / "judging" / "signal_values.json").write_text("{}")
    calibration = (tmp_path / "precision.md").read_text()
    (tmp_path / "precision.md").write_text(calibration.replace("| strong |", "| sure |"))
    capsys.readouterr()
    assert generate.main(["--check"]) == 1
    listed = {line.split(";")[0].rpartition("/")[2] for line in capsys.readouterr().out.splitlines()}
    assert listed == {
        f"{first}.md",
        f"{second}.md",
        "gone.md",
        "formats.md",
        "commands.md",
        "crimes.schema.json",
        "precision.json",
        "precision.md",
        "signal_values.json",
    }
    generate.main([])
    assert generate.main(["--check"]) == 0


def test_shipped_precision_is_that_of_the_labels() -> None:
    table = precision_table(builtin())
    assert (generate.FOLDER / generate.PRECISION_TABLE).read_text(encoding="utf-8") == table
    judged = measured_precision()["god_function"]
    labels = precision_of("god_function")
    assert labels is not None
    assert (judged.judged, judged.wrong) == (labels.read, labels.false)
    assert judged.useful_percent == round(100 * labels.good)


def test_page_contains_the_documentation_of_its_detector() -> None:
    for detector in catalogue().values():
        text = page(detector)
        assert detector.doc.strip() in text
        assert f"[detectors.{detector.id}]" in text
        assert all(f"| `{field.name}` |" in text for field in dataclasses.fields(detector.options))
        assert "## Examples" not in text, "test fixtures are no documentation"


def test_page_states_the_measured_precision_of_its_detector() -> None:
    detector = catalogue()["god_function"]
    precision = precision_of(detector.id)
    assert precision is not None
    assert f"{precision.findings} findings in {precision.repositories} public repositories " in page(detector)
    explained = precision_text(measured_precision()[detector.id], detector.kind)
    assert explained in page(detector), "the page and `explain` say the same"
    assert "Not measured yet." in page(msgspec.structs.replace(detector, id="never_measured"))


def test_links_between_the_documents_lead_somewhere() -> None:
    for document in (
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("docs/decisions/*.md"),
        *ROOT.glob("*/README.md"),
    ):
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_files_named_in_the_documents_exist() -> None:
    names = re.compile(r"`((?:crimes|detectors|tests|docs|benchmarks|sample_repos)/[\w/.-]+)`")
    for document in (
        ROOT / "CONTRIBUTING.md",
        ROOT / "docs/architecture.md",
        *ROOT.glob("docs/decisions/*.md"),
    ):
        for name in names.findall(document.read_text(encoding="utf-8")):
            assert (ROOT / name).exists(), f"{document.name} names {name}"


def test_the_configuration_in_the_readme_is_accepted(tmp_path: Path) -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "crimes.toml").write_text(block)
    config = load_config(tmp_path, {id_: detector.options for id_, detector in catalogue().items()})
    assert config.exclude
    assert config.detectors["hollow_test"].enabled is False
