"""What is written for agents into a repository, and how it is removed: all is decided before a byte is written.

An existing file is added to, never replaced; one that cannot be parsed is refused, and then nothing is written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from crimes.model.errors import EnvironmentFault, UsageError
from crimes.system.durable import write_durably
from crimes.system.safe_files import is_inside
from crimes.workflows.setup.agents.json_text import Malformed, with_entry, without_entry
from crimes.workflows.setup.agents.texts import (
    BEGIN,
    BLOCK,
    END,
    INSTRUCTIONS,
    SETTINGS,
    SKILL,
    SKILLS,
    TRACES,
    Agent,
    Setting,
)

Changes = dict[str, str | None]  # the new text of each file; None deletes it


def additions(root: Path, agents: Collection[Agent] = tuple(Agent)) -> Changes:
    """The changes that make these agents know crimes; files that need none are left out."""
    texts: dict[str, str | None] = {}
    for name in _skills_of(agents):
        text = _read(root, name)
        if text is not None and text != SKILL:  # somebody's own, or ours with somebody's changes
            raise UsageError(f"{name} already exists with other content; nothing was written")
        texts[name] = SKILL
    texts[INSTRUCTIONS] = _with_block(_read(root, INSTRUCTIONS))
    for setting in _settings_of(agents):
        text = texts[setting.file] if setting.file in texts else _read(root, setting.file)
        texts[setting.file] = _new_file([setting]) if text is None else _merge(text, setting)
    return {name: text for name, text in texts.items() if text != _read(root, name)}


def removals(root: Path, agents: Collection[Agent] = tuple(Agent)) -> Changes:
    """The changes that remove what `additions` wrote for these agents; the block in AGENTS.md goes with the last of them."""
    changes: Changes = {}
    for name in _skills_of(agents):
        if _read(root, name) == SKILL:
            changes[name] = None
    text = _read(root, INSTRUCTIONS)
    others = [agent for agent in Agent if agent not in agents]
    if text is not None and BEGIN in text and END in text and not _are_set_up(root, others):
        changes[INSTRUCTIONS] = None if text == BLOCK else _without_block(text)
    settings = _settings_of(agents)
    for file in dict.fromkeys(setting.file for setting in settings):
        text = _read(root, file)
        if text is None:
            continue
        ours = [setting for setting in settings if setting.file == file]
        left: str | None = text
        for setting in reversed(ours):
            left = _unmerge(left or "", setting)
        if text == _new_file(ours):
            left = None
        if left != text:
            changes[file] = left
    return changes


def detected(root: Path) -> tuple[Agent, ...]:
    """The agents that the repository has files of."""
    return tuple(
        agent for agent, names in TRACES.items() if any(os.path.lexists(root / name) for name in names)
    )


def _are_set_up(root: Path, agents: Collection[Agent]) -> bool:
    """Whether a setting of ours is there for one of these agents."""
    for setting in _settings_of(agents):
        text = _read(root, setting.file)
        if text is not None and _unmerge(text, setting) != text:
            return True
    return False


def _skills_of(agents: Collection[Agent]) -> list[str]:
    return [name for name, readers in SKILLS.items() if any(reader in agents for reader in readers)]


def _settings_of(agents: Collection[Agent]) -> list[Setting]:
    return [setting for setting in SETTINGS if setting.agent in agents]


def apply(root: Path, changes: Changes) -> Iterator[str]:
    """Make the changes, and yield what was done to each file."""
    for name, text in sorted(changes.items()):
        target = _resolve(root, name)
        try:
            if text is None:
                target.unlink()
                _drop_empty_folders(root, target.parent)
                yield f"removed {name}"
                continue
            existed = target.exists()
            write_durably(target, text.encode())
        except OSError as error:
            raise EnvironmentFault(f"cannot write {name}: {error.strerror}") from error
        yield f"{'changed' if existed else 'wrote'} {name}"


def _new_file(settings: Sequence[Setting]) -> str:
    """A file that holds only these settings, written as they are written one after another."""
    first, *others = settings
    value: Any = [first.entry] if first.in_list else first.entry
    for key in reversed(first.keys):
        value = {key: value}
    text = json.dumps({**first.around, **value}, indent=2) + "\n"
    for setting in others:
        text = _merge(text, setting)
    return text


def _merge(text: str, setting: Setting) -> str:
    try:
        return with_entry(text, setting.keys, setting.entry, in_list=setting.in_list)
    except Malformed as fault:
        raise UsageError(f"cannot edit {setting.file}: {fault}; nothing was written") from fault


def _unmerge(text: str, setting: Setting) -> str:
    try:
        return without_entry(text, setting.keys, setting.entry, in_list=setting.in_list)
    except Malformed as fault:
        raise UsageError(f"cannot edit {setting.file}: {fault}; nothing was removed") from fault


def _with_block(text: str | None) -> str:
    """The instructions with the block at their end, or in place of an older one."""
    if text is None:
        return BLOCK
    if BEGIN in text and END in text:
        before, _, rest = text.partition(BEGIN)
        return before + BLOCK.removesuffix("\n") + rest.partition(END)[2]
    return f"{text}\n{BLOCK}"


def _without_block(text: str) -> str:
    """The instructions without the block and the line end before it."""
    before, _, rest = text.partition(BEGIN)
    return before.removesuffix("\n") + rest.partition(END)[2].removeprefix("\n")


def _read(root: Path, name: str) -> str | None:
    target = _resolve(root, name)
    try:
        with target.open(encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {name}: {error}; nothing was written") from error


def _resolve(root: Path, name: str) -> Path:
    """The path of a file; UsageError if a link leads out of the repository."""
    target = root / name
    if not is_inside(root.resolve(), os.path.realpath(target)):
        raise UsageError(f"{name} is a link out of the repository; nothing was written")
    return target


def _drop_empty_folders(root: Path, folder: Path) -> None:
    while folder != root and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
