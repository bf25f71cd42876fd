"""Names of thousands of parts: what is longer than any path names no file, and is not taken apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.analyses.change import kinds
from crimes.config.schema import Config
from crimes.engine.scan import scan
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.walk.frames import MAX_DOTTED_CHARS
from crimes.languages.engine.walk.references import MAX_REFERENCE_BYTES
from crimes.model.change import NOT_COMPARED
from crimes.system.gitignore import usable_patterns
from tests.hostile.test_allowances import work_for_ever

MANY = 20_000
IMPORTS = {
    "python": "import {}\n",
    "java": "import {};\n",
    "kotlin": "import {}\n",
    "csharp": "using {};\n",
    "scala": "import {}\n",
    "php": "<?php\nuse {};\n",
    "rust": "use {};\n",
    "javascript": "import '{}'\n",
}
SEPARATORS = {"php": "\\", "rust": "::", "javascript": "/"}


@pytest.mark.parametrize("language", IMPORTS)
def test_import_of_thousands_of_parts_is_no_import(language: str) -> None:
    name = SEPARATORS.get(language, ".").join(["a"] * MANY)
    facts = read_facts(by_id[language], IMPORTS[language].format(name).encode())
    assert all(len(item.target) <= MAX_DOTTED_CHARS for item in facts.imports)


@pytest.mark.parametrize(
    ("language", "text"), [("java", "package {};\n"), ("csharp", "namespace {} {{ }}\n")]
)
def test_package_of_thousands_of_parts_is_no_package(language: str, text: str) -> None:
    facts = read_facts(by_id[language], text.format(".".join(["a"] * MANY)).encode())
    assert all(len(package) <= MAX_DOTTED_CHARS for package in facts.packages)


def test_scopes_in_scopes_have_names_of_bounded_length() -> None:
    source = "".join(f"{' ' * depth}class A{depth}{'x' * 80}:\n" for depth in range(150))
    facts = read_facts(by_id["python"], f"{source}{' ' * 150}pass\n".encode())
    assert len(facts.classes) == 150
    assert max(len(each.qualname) for each in facts.classes) < MAX_DOTTED_CHARS + 200


def test_chain_of_thousands_of_members_is_no_reference() -> None:
    source = b"package a\n\nfunc f() {\n\tx = " + b"log." * MANY + b"Print\n}\n"
    facts = read_facts(by_id["go"], source)
    assert all(len(reference.name) <= MAX_REFERENCE_BYTES for reference in facts.references)


def test_scan_of_an_import_of_200_000_parts_ends(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import " + ".".join(["a"] * 200_000) + "\n")
    (tmp_path / "pyproject.toml").write_text("a" + ".a" * 60_000 + " = 1\n")
    report = scan(tmp_path, Config()).report
    assert not report.files.skipped


@pytest.mark.parametrize("pattern", ["*a" * 5 + "*b", "**/" * 4 + "x", "[z-a]", "!", "a" * 5_000])
def test_ignore_pattern_that_is_broken_or_would_backtrack_matches_nothing(pattern: str) -> None:
    spec = usable_patterns([pattern, "*.log"])
    assert not spec.match_file("a" * 200 + ".py")
    assert spec.match_file("x.log")


def test_kind_of_comparison_that_takes_too_long_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Changes:
        touched = frozenset({"b.py", "a.py"})

    class States:
        changes = Changes()

    monkeypatch.setattr(kinds, "MAX_KIND_SECONDS", 0.05)
    slow = kinds.ItemKind("slow_kind", lambda *_: work_for_ever())
    (item,) = kinds._find_in_time(slow, States(), kinds.NOTHING_KNOWN)  # type: ignore[arg-type]
    assert (item.kind, item.file) == (NOT_COMPARED, "a.py")
    assert item.fact == "Looking for slow_kind took too long on this change and was stopped."
