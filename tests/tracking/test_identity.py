"""Identities of findings: one each, and the same after lines moved."""

from __future__ import annotations

from pathlib import Path

from crimes.config.schema import Config, DetectorConfig
from crimes.engine.scan import scan

BRANCHES = "".join(
    f"        if a{n}:\n            for x in a{n}:\n                if x:\n                    while x.b:\n                        g()\n"
    for n in range(7)
)
SETTER = f"class A:\n    @property\n    def v(self):\n{BRANCHES}\n    @v.setter\n    def v(self, value):\n{BRANCHES}"
HANDLER = "    try:\n        work.save()\n        more()\n    except Exception:\n        pass\n"


def _ids(root: Path, files: dict[str, str]) -> list[tuple[str, str]]:
    root.mkdir()
    for name, text in files.items():
        (root / name).write_text(text, encoding="utf-8")
    chosen = Config(detectors={"silent_failure": DetectorConfig(enabled=True)})
    report = scan(root, chosen).report
    return sorted((crime.symbol, crime.id) for crime in (*report.findings, *report.hidden))


def test_two_functions_of_one_name_are_two_findings(tmp_path: Path) -> None:
    found = _ids(tmp_path / "one", {"a.py": SETTER})
    assert [symbol for symbol, _ in found] == ["A.v", "A.v"]
    assert len(set(found)) == 2


def test_moved_lines_keep_their_identities(tmp_path: Path) -> None:
    source = SETTER + f"\n\ndef f():\n{HANDLER}{HANDLER}"
    before = _ids(tmp_path / "before", {"a.py": source})
    moved = "import os\n\n\n" + source.replace("    work.save()", "    work.save(\n        )").replace(
        "\n", "\r\n"
    )
    assert _ids(tmp_path / "after", {"a.py": moved}) == before
    assert len(set(before)) == 4


def test_handler_added_elsewhere_keeps_identities(tmp_path: Path) -> None:
    before = _ids(tmp_path / "before", {"a.py": f"def f():\n{HANDLER}"})
    after = _ids(tmp_path / "after", {"a.py": f"def e():\n{HANDLER}\n\ndef f():\n{HANDLER}"})
    assert set(before) < set(after)
