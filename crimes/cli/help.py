"""How `--help` looks: commands and options under headings, every description in full."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand, TyperGroup

_MORE = "More"  # the heading of commands that are listed by name only
_OPTIONS = "Options"


def _write_sections(formatter: Any, rows: Iterable[tuple[str, tuple[str, str]]]) -> None:
    """Rows under their headings, in the order in which those come first."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for heading, row in rows:
        sections.setdefault(heading, []).append(row)
    # A heading without rows of its own kind would end up before the general one.
    for heading in sorted(sections, key=lambda name: name == _OPTIONS):
        with formatter.section(heading):
            formatter.write_dl(sections[heading])


class Command(TyperCommand):
    """A command whose options are listed under their headings."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        rows = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                is_argument = parameter.param_type_name == "argument"
                heading = "Arguments" if is_argument else getattr(parameter, "rich_help_panel", None)
                rows.append((heading or _OPTIONS, record))
        _write_sections(formatter, rows)


class Group(TyperGroup):
    """Commands under their headings; those under "More" by name only."""

    command_class = Command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        rows, more = [], []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is None or command.hidden:
                continue
            heading = getattr(command, "rich_help_panel", None) or "Commands"
            if heading == _MORE:
                more.append(name)
            else:
                rows.append((heading, (name, _first_line(command.help))))
        _write_sections(formatter, rows)
        if more:
            with formatter.section(_MORE):
                formatter.write_text(", ".join(more))


def _first_line(text: str | None) -> str:
    return (text or "").strip().partition("\n")[0]
