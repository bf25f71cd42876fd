"""Which document of a repository describes a name: read from the work tree when somebody asks."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from posixpath import basename, splitext

from crimes.model.errors import Unavailable
from crimes.model.lazy_regex import regex
from crimes.system import git
from crimes.system.safe_files import SafeReader

_MARKUP = frozenset({".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc"})
_PLAIN_TEXT = ".txt"  # a document only in a folder of documents
_MANUALS = frozenset({"doc", "docs"})
# Logs of changes tell what was; instructions for contributors mention names, and describe none.
_NO_MANUAL = regex(r"(?i)change|history|news|release|upgrad|migrat|contributing|agents|claude|todo")
_OTHER_FOLDERS = frozenset(
    {"changes", "changelog", "releases", "whatsnew", "test", "tests", "spec", "vendor", "node_modules"}
)
_MAX_DOCUMENT_BYTES = 1_000_000
_MAX_MENTIONS = 1_000  # of a name in one document
_MIN_NAME_CHARS = 3  # shorter ones mean too many things
_HEADING_WORTH = 200  # mentions that a heading or a directive of its own outweighs
_QUALIFIER = regex(r"(?<![\w$])([\w$]{1,100})(?:\(\))?(?:\.|#|::|->|\\)\Z")
_LANGUAGE_FOLDER = regex(r"(?:^|/)([a-z]{2}(?:-[A-Za-z]{2,4})?)/")


def find_documents(root: Path, names: Collection[str]) -> dict[str, str]:
    """By name: the document that says most about it, where one mentions it as code; a method is `Class.method`."""
    wanted = [name for name in names if len(name) >= _MIN_NAME_CHARS]
    words = {name: name.rpartition(".")[2].encode() for name in wanted}
    worth: dict[str, dict[str, int]] = {}
    for path, content in _documents(root) if wanted else ():
        present = [name for name, word in words.items() if word in content]
        text = content.decode("utf-8", "replace") if present else ""
        for name in present:
            if points := _worth(text, name):
                worth.setdefault(name, {})[path] = points
    return {name: _best(found) for name, found in worth.items()}


def _documents(root: Path) -> Iterator[tuple[str, bytes]]:
    """The manuals that git knows, with their content; none outside of git."""
    try:
        listed = os.fsdecode(git.run(git.find(root), "ls-files", "-z", "--cached")).split("\0")
    except Unavailable:
        return
    reader = SafeReader(root.resolve())
    try:
        for path in filter(_is_manual, sorted(listed)):
            try:
                yield path, reader.read(path, _MAX_DOCUMENT_BYTES)
            except OSError:
                continue  # gone since, or too large
    finally:
        reader.close()


def _is_manual(path: str) -> bool:
    extension = splitext(path)[1].lower()
    folders = set(path.lower().split("/")[:-1])
    if extension not in _MARKUP and not (extension == _PLAIN_TEXT and folders & _MANUALS):
        return False
    hidden = any(folder.startswith(".") for folder in folders)
    return not (hidden or folders & _OTHER_FOLDERS or _NO_MANUAL.search(basename(path)))


def _worth(text: str, name: str) -> int:
    """How much a document says of a name: places that mean the code and not the plain word, headings above all."""
    owner, _, word = name.rpartition(".")
    owner = owner.rpartition(".")[2]
    points = 0
    for number, match in enumerate(re.finditer(rf"(?<![\w$]){re.escape(word)}(?![\w$])", text)):
        if number == _MAX_MENTIONS:
            break
        start = text.rfind("\n", 0, match.start()) + 1
        end = text.find("\n", match.end())
        before, after = text[start : match.start()], text[match.end() : end if end >= 0 else len(text)]
        qualifier = _QUALIFIER.search(before)
        if (qualifier[1] if qualifier else "") != owner and (
            owner or (qualifier and qualifier[1][:1].isupper())
        ):
            continue  # a member of something else
        if _is_heading(before, after):
            points += _HEADING_WORTH
        elif qualifier or after[:1] == "(" or before.count("`") % 2:
            points += 1
    return points


def _is_heading(before: str, after: str) -> bool:
    """Whether a line has nothing but the name and its parameters: `## Name`, `::: package.Name`, `.. class:: Name`."""
    alone = not after.partition("(")[0].strip(" `=*")
    mark, _, rest = before.partition(" ")
    if mark == "..":  # a directive
        rest = rest.partition("::")[2]
    elif not mark or (mark.strip("#=") and mark != ":::"):
        return False
    around = rest.strip(" `*")
    return alone and (not around or (" " not in around and _QUALIFIER.search(around) is not None))


def _best(worth: Mapping[str, int]) -> str:
    """The document with most to say, translations aside; of equals the one nearest to the root."""
    originals = [path for path in worth if not _is_translation(path, worth)]
    return min(originals, key=lambda path: (-worth[path], path.count("/"), path))


def _is_translation(path: str, others: Iterable[str]) -> bool:
    """Whether the same document is there in English too."""
    return any(
        match[1] != "en" and f"{path[: match.start(1)]}en{path[match.end(1) :]}" in others
        for match in _LANGUAGE_FOLDER.finditer(path)
    )
