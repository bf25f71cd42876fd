"""The generated pages are those of the present catalogue, and --check notices when they are not."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.precision.labels import precision_of
from crimes.config.loader import load_config
from crimes.detection.registry import builtin, catalogue
from crimes.workflows.precision import measured_precision
from tests.kit.paths import ROOT


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_fresh(generate: ModuleType) -> None:
    assert generate.stale(generate.FOLDER, generate.pages(catalogue())) == []


def test_check_lists_a_missing_a_changed_and_a_left_over_page(
    generate: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(generate, "FOLDER", tmp_path)
    (tmp_path / "formats.md").write_text((ROOT / "docs/formats.md").read_text())
    generate.main([])
    assert generate.main(["--check"]) == 0
    first, second = sorted(catalogue())[:2]
    pages = tmp_path / "detectors"
    (pages / f"{first}.md").unlink()
    (pages / f"{second}.md").write_text("edited by hand")
    (pages / "gone.md").write_text("a detector of the past")
    table = (tmp_path / "formats.md").read_text()
    (tmp_path / "formats.md").write_text(table.replace("| `json` |", "| `yaml` |"))
    capsys.readouterr()
    assert generate.main(["--check"]) == 1
    listed = {line.split(";")[0].rpartition("/")[2] for line in capsys.readouterr().out.splitlines()}
    assert listed == {f"{first}.md", f"{second}.md", "gone.md", "formats.md"}
    generate.main([])
    assert generate.main(["--check"]) == 0


def test_shipped_precision_is_that_of_the_labels(generate: ModuleType) -> None:
    table = generate.precision_table(builtin())
    assert generate.PRECISION_FILE.read_text(encoding="utf-8") == table
    judged = measured_precision()["god_function"]
    labels = precision_of("god_function")
    assert labels is not None
    assert (judged.judged, judged.wrong) == (labels.read, labels.false)
    assert judged.useful_percent == round(100 * labels.good)


def test_check_notices_a_stale_table_of_precision(
    generate: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(generate, "PRECISION_FILE", tmp_path / "precision.json")
    assert generate.main(["--check"]) == 1
    assert "precision.json" in capsys.readouterr().out
    generate.main([])
    assert generate.main(["--check"]) == 0


def test_page_contains_the_documentation_of_its_detector(generate: ModuleType) -> None:
    for detector in catalogue().values():
        page = generate.page(detector)
        assert detector.doc.strip() in page
        assert all(example.title[1:] in page for example in detector.examples)


def test_a_fence_is_longer_than_the_fences_inside(generate: ModuleType) -> None:
    lines = list(generate._fenced("AGENTS.md", "````sh\nmake\n````\n"))
    assert lines[0] == "`````markdown"
    assert lines[-1] == "`````"


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
    assert config.weights.churn == 25


def test_the_commands_in_the_readme_exist() -> None:
    commands = re.findall(
        r"^    crimes (\w+)(.*)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {name for name, _ in commands} >= {
        "scan",
        "explain",
        "context",
        "diff",
        "baseline",
        "trust",
        "report",
        "init",
    }
    for name, rest in commands:
        shown = subprocess.run(
            [sys.executable, "-m", "crimes", name, "--help"], capture_output=True, text=True, check=True
        )
        for option in re.findall(r"--[a-z-]+", rest):
            assert option in shown.stdout, f"crimes {name} has no {option}"
