"""The text of a new fleet.toml: the checkouts of a folder, grouped by the folders they lie in."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from crimes.config.fleet import Limits
from crimes.model.errors import UsageError
from crimes.model.wording import count
from crimes.system.durable import write_durably
from crimes.workflows.fleet.members import find_checkouts


def fleet_text(folder: Path, base: Path) -> str:
    """A fleet.toml for the checkouts in a folder; names are relative to `base`, where the file goes. UsageError without any."""
    checkouts = list(find_checkouts(folder))
    if not checkouts:
        raise UsageError(f"no git checkout in {folder}; name a folder that holds some")
    parts = Counter(
        checkout.relative_to(folder).parts[0] if len(checkout.relative_to(folder).parts) > 1 else ""
        for checkout in checkouts
    )
    return "\n".join(_rows(folder, base, parts)) + "\n"


def _rows(folder: Path, base: Path, parts: Counter[str]) -> Iterator[str]:
    limits = Limits()
    yield "# A fleet of repositories. Run it with `crimes fleet run`, then look at `crimes fleet report`."
    yield '# store = "crimes-fleet"  # where results go, relative to this file'
    yield ""
    if parts[""]:
        yield f"folders = [{_quoted(base, folder)}]  # every git checkout in there: {sum(parts.values()):,}"
    else:
        yield '# folders = ["~/src"]  # every git checkout in there'
    for name, number in sorted(parts.items()):
        if name:
            yield ""
            yield f"[groups.{json.dumps(name, ensure_ascii=False)}]"
            yield f"folders = [{_quoted(base, folder / name)}]  # {count(number, 'checkout')}"
            yield f'# tags = {{ team = "{name if name.isascii() and name.isalnum() else "payments"}", tier = "1" }}'
    yield from (
        "",
        "# [[repositories]]  # one of its own: by folder or address",
        '# address = "git@git.example.org:acme/gateway.git"',
        '# branch = "release"',
        '# tags = { team = "payments" }',
        '# settings = { exclude = ["vendor/"] }  # instead of its own crimes.toml',
        "",
        "# [limits]  # for each repository",
    )
    yield from (f"# {name} = {getattr(limits, name)}" for name in limits.__struct_fields__)


def _quoted(base: Path, folder: Path) -> str:
    """A folder as TOML text, relative to the file where it lies below it."""
    inside = folder.is_relative_to(base)
    return json.dumps(os.path.relpath(folder, base) if inside else str(folder), ensure_ascii=False)


def write_fleet(folder: Path, target: Path) -> None:
    """Write a new fleet.toml. UsageError when there is one."""
    text = fleet_text(folder.resolve(), target.parent.resolve())
    try:
        write_durably(target, text.encode(), new=True)
    except FileExistsError as error:
        raise UsageError(f"{target} is there already; edit it, or name another file with --output") from error
    except OSError as error:
        raise UsageError(f"cannot write {target}: {error.strerror}") from error
