"""The files of a git directory, and of git's configuration, that decide what git would answer about a work tree."""

from __future__ import annotations

import os
import stat

from crimes.model.errors import Unavailable
from crimes.system import git

_MAX_TEXT_BYTES = 4096  # of HEAD, a reference, a `.git` file
_MAX_REFERENCE_HOPS = 5  # from one symbolic reference to the next
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
_IN_TOP = (".mailmap", ".git-blame-ignore-revs")
_ABOVE_ROOT = (".gitignore", ".gitattributes")


def index_of(tree: git.WorkTree) -> str:
    """The path of the index. ValueError when git would not accept `.git`."""
    return os.path.join(_git_directory(str(tree.top)), "index")


def files_to_watch(tree: git.WorkTree) -> list[str]:
    """Absolute paths, existing or not. ValueError or Unavailable when they cannot be determined."""
    top = str(tree.top)
    own = _git_directory(top)
    common = _common_directory(own)
    paths = [os.path.join(common, name) for name in _IN_COMMON]
    paths += [os.path.join(own, name) for name in ("commondir", "config.worktree", "info/sparse-checkout")]
    paths += _references(own, common)
    if own != os.path.join(top, ".git"):
        paths.append(os.path.join(top, ".git"))
    paths += [os.path.join(top, name) for name in _IN_TOP]
    folder = str(tree.root)
    while folder != top:
        folder = os.path.dirname(folder)
        paths += [os.path.join(folder, name) for name in _ABOVE_ROOT]
    return sorted({*paths, *_configuration_files(tree, common)})


def _git_directory(top: str) -> str:
    """The work tree's own git directory: `.git`, or the folder that a file of this name leads to."""
    path = os.path.join(top, ".git")
    if os.path.isdir(path):
        return path
    text = _read_text(path)
    if not text.startswith("gitdir: "):
        raise ValueError(".git points to nothing")
    return os.path.normpath(os.path.join(top, text.removeprefix("gitdir: ").rstrip("\n")))


def _common_directory(own: str) -> str:
    path = os.path.join(own, "commondir")
    return os.path.normpath(os.path.join(own, _read_text(path).strip())) if os.path.isfile(path) else own


def _references(own: str, common: str) -> list[str]:
    """HEAD and the chain of references it names."""
    paths = [os.path.join(own, "HEAD")]
    text = _read_text(paths[0])
    for _ in range(_MAX_REFERENCE_HOPS):
        if not text.startswith("ref: "):
            break
        name = text.removeprefix("ref: ").strip()
        if os.path.isabs(name) or ".." in name:
            raise ValueError("HEAD points outside the repository")
        paths.append(os.path.join(common, name))
        text = _read_text(paths[-1]) if os.path.isfile(paths[-1]) else ""
    return paths


def _configuration_files(tree: git.WorkTree, common: str) -> list[str]:
    """Configuration files that git reads or would read, and the ignore and attribute files they name."""
    home = os.path.expanduser("~")
    own = os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git")
    paths = [os.path.join(own, name) for name in ("config", "ignore", "attributes")]
    paths += [os.path.join(home, ".gitconfig"), "/etc/gitconfig", "/etc/gitattributes"]
    words = os.fsdecode(git.run(tree, "config", "--null", "--list", "--show-origin")).split("\0")
    for origin, entry in zip(words[::2], words[1::2], strict=False):
        if origin.startswith("file:"):
            paths += [os.path.join(start, origin.removeprefix("file:")) for start in (common, str(tree.root))]
        key, _, value = entry.partition("\n")
        if key in ("core.excludesfile", "core.attributesfile"):
            paths.append(os.path.join(str(tree.top), os.path.expanduser(value)))
    return paths


def _read_text(path: str) -> str:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # a pipe would be waited for
            raise ValueError(f"{os.path.basename(path)} is not a regular file")
        text = os.fsdecode(os.read(descriptor, _MAX_TEXT_BYTES))
    finally:
        os.close(descriptor)
    if len(text) == _MAX_TEXT_BYTES:
        raise ValueError(f"{os.path.basename(path)} is too large")
    return text


FAULTS = (OSError, ValueError, Unavailable)
