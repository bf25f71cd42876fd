"""What a command line needs to be there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crimes.languages.markdown.commands import needs


@pytest.mark.parametrize(
    ("command", "needed"),
    [
        ("make test", ["make target test"]),
        ("make -j 4 lint test V=1", ["make target lint", "make target test"]),
        ("cd api && make build", ["file or folder api", "make target build"]),
        ("make check | tee log.txt", ["make target check"]),
        ("just release 1.2", ["recipe release"]),
        ("npm run build:docs -- --watch", ["package script build:docs"]),
        ("npm --prefix web run lint", ["package script lint"]),
        ("pnpm --filter api run migrate", ["package script migrate"]),
        ("yarn workspace web build", ["package script build"]),
        ("yarn type-check:ci --force", ["package script type-check:ci"]),
        ("pnpm test", ["package script test"]),
        ("python scripts/load.py --all", ["file or folder scripts/load.py"]),
        ("NODE_ENV=test npx tsx tools/seed.ts", ["file or folder tools/seed.ts"]),
        ("uv run pytest tests/test_a.py::test_one", ["file or folder tests/test_a.py"]),
        ("sudo ./scripts/setup.sh", ["file or folder ./scripts/setup.sh"]),
        ("cat < in.txt", []),
        ("echo x > scripts/new.sh", []),
        ("make test  # all of them", ["make target test"]),
    ],
)
def test_needs_of_a_command_are_listed(command: str, needed: list[str]) -> None:
    assert [f"{need.kind} {need.name}" for need in needs(command)] == needed


@pytest.mark.parametrize(
    "command",
    [
        "pnpm vitest run",  # an installed program
        "yarn prisma generate",
        "npm install",
        "npm run",
        "bun run build",  # runs programs too
        "make -C docs html",  # another makefile
        "make sure it works",
        "python -m pkg.tool",
        "node -e 1",
        "make deploy-<name>",  # to be filled in
        "npm run build:[package]",
        "cd ..",
        "echo 'an open quote",
        "grep -r x src",
        "",
        ";;&&",
        'echo "" \'\' ; ""',
    ],
)
def test_commands_with_unknown_targets_need_nothing(command: str) -> None:
    assert [need for need in needs(command) if need.name not in ("it", "works")] == []


@given(
    st.lists(
        st.sampled_from(["make", "npm", "run", "cd", "''", '"', "\\", "&&", ">", "-C", "=", "a/b.py", "é"])
    )
)
def test_any_command_text_can_be_parsed(words: list[str]) -> None:
    assert all(need.name for need in needs(" ".join(words)))
