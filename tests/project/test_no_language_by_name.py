"""No detector and no part of the engine knows a language by its name or by the ending of its files."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from crimes.languages import by_id
from tests.kit.paths import ROOT

# What starts a test is known by the tools of an ecosystem; only a briefing asks for it, and no finding rests on it.
TOOLS = {
    "crimes/workflows/briefing/test_commands.py",
    "crimes/workflows/briefing/check_commands.py",
    "crimes/workflows/briefing/signatures.py",  # reads source in the hook, which loads no language
    *(
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "crimes/workflows/briefing/runners").glob("*.py")
    ),
}
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("crimes", "detectors/crimes_detectors")
    for path in (ROOT / folder).rglob("*.py")
    if "languages" not in path.relative_to(ROOT).parts
)
IDS = frozenset(by_id)
ENDINGS = frozenset(
    ending for language in by_id.values() for ending in (*language.extensions, *language.declarations)
)


def by_name(tree: ast.AST) -> Iterator[str]:
    """Where a language is held against a name, languages are listed, or a path is asked for its ending."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=others) if any(
                _is_language(operand) for operand in (left, *others)
            ):
                yield from _texts(node, IDS)
            case ast.Dict(keys=some) | ast.Set(elts=some) | ast.List(elts=some):
                named = [text for key in some for text in (_texts(key, IDS) if key is not None else ())]
                yield from named if len(named) == len(some) > 1 else ()
            case ast.Call(func=ast.Attribute(attr="endswith"), args=arguments):
                for argument in arguments:
                    yield from _texts(argument, ENDINGS)


def _is_language(node: ast.AST) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == "language") or (
        isinstance(node, ast.Name) and node.id == "language"
    )


def _texts(node: ast.AST, among: frozenset[str]) -> Iterator[str]:
    for child in ast.walk(node):
        if isinstance(child, ast.Constant) and isinstance(child.value, str) and child.value in among:
            yield f"line {child.lineno}: {child.value!r}"


def _without_examples(tree: ast.Module) -> ast.Module:
    """What makes the examples of a detector writes code of languages, and may know them."""
    makers = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "_part"]
    return ast.Module([node for node in tree.body if node not in makers], [])


@pytest.mark.parametrize("path", [path for path in FILES if path not in TOOLS])
def test_no_language_is_known_by_name(path: str) -> None:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert list(by_name(_without_examples(tree))) == []


def test_language_names_in_code_are_detected() -> None:
    code = 'if file.language == "go" or path.endswith((".rs", ".txt")): x = {"java": 1, "kotlin": 2}, {"c", "cpp"}'
    assert list(by_name(ast.parse(code))) == [
        *(
            "line 1: 'go'",
            "line 1: '.rs'",
            "line 1: 'java'",
            "line 1: 'kotlin'",
            "line 1: 'c'",
            "line 1: 'cpp'",
        ),
    ]
