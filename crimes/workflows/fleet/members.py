"""The repositories of a fleet: what fleet.toml, a folder of checkouts or a list comes down to."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from crimes.config.fleet import Entry, FleetFile
from crimes.model.errors import UsageError
from crimes.model.git_address import is_address, name_in, without_secrets

_MAX_DEPTH_FOLDERS = 4  # below the folder that is searched: host/organisation/group/repository


class Member(Struct, frozen=True):
    """A repository of a fleet. It has either a folder, the absolute name of a checkout, or an address."""

    name: str
    folder: str = ""
    address: str = ""
    branch: str = ""
    group: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] | None = None

    @property
    def source(self) -> str:
        """Where it comes from, for people and for tables: never with a password."""
        return without_secrets(self.address) or self.folder


def members_of(fleet: FleetFile, base: Path) -> list[Member]:
    """The repositories of a fleet, by name; `base` is the folder that relative names start from.

    A repository that several entries hold is taken once, after the entry that is closest to it: the one that names it alone,
    else the one that names the deepest folder. UsageError when nothing is there.
    """
    trees = sorted((entry for entry in fleet.entries if entry.is_tree), key=lambda entry: _depth(entry, base))
    in_trees = {member.folder: member for entry in trees for member in _expand(entry, base)}
    alone = {
        (member.folder or member.address, member.branch): member
        for entry in fleet.entries
        if not entry.is_tree
        for member in _expand(entry, base)
    }
    named = {source for source, _ in alone}
    others = (member for folder, member in in_trees.items() if folder not in named)
    members = _with_unique_names([*alone.values(), *others])
    if not members:
        raise UsageError("no repository found; name folders that hold git checkouts, or addresses")
    return sorted(members, key=lambda member: member.name)


def find_checkouts(folder: Path) -> Iterator[Path]:
    """The git checkouts in a folder, sorted; the folder alone if it is one. Links are not followed."""
    yield from _search(folder, _MAX_DEPTH_FOLDERS)


def _search(folder: Path, depth: int) -> Iterator[Path]:
    if os.path.lexists(folder / ".git"):
        yield folder
        return
    if depth == 0:
        return
    try:
        with os.scandir(folder) as entries:
            names = sorted(
                entry.name
                for entry in entries
                if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
            )
    except PermissionError:
        return
    for name in names:
        yield from _search(folder / name, depth - 1)


def _depth(entry: Entry, base: Path) -> int:
    return len(_absolute(base, entry.folder).parts)


def _expand(entry: Entry, base: Path) -> Iterator[Member]:
    if entry.address:
        address = entry.address
        if not is_address(address):  # a bare repository on this disk
            address = str(_absolute(base, address))
        yield _member(entry, entry.name or name_in(address), address=address)
        return
    folder = _absolute(base, entry.folder)
    if not entry.is_tree:
        yield _member(entry, entry.name or folder.name, folder=str(folder))
        return
    if not folder.is_dir():
        raise UsageError(f"{entry.folder}: no such folder")
    for checkout in find_checkouts(folder):
        name = checkout.name if checkout == folder else checkout.relative_to(folder).as_posix()
        yield _member(entry, name, folder=str(checkout))


def _absolute(base: Path, name: str) -> Path:
    return Path(os.path.normpath(base / Path(name).expanduser()))


def _member(entry: Entry, name: str, *, folder: str = "", address: str = "") -> Member:
    return Member(
        name=name,
        folder=folder,
        address=address,
        branch=entry.branch,
        group=entry.group,
        tags=dict(sorted(entry.tags.items())),
        settings=entry.settings,
    )


def _with_unique_names(members: list[Member]) -> list[Member]:
    """Members whose names all differ: those that share one are called after their whole path."""
    shared = {name for name, number in Counter(member.name for member in members).items() if number > 1}
    unique = [
        replace(member, name=_long_name(member)) if member.name in shared else member for member in members
    ]
    for name, number in Counter(member.name for member in unique).items():
        if number > 1:
            raise UsageError(f"{number} repositories are called {name!r}; give each a `name` in fleet.toml")
    return unique


def _long_name(member: Member) -> str:
    path = member.folder.strip(os.sep) or member.source.partition("://")[2] or member.source
    return f"{path}@{member.branch}" if member.branch else path
