"""Repositories with an edit each, and what is said of the calls that do not fit a changed function."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from crimes.analyses.change.changed_signatures import find_changed_signatures
from crimes.config.schema import Config
from crimes.engine.change_states import ChangeStates
from crimes.incremental.scan_cache import no_cache
from crimes.model.change import ChangeItem
from crimes.system.git_diff import difference
from tests.kit.gitrepo import GitRepo

Files = dict[str, str | bytes | None]


class Case(NamedTuple):
    """A repository, an edit of it, and the fact and places that follow."""

    files: Files
    edit: Files
    fact: str = ""
    places: tuple[str, ...] = ()  # `file:line`


def items_of(folder: Path, files: Files, edit: Files) -> list[ChangeItem]:
    """What is said of an edit in the work tree."""
    repo = GitRepo(folder)
    base = repo.commit(files)
    repo.write(edit)
    changes = difference(folder, base, lines=False).changes.values()
    with ChangeStates(folder, Config(), no_cache(), base, "", changes) as states:
        return find_changed_signatures(states)


def check(folder: Path, case: Case) -> None:
    """Assert that a case says what it should."""
    items = items_of(folder, case.files, case.edit)
    facts = [item.fact for item in items]
    assert facts == ([case.fact] if case.fact else []), facts
    places = tuple(f"{spot.file}:{spot.line}" for item in items for spot in item.places)
    assert places == case.places


def cases(**tables: dict[str, Case]) -> pytest.MarkDecorator:
    """A test for each case of these languages."""
    table = {f"{language}: {name}": case for language, own in tables.items() for name, case in own.items()}
    return pytest.mark.parametrize("case", list(table.values()), ids=list(table))
