"""The command that opens a file in somebody's editor."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.model.errors import EnvironmentFault
from crimes.system.editor import editor_command, run_editor

FILE = Path("/repo/a b;$(touch x).py")


@pytest.mark.parametrize(
    ("environment", "command"),
    [
        ({"EDITOR": "vim"}, ["vim", "+7", str(FILE)]),
        ({"EDITOR": "/usr/bin/nano -w"}, ["/usr/bin/nano", "-w", "+7", str(FILE)]),
        ({"VISUAL": "code --wait", "EDITOR": "vi"}, ["code", "--wait", "--goto", f"{FILE}:7"]),
        ({"VISUAL": "", "EDITOR": "hx"}, ["hx", f"{FILE}:7"]),
        ({"EDITOR": "'/opt/my editor/own'"}, ["/opt/my editor/own", str(FILE)]),
    ],
)
def test_editor_gets_the_file_as_one_argument_and_the_line_where_it_is_known_how(
    environment: dict[str, str], command: list[str]
) -> None:
    assert editor_command(environment, FILE, 7) == command


@pytest.mark.parametrize("environment", [{}, {"EDITOR": "  "}, {"VISUAL": "", "EDITOR": ""}])
def test_missing_editor_is_a_fault_that_says_what_to_set(environment: dict[str, str]) -> None:
    with pytest.raises(EnvironmentFault, match=r"set \$VISUAL or \$EDITOR"):
        editor_command(environment, FILE, 1)


def test_unbalanced_quotes_are_a_fault() -> None:
    with pytest.raises(EnvironmentFault, match="not a command"):
        editor_command({"EDITOR": "vim '"}, FILE, 1)


def test_names_never_reach_a_shell(tmp_path: Path) -> None:
    name = tmp_path / "$(touch ran);touch ran"
    run_editor(["touch", str(name)])
    assert [file.name for file in tmp_path.iterdir()] == [name.name]
