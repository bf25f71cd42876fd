"""What a change broke or forgot, in a real repository: the items that `check` and `diff` show."""

from __future__ import annotations

from collections.abc import Mapping

from crimes.model.change import ChangeItem
from crimes.system.git_diff import difference
from crimes.workflows.change_items import items_of_change
from crimes.workflows.session import Session
from tests.kit.gitrepo import GitRepo

Files = Mapping[str, str | None]


def items_after(repo: GitRepo, edit: Files, kind: str = "broken_reference") -> tuple[ChangeItem, ...]:
    """The items of one kind after an edit of the work tree; None deletes a file."""
    repo.write(edit)
    session = Session(repo.path)
    head = repo.git("rev-parse", "HEAD")
    changes = difference(repo.path, head, lines=False).changes.values()
    with session.change_states(session.config(), head, "", changes) as states:
        return tuple(item for item in items_of_change(repo.path, states) if item.kind == kind)


def places(items: tuple[ChangeItem, ...]) -> list[str]:
    """`file:line` of every place, in order."""
    return [f"{place.file}:{place.line}" for item in items for place in item.places]
