"""Reading fleet.toml: which repositories belong to a fleet, how they are grouped and tagged, and what a scan of one may take."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from crimes.config.loader import read_config
from crimes.config.toml_table import COUNT, TEXT, TEXTS, Table, describe, parse_toml, read_bytes, suggestion
from crimes.model.errors import ConfigError
from crimes.model.git_address import address_fault, is_address, without_secrets

FLEET_FILE = "fleet.toml"
MIN_MEMORY_MB = 256  # with less, Python itself fails in ways that nobody can tell from a fault
STORE = "crimes-fleet"  # beside fleet.toml, or in the current folder

Known = Mapping[str, type[Any]]  # options of each detector, by its id


class Limits(Struct, frozen=True):
    """What the scan of one repository may take."""

    seconds: int = 900  # fetching and scanning together
    memory_mb: int = 4096  # address space of each process that scans
    size_mb: int = 2000  # what is fetched at once, and the files of the commit


class Entry(Struct, frozen=True):
    """Repositories as fleet.toml names them: one by its folder or address, or all below a folder (`is_tree`)."""

    folder: str = ""
    address: str = ""
    is_tree: bool = False
    name: str = ""  # empty: called after its folder or address
    branch: str = ""  # empty: what HEAD names
    group: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] | None = None  # instead of the repository's own


class FleetFile(Struct, frozen=True):
    """The content of fleet.toml. Folders are relative to the folder it lies in."""

    entries: tuple[Entry, ...]
    limits: Limits = Limits()
    store: str = STORE


class _Shared(Struct, frozen=True):
    """What the repositories of a group have in common."""

    branch: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] | None = None


def load_fleet(file: Path, known: Known) -> FleetFile:
    """The fleet that a file describes. ConfigError holds every fault."""
    problems: list[str] = []
    table = Table(parse_toml(file.name, read_bytes(file.parent, file.name)), "", problems)
    fleet = _read_fleet(table, known)
    if problems:
        raise ConfigError(file.name, tuple(problems))
    return fleet


def parse_list(text: str, source: str) -> FleetFile:
    """The fleet of a list, a folder or an address in each line; empty lines and those after `#` are left out."""
    problems: list[str] = []
    entries = []
    for number, row in enumerate(text.splitlines(), 1):
        name = row.strip()
        if name and not name.startswith("#"):
            entries.append(_named_entry(Table({}, "", problems), f"line {number}", name, "", _Shared()))
    if problems:
        raise ConfigError(source, tuple(problems))
    return FleetFile(tuple(entries))


def _read_fleet(table: Table, known: Known) -> FleetFile:
    keys = table.keys(("store", "folders", "repositories", "groups", "limits"))
    entries: list[Entry] = []
    shared: dict[str, _Shared] = {}
    if "groups" in keys:
        groups = table.table("groups")
        for name in groups.keys(groups.values if isinstance(groups.values, dict) else ()):
            shared[name] = _read_group(groups.table(name), name, entries, known)
    if "folders" in keys:
        entries += _read_folders(table, "", _Shared())
    if "repositories" in keys:
        entries += _read_repositories(table, "", shared, known)
    limits = _read_limits(table.table("limits")) if "limits" in keys else Limits()
    store = table.value("store", TEXT) if "store" in keys else None
    if store is not None and not store.strip():
        table.fault("store", "is empty; expected a folder")
    if not entries and not table.problems:
        table.problems.append("names no repository; add `folders` or `repositories`")
    return FleetFile(tuple(entries), limits, store or STORE)


def _read_limits(table: Table) -> Limits:
    names = Limits.__struct_fields__
    values = {key: table.value(key, COUNT) for key in table.keys(names)}
    if (memory := values.get("memory_mb")) and memory < MIN_MEMORY_MB:
        table.fault("memory_mb", f"expected at least {MIN_MEMORY_MB}, found {memory}")
    return Limits(**{key: value for key, value in values.items() if value is not None})


def _read_group(table: Table, name: str, entries: list[Entry], known: Known) -> _Shared:
    """What the group sets; its own repositories are added to `entries`."""
    keys = table.keys(("folders", "repositories", "branch", "tags", "settings"))
    shared = _read_shared(table, keys, known)
    if "folders" in keys:
        entries += _read_folders(table, name, shared)
    if "repositories" in keys:
        entries += _read_repositories(table, name, {name: shared}, known)
    return shared


def _read_shared(table: Table, keys: list[str], known: Known) -> _Shared:
    branch = table.value("branch", TEXT) or "" if "branch" in keys else ""
    if branch.startswith("-") or any(not char.isprintable() or char in " :^~?*[\\" for char in branch):
        table.fault("branch", f"{describe(branch)} is not the name of a branch")
    settings = None
    if "settings" in keys:
        settings = table.values["settings"]
        read_config(table.table("settings"), "", known)  # for its faults
    return _Shared(branch, _read_tags(table.table("tags")) if "tags" in keys else {}, settings)


def _read_tags(table: Table) -> dict[str, str]:
    names = table.keys(table.values if isinstance(table.values, dict) else ())
    return {name: table.value(name, TEXT) or "" for name in sorted(names)}


def _read_folders(table: Table, group: str, shared: _Shared) -> list[Entry]:
    folders = table.value("folders", TEXTS) or ()
    return [_entry_of(shared, group, folder=folder, is_tree=True) for folder in folders]


def _read_repositories(table: Table, group: str, groups: Mapping[str, _Shared], known: Known) -> list[Entry]:
    rows = table.values["repositories"]
    if not isinstance(rows, list):
        table.fault("repositories", f"expected a list, found {describe(rows)}")
        return []
    entries = []
    for number, row in enumerate(rows, 1):
        key = f"repositories[{number}]"
        if isinstance(row, str):
            entries.append(
                _named_entry(
                    table, f"{table.path}.{key}".lstrip("."), row, group, groups.get(group, _Shared())
                )
            )
        else:
            place = Table(row, f"{table.path}.{key}".lstrip("."), table.problems)
            entries.append(_read_repository(place, group, groups, known))
    return entries


def _read_repository(table: Table, group: str, groups: Mapping[str, _Shared], known: Known) -> Entry:
    keys = table.keys(("name", "folder", "address", "group", "branch", "tags", "settings"))
    texts = {
        key: table.value(key, TEXT) or "" for key in ("name", "folder", "address", "group") if key in keys
    }
    if isinstance(table.values, dict) and ("folder" in keys) == ("address" in keys):
        table.problems.append(f"{table.path}: expected either `folder` or `address`")
    if texts.get("address") and (fault := address_fault(texts["address"])):
        table.fault("address", f"{describe(without_secrets(texts['address']))} {fault}")
    if "group" in keys:
        if group:
            table.fault("group", f"is already {describe(group)}, by its place")
        elif texts["group"] not in groups:
            table.fault(
                "group",
                f"unknown group {describe(texts['group'])}{suggestion(texts['group'], sorted(groups))}",
            )
        group = group or texts["group"]
    shared, own = groups.get(group, _Shared()), _read_shared(table, keys, known)
    return Entry(
        folder=texts.get("folder", ""),
        address=texts.get("address", ""),
        name=texts.get("name", ""),
        branch=own.branch or shared.branch,
        group=group,
        tags={**shared.tags, **own.tags},
        settings=shared.settings if own.settings is None else own.settings,
    )


def _named_entry(table: Table, place: str, name: str, group: str, shared: _Shared) -> Entry:
    """An entry that is written as its folder or address alone."""
    if not is_address(name):
        return _entry_of(shared, group, folder=name)
    if fault := address_fault(name):
        table.problems.append(f"{place}: {describe(without_secrets(name))} {fault}")
    return _entry_of(shared, group, address=name)


def _entry_of(
    shared: _Shared, group: str, *, folder: str = "", address: str = "", is_tree: bool = False
) -> Entry:
    return Entry(
        folder=folder,
        address=address,
        is_tree=is_tree,
        branch=shared.branch,
        group=group,
        tags=shared.tags,
        settings=shared.settings,
    )
