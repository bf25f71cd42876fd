"""Where folders and files stand in a treemap: nested, area by lines of code.

Every folder is laid out by itself in three shapes: wide, square and tall. Whoever draws takes the shape nearest to the room there is and stretches it
a little. So one layout serves every zoom and every screen, and nothing is laid out on the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

SHAPES = (2.0, 1.0, 0.5)  # width by height
GRID = 4095  # coordinates are whole numbers up to this, in both directions
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

Box = tuple[int, int, int, int]  # left, top, right, bottom on the grid


class Folder(NamedTuple):
    """A folder of the tree. A chain of folders with nothing else in them is one, named `a/b/c`."""

    name: str
    parent: int  # -1 for the root
    path: str  # empty for the root


class Layout(NamedTuple):
    """What is in a folder, largest first: `n` is the file n, `-n - 1` the folder n; with a box for each, in each of the shapes."""

    children: tuple[int, ...]
    boxes: tuple[tuple[Box, ...], ...]


class Tree(NamedTuple):
    """Folders, parents before children, and the folder of each file."""

    folders: tuple[Folder, ...]
    folder_of: tuple[int, ...]  # by file


def build_tree(paths: Sequence[str]) -> Tree:
    """The folders of these files."""
    folders = [Folder("", -1, "")]
    number = {"": 0}
    inside = _only_children(paths)

    def folder(path: str) -> int:
        waiting = []  # folders that are missing, each before the one it is in
        while path not in number:
            waiting.append(path)
            while (above := path.rpartition("/")[0]) and inside.get(above) == path:
                path = above  # up to where the chain begins
            path = above
        parent = number[path]
        for end in reversed(waiting):
            prefix = len(folders[parent].path) + 1 if parent else 0
            number[end] = len(folders)
            folders.append(Folder(end[prefix:], parent, end))
            parent = number[end]
        return parent

    homes = tuple(folder(path.rpartition("/")[0]) for path in paths)
    return Tree(tuple(folders), homes)


def _only_children(paths: Sequence[str]) -> dict[str, str | None]:
    """By folder: the folder that is all there is in it; None for a folder with more."""
    only: dict[str, str | None] = {}
    for path in paths:
        folder = path.rpartition("/")[0]
        only[folder] = None
        while folder:
            above = folder.rpartition("/")[0]
            known = only.get(above, folder)
            only[above] = folder if known == folder and above else None
            folder = above
    return only


def lay_out(tree: Tree, lines: Mapping[int, int]) -> dict[int, Layout]:
    """The layout of every folder that holds some of these files, given with their lines of code."""
    sizes: dict[int, dict[int, int]] = {}
    for file, number in lines.items():
        size, child, folder = max(number, 1), file, tree.folder_of[file]
        while folder >= 0:
            inside = sizes.setdefault(folder, {})
            inside[child] = inside.get(child, 0) + size
            child, folder = -folder - 1, tree.folders[folder].parent
    return {folder: _laid_out(inside) for folder, inside in sorted(sizes.items())}


def _laid_out(sizes: Mapping[int, int]) -> Layout:
    children = sorted(sizes, key=lambda child: (-sizes[child], child < 0, abs(child)))
    numbers = [sizes[child] for child in children]
    return Layout(tuple(children), tuple(_boxes(numbers, shape) for shape in SHAPES))


def _boxes(sizes: Sequence[int], shape: float) -> tuple[Box, ...]:
    import squarify  # type: ignore[import-untyped]

    total, width, height = sum(sizes), shape, 1.0
    areas = [size * width * height / total for size in sizes]
    boxes = []
    for rect in squarify.squarify(areas, 0.0, 0.0, width, height):
        left, top = rect["x"], rect["y"]
        right, bottom = left + rect["dx"], top + rect["dy"]
        boxes.append((_on_grid(left / width), _on_grid(top), _on_grid(right / width), _on_grid(bottom)))
    return tuple(boxes)


def _on_grid(share: float) -> int:
    return min(max(round(share * GRID), 0), GRID)


def packed(boxes: Sequence[Box]) -> str:
    """The boxes as text, two digits of 64 for each coordinate."""
    return "".join(f"{_DIGITS[value >> 6]}{_DIGITS[value & 63]}" for box in boxes for value in box)


def shape_for(width: float, height: float) -> int:
    """The shape that has to be stretched least to fill this room."""
    ratio = width / height
    return 0 if ratio > 2**0.5 else 2 if ratio < 2**-0.5 else 1
