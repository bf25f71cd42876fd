"""Layers: what the configuration may say of them, and that the documented ones hold for this repository."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from crimes.config.loader import load_config
from crimes.config.schema import DetectorConfig
from crimes.detection.registry import catalogue
from crimes.engine.scan import scan
from crimes.model.errors import ConfigError
from crimes.model.layers import Forbidden, Layers
from crimes.model.report import Report
from tests.kit.paths import ROOT

DOCUMENTED = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/layers.md").read_text("utf-8"), re.DOTALL)[0]


def load(folder: Path, text: str) -> Layers:
    (folder / "crimes.toml").write_text(text, encoding="utf-8")
    return load_config(folder, None).layers


def problems(folder: Path, text: str) -> set[str]:
    with pytest.raises(ConfigError) as caught:
        load(folder, text)
    return set(caught.value.problems)


def report(layers: Layers) -> Report:
    detectors = {id_: DetectorConfig(enabled=id_ == "layer_violation") for id_ in catalogue()}
    config = replace(load_config(ROOT, None), include=("crimes/",), detectors=detectors, layers=layers)
    return scan(ROOT, config).report


def test_layers_are_read_from_the_configuration(tmp_path: Path) -> None:
    text = """
    [layers]
    order = ["a", "b | c"]
    [layers.files]
    a = ["x/"]
    b = ["y/", "z.py"]
    c = []
    [[layers.forbidden]]
    from = "a"
    to = "c"
    reason = "because"
    """
    expected = Layers(
        (("a",), ("b", "c")), {"a": ("x/",), "b": ("y/", "z.py"), "c": ()}, (Forbidden("a", "c", "because"),)
    )
    assert load(tmp_path, text) == expected


def test_all_faults_of_the_layers_are_reported(tmp_path: Path) -> None:
    text = """
    [layers]
    order = ["a", "b | a", "c"]
    [layers.files]
    a = ["x/"]
    b = ["y/"]
    d = ["z/"]
    [[layers.forbidden]]
    from = "e"
    to = "a"
    """
    assert problems(tmp_path, text) == {
        "layers.order: 'a' is listed more than once",
        "layers.files: 'c' has no files; expected a list of patterns",
        "layers.files: 'e' has no files; expected a list of patterns",
        "layers.files: 'd' is in neither the order nor a rule",
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("layers = 3", "layers: expected a table, found 3"),
        ("[layers]\norders = []", "layers.orders: unknown key; did you mean order?"),
        ("[layers]\norder = 'a'", "layers.order: expected a list of strings, found 'a'"),
        ("[layers]\nfiles = 1", "layers.files: expected a table, found 1"),
        ("[layers]\nforbidden = 1", "layers.forbidden: expected a list of tables, found 1"),
        ("[layers]\nforbidden = [1]", "layers.forbidden: expected a table, found 1"),
        ("[layers.files]\na = ['a[']", "layers.files.a: 'a[' matches nothing as a gitignore pattern"),
        ("[layers.files]\na = 1", "layers.files.a: expected a list of strings, found 1"),
        (
            "[[layers.forbidden]]\nfrom = 'a'",
            "layers.forbidden.to: is missing; expected the name of a layer",
        ),
    ],
)
def test_invalid_values_are_refused(text: str, problem: str, tmp_path: Path) -> None:
    assert problem in problems(tmp_path, text)


def test_the_documented_layers_hold_here(tmp_path: Path) -> None:
    layers = load(tmp_path, DOCUMENTED)
    found = report(layers)
    assert not found.findings
    assert found.imports.internal > 100


def test_the_documented_layers_can_be_broken(tmp_path: Path) -> None:
    layers = load(tmp_path, DOCUMENTED)
    turned = replace(layers, order=layers.order[::-1])
    assert len(report(turned).findings) > 20
