"""What is written for agents into a repository, and how it is removed: all is decided before a byte is written.

An existing file is added to, never replaced; one that cannot be parsed is refused, and then nothing is written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from crimes.model.errors import EnvironmentFault, UsageError
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
    Setting,
)

Changes = dict[str, str | None]  # the new text of each file; None deletes it


def additions(root: Path) -> Changes:
    """The changes that make agents know crimes; files that need none are left out."""
    changes: Changes = {}
    for name in SKILLS:
        text = _read(root, name)
        if text is not None and text != SKILL:  # somebody's own, or ours with somebody's changes
            raise UsageError(f"{name} already exists with other content; nothing was written")
        changes[name] = SKILL
    changes[INSTRUCTIONS] = _with_block(_read(root, INSTRUCTIONS))
    for setting in SETTINGS:
        text = _read(root, setting.file)
        changes[setting.file] = _new_file(setting) if text is None else _merge(text, setting)
    return {name: text for name, text in changes.items() if text != _read(root, name)}


def removals(root: Path) -> Changes:
    """The changes that remove everything that `additions` wrote."""
    changes: Changes = {}
    for name in SKILLS:
        if _read(root, name) == SKILL:
            changes[name] = None
    text = _read(root, INSTRUCTIONS)
    if text is not None and BEGIN in text and END in text:
        changes[INSTRUCTIONS] = None if text == BLOCK else _without_block(text)
    for setting in SETTINGS:
        text = _read(root, setting.file)
        if text is None:
            continue
        left = None if text == _new_file(setting) else _unmerge(text, setting)
        if left != text:
            changes[setting.file] = left
    return changes


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
            target.parent.mkdir(parents=True, exist_ok=True)
            existed = target.exists()
            with target.open("w", encoding="utf-8", newline="") as file:
                file.write(text)
        except OSError as error:
            raise EnvironmentFault(f"cannot write {name}: {error.strerror}") from error
        yield f"{'changed' if existed else 'wrote'} {name}"


def _new_file(setting: Setting) -> str:
    value: Any = [setting.entry]
    for key in reversed(setting.keys):
        value = {key: value}
    return json.dumps({**setting.around, **value}, indent=2) + "\n"


def _merge(text: str, setting: Setting) -> str:
    try:
        return with_entry(text, setting.keys, setting.entry)
    except Malformed as fault:
        raise UsageError(f"cannot edit {setting.file}: {fault}; nothing was written") from fault


def _unmerge(text: str, setting: Setting) -> str:
    try:
        return without_entry(text, setting.keys, setting.entry)
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
