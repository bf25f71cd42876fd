"""The files of a git directory, and of git's configuration, that decide what git would answer about a work tree."""

from __future__ import annotations

import os

from crimes.model.errors import Unavailable
from crimes.system import git

_SMALL = 4096  # bytes; HEAD, a reference, a `.git` file
_MOST_LINKS = 5  # references that name another reference
_IN_COMMON = (
    "packed-refs",
    "config",
    "shallow",
    "info/exclude",
    "info/attributes",
    "info/grafts",
    "info/sparse-checkout",
    "objects/info/alternates",
    "reftable/tables.list",
)
_BESIDE_FILES = (".mailmap", ".git-blame-ignore-revs")
_ABOVE_ROOT = (".gitignore", ".gitattributes")


def index_of(tree: git.WorkTree) -> str:
    """Where the index is. ValueError when `.git` is nothing git would accept."""
    return os.path.join(_directory(str(tree.top)), "index")


def files_to_watch(tree: git.WorkTree) -> list[str]:
    """Absolute names, whether they exist or not. ValueError or Unavailable when they cannot be told."""
    top = str(tree.top)
    own = _directory(top)
    common = _common(own)
    found = [os.path.join(common, name) for name in _IN_COMMON]
    found += [os.path.join(own, name) for name in ("commondir", "config.worktree", "info/sparse-checkout")]
    found += _references(own, common)
    if own != os.path.join(top, ".git"):
        found.append(os.path.join(top, ".git"))
    found += [os.path.join(top, name) for name in _BESIDE_FILES]
    folder = str(tree.root)
    while folder != top:
        folder = os.path.dirname(folder)
        found += [os.path.join(folder, name) for name in _ABOVE_ROOT]
    return sorted({*found, *_configuration(tree, common)})


def _directory(top: str) -> str:
    """The work tree's own git directory: `.git`, or the folder that a file of this name leads to."""
    place = os.path.join(top, ".git")
    if os.path.isdir(place):
        return place
    text = _text(place)
    if not text.startswith("gitdir: "):
        raise ValueError(".git leads nowhere")
    return os.path.normpath(os.path.join(top, text.removeprefix("gitdir: ").rstrip("\n")))


def _common(own: str) -> str:
    place = os.path.join(own, "commondir")
    return os.path.normpath(os.path.join(own, _text(place).strip())) if os.path.isfile(place) else own


def _references(own: str, common: str) -> list[str]:
    """HEAD, and what it names, and what that names."""
    found = [os.path.join(own, "HEAD")]
    text = _text(found[0])
    for _ in range(_MOST_LINKS):
        if not text.startswith("ref: "):
            break
        name = text.removeprefix("ref: ").strip()
        if os.path.isabs(name) or ".." in name:
            raise ValueError("HEAD leads out of the repository")
        found.append(os.path.join(common, name))
        text = _text(found[-1]) if os.path.isfile(found[-1]) else ""
    return found


def _configuration(tree: git.WorkTree, common: str) -> list[str]:
    """Configuration files git has read, those it would read, and the ignore and attribute files they name."""
    home = os.path.expanduser("~")
    own = os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git")
    found = [os.path.join(own, name) for name in ("config", "ignore", "attributes")]
    found += [os.path.join(home, ".gitconfig"), "/etc/gitconfig", "/etc/gitattributes"]
    words = os.fsdecode(git.run(tree, "config", "--null", "--list", "--show-origin")).split("\0")
    for origin, entry in zip(words[::2], words[1::2], strict=False):
        if origin.startswith("file:"):
            found += [os.path.join(start, origin.removeprefix("file:")) for start in (common, str(tree.root))]
        key, _, value = entry.partition("\n")
        if key in ("core.excludesfile", "core.attributesfile"):
            found.append(os.path.join(str(tree.top), os.path.expanduser(value)))
    return found


def _text(place: str) -> str:
    with open(place, "rb") as file:
        text = os.fsdecode(file.read(_SMALL))
    if len(text) == _SMALL:
        raise ValueError(f"{os.path.basename(place)} is too large")
    return text


FAULTS = (OSError, ValueError, Unavailable)
