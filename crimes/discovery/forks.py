"""Folders that hold a fork or a copy of someone else's project, told by the licence in them.

A folder with a licence of its own may still be one's own package. It is other people's code if the text beside the
licence says so, or if the licence and the headers of the files name another holder than the licence at the top does. A
licence alone says little: code that was taken over years ago, and is maintained since, keeps its first licence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping

from crimes.discovery.roles import WORKSPACE_MANIFESTS
from crimes.model.lazy_regex import regex

HEADER_BYTES, MAX_READ_HEADERS = 1000, 8
HEAD_CHARS = 3000  # of a text that is read; what it is about stands at its start
# No part of it can be read in two ways: names are chosen by a stranger, and may be long.
LICENCE = regex(
    r"(?:^|[-_.])(?:licen[sc]e|copying|copyright|unlicen[sc]e)(?:[-_][\w-]*+)?(?:\.(?:md|txt|rst|adoc))?$",
    re.IGNORECASE,
)
README = regex(r"(?:\w+[-_])?readme(?:\.(?:md|txt|rst|adoc|markdown))?$", re.IGNORECASE, within=300)
# "This is a fork and import of the editor at v0.17.1", "The code in this folder was copied from ...".
ORIGIN = regex(
    r"\b(?:this|these|the (?:code|files|sources?|contents?))\b[^.\n]{0,60}?\b(?:is|are|was|were|contains?|holds?|has been|have been)\b[^.\n]{0,30}?"
    r"\b(?:(?:(?:an?|the|our) )?(?:\w+ ){0,2}(?:fork|copy|snapshot|import|mirror)(?:e[ds])?(?: and \w+)? of"
    r"|(?:copied|vendored|imported|forked|pulled)(?: and \w+)?(?: \w+)? from)\b",
    re.IGNORECASE,
)
COPYRIGHT = regex(
    r"^[^\w\n]*+copyright\s*+(?=\(c\)|©|\d{4})(?:\(c\)|©)?[\s\d,–-]*+(?:present\b)?,?\s*+(?:by\s++)?(?P<holder>[^\n<(]*+)",
    re.IGNORECASE | re.MULTILINE,
)
LICENCE_AUTHOR = "free software foundation"  # holds the text of the licence, not the code
CODE_NAME = regex(
    r"\.(?:[cm]?[jt]sx?|py|php|java|kt|cs|go|rs|rb|swift|scala|c|cc|cpp|cxx|h|hpp|hh|m|mm)$", re.IGNORECASE
)
REQUIRED = regex(r'"([a-z\d][\w.-]*/[a-z\d][\w.-]*)"\s*:\s*"[^"]*"')  # a package of Composer, and its version
WORD = regex(r"[^\W\d_]{3,}")
EMPTY_WORDS = regex(
    r"the|and|inc|llc|ltd|gmbh|corp(?:oration)?|company|foundation|contributors?|authors?|others|team|project|all|rights|reserved|its"
    r"|affiliates|software|license|notice|owner|name|year|holders?"
)


def forked_folders(paths: Collection[str], read: Callable[[str], bytes]) -> frozenset[str]:
    """Folders of other people's code, without those inside another one."""
    names: dict[str, set[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        names.setdefault(folder, set()).add(name)
    licensed = {folder: files for folder, files in names.items() if any(map(_is_licence, files))}
    own = _holder_words("", licensed.pop("", set()), read)
    forked: set[str] = set(_installed_folders(names, read))
    for folder in sorted(licensed):
        if not is_below(folder, forked) and _is_foreign(folder, names, own, read):
            forked.add(folder)
    return frozenset(forked)


def _is_licence(name: str) -> bool:
    """Whether a file holds a licence, by its name. Most names are settled without the pattern."""
    lower = name.lower()
    is_candidate = "licen" in lower or "copy" in lower or not name.isascii()
    return is_candidate and LICENCE.search(name) is not None


def _installed_folders(names: Mapping[str, Collection[str]], read: Callable[[str], bytes]) -> Iterator[str]:
    """Folders that Composer unpacked packages into, where a manifest beside them asks for those: `lib/acme/cart`."""
    for folder in sorted(folder for folder, files in names.items() if folder and "composer.json" in files):
        for text in _texts(folder, ["composer.json"], read):
            wanted = (f"{folder}/{match[1]}" for match in REQUIRED.finditer(text))
            yield from (path for path in wanted if any(is_at_or_below(name, path) for name in names))


def is_at_or_below(path: str, folder: str) -> bool:
    """Whether a folder is the other one or in it."""
    return path == folder or path.startswith(f"{folder}/")


def is_below(path: str, folders: Collection[str]) -> bool:
    """Whether a path is in one of the folders."""
    if not folders:
        return False
    while path := path.rpartition("/")[0]:
        if path in folders:
            return True
    return False


def _is_foreign(
    folder: str, names: Mapping[str, Collection[str]], own: frozenset[str], read: Callable[[str], bytes]
) -> bool:
    files = names[folder]
    if not WORKSPACE_MANIFESTS.isdisjoint(files):
        return False  # a package of the workspace is released from here, whoever began it
    if any(ORIGIN.search(text) for text in _texts(folder, filter(README.match, files), read)):
        return True
    holder = _holder_words(folder, files, read) if own else frozenset()
    return bool(holder) and holder.isdisjoint(own) and _is_in_headers(holder, folder, names, read)


def _is_in_headers(
    holder: frozenset[str],
    folder: str,
    names: Mapping[str, Collection[str]],
    read: Callable[[str], bytes],
) -> bool:
    """Whether most of the first code files below a folder name the holder at their top."""
    code = sorted(
        f"{below}/{name}"
        for below, files in names.items()
        if is_at_or_below(below, folder)
        for name in files
        if CODE_NAME.search(name)
    )[:MAX_READ_HEADERS]
    heads = [text[:HEADER_BYTES].lower() for path in code for text in _texts("", [path], read)]
    naming = [head for head in heads if "copyright" in head and any(word in head for word in holder)]
    return bool(naming) and 2 * len(naming) > len(heads)


def _holder_words(folder: str, files: Collection[str], read: Callable[[str], bytes]) -> frozenset[str]:
    """The words of the names that the licences of a folder give as holders."""
    words: set[str] = set()
    for text in _texts(folder, filter(_is_licence, files), read):
        for match in COPYRIGHT.finditer(text):
            holder = match["holder"].lower()
            words.update(WORD.findall("" if LICENCE_AUTHOR in holder else holder))
    return frozenset(word for word in words if not EMPTY_WORDS.fullmatch(word))


def _texts(
    folder: str, names: Collection[str] | Iterator[str], read: Callable[[str], bytes]
) -> Iterator[str]:
    """The starts of some files of a folder; a file that cannot be read says nothing."""
    for name in sorted(names):
        try:
            source = read(f"{folder}/{name}" if folder else name)
        except OSError:
            continue
        yield source[:HEAD_CHARS].decode("utf-8", "replace")
