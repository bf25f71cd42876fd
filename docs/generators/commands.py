"""The reference of all commands, as the command line itself describes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from docs.generators.field_comments import as_sentence
from docs.generators.markdown import banner, cell, code, table

# Commands and options come as objects of the click that typer brings along; its types are not public.
Command = Any
Parameter = Any

_NO_PANEL = "All"
MAX_CHOICES_CHARS = 30  # longer choices are listed with the meaning of an option, not beside its name
_INTRODUCTION = """# Commands

What `crimes COMMAND --help` says, on one page. The repository is the one around the working directory unless an option says
otherwise. Exit codes: 0 done, 1 a gate failed, 2 wrong usage or too little seen for a gate, 130 interrupted.
"""


def commands_page(typer_app: typer.Typer) -> str:
    """The page on the commands of an app, as text."""
    app: Command = typer.main.get_command(typer_app)
    lines = [banner("the command line"), "", _INTRODUCTION]
    shown = [(name, command) for name, command in app.commands.items() if not command.hidden]
    for panel in dict.fromkeys(_panel(command) or _NO_PANEL for _, command in shown):
        lines += [f"## {panel}", ""]
        for name, command in shown:
            if (_panel(command) or _NO_PANEL) == panel:
                lines += _command(("crimes", name), command)
    hidden = {name: command for name, command in app.commands.items() if command.hidden and command.help}
    if hidden:
        lines += ["## More", "", "These work and are not listed in `crimes --help`:", ""]
        lines += [f"- `crimes {name}`: {_first_line(command)}" for name, command in hidden.items()]
        lines.append("")
    return "\n".join(lines)


def _panel(item: Command | Parameter) -> str:
    """The heading `--help` lists it under; empty for none."""
    panel = getattr(item, "rich_help_panel", None)
    return panel if isinstance(panel, str) else ""


def _first_line(command: Command) -> str:
    return as_sentence((command.help or "").strip().partition("\n\n")[0])


def _command(names: tuple[str, ...], command: Command) -> Iterator[str]:
    """The section of a command; a group has one for each command in it."""
    yield from (f"{'#' * (len(names) + 1)} `{' '.join(names)}`", "")
    for paragraph in (command.help or "").strip().split("\n\n"):
        yield from (as_sentence(paragraph), "")
    context = command.context_class(command, info_name=" ".join(names))
    if hasattr(command, "commands"):
        for name, member in command.commands.items():
            if not member.hidden:
                yield from _command((*names, name), member)
        return
    yield from (f"    {' '.join((*names, *command.collect_usage_pieces(context)))}", "")
    shown = [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]
    options = [parameter for parameter in shown if parameter.param_type_name == "option"]
    arguments = [parameter for parameter in shown if parameter.param_type_name == "argument"]
    if arguments:
        meanings = [(code(_argument(item, context)), cell(_meaning(item))) for item in arguments]
        yield from table(("argument", "meaning"), meanings)
    for panel in dict.fromkeys(map(_panel, options)):
        rows = [_option_row(item, context) for item in options if _panel(item) == panel]
        if panel:
            yield from (f"{panel}:", "")
        yield from table(("option", "default", "meaning"), rows)


def _argument(parameter: Parameter, context: Any) -> str:
    return str(parameter.make_metavar(context)).strip("[]").removesuffix("...")


def _option_row(parameter: Parameter, context: Any) -> tuple[str, str, str]:
    """Its names with what they take, its default, and what it does."""
    names = sorted(parameter.opts, key=len, reverse=True)
    takes = "" if parameter.is_flag or parameter.count else f" {_value_name(parameter, context)}"
    spelled = [*names[:1], *parameter.secondary_opts, *names[1:]]
    return (
        ", ".join(code(name + (takes if name == names[0] else "")) for name in spelled),
        _default(parameter),
        cell(_meaning(parameter)),
    )


def _value_name(parameter: Parameter, context: Any) -> str:
    """What stands for the value: a few choices themselves, else a name."""
    if parameter.metavar:
        return str(parameter.make_metavar(context))
    if not (choices := _choices(parameter)):
        return "N" if str(parameter.type.name).startswith(("int", "float")) else "TEXT"
    beside = "|".join(choices)
    return beside if len(beside) <= MAX_CHOICES_CHARS else max(parameter.opts, key=len).lstrip("-").upper()


def _choices(parameter: Parameter) -> list[str]:
    return [str(getattr(choice, "value", choice)) for choice in getattr(parameter.type, "choices", ())]


def _default(parameter: Parameter) -> str:
    """The default as code; empty where there is none to name."""
    default = parameter.default
    if default in (None, "", False, ()) or callable(default) or not parameter.show_default:
        return ""
    if parameter.is_flag:
        return code(parameter.opts[0])
    return code(str(getattr(default, "value", default)))


def _meaning(parameter: Parameter) -> str:
    text = as_sentence(parameter.help or "")
    choices = _choices(parameter)
    if len("|".join(choices)) > MAX_CHOICES_CHARS:
        text += f" One of {', '.join(map(code, choices))}."
    low, high = getattr(parameter.type, "min", None), getattr(parameter.type, "max", None)
    if low is not None and high is None:
        text += f" At least {low:,}."
    return text
