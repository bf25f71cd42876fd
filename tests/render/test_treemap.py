"""Treemaps: folders as a tree, and boxes that cover their room by lines of code."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crimes.render.html.scales import limits_of, step_of
from crimes.render.html.treemap import GRID, SHAPES, build_tree, lay_out, packed, shape_for


def test_a_chain_of_folders_is_one_folder() -> None:
    tree = build_tree(["src/app/core/a.py", "src/app/core/deep/er/b.py", "top.py"])
    assert [folder.path for folder in tree.folders] == ["", "src/app/core", "src/app/core/deep/er"]
    assert [folder.name for folder in tree.folders] == ["", "src/app/core", "deep/er"]
    assert tree.folder_of == (1, 2, 0)


def test_a_folder_with_a_file_of_its_own_is_not_part_of_a_chain() -> None:
    tree = build_tree(["a/b/c/x.py", "a/y.py"])
    assert [(folder.name, folder.parent) for folder in tree.folders] == [("", -1), ("a", 0), ("b/c", 1)]


def test_folders_as_deep_as_a_path_can_go_are_laid_out() -> None:
    paths = ["/".join([*["d"] * depth, "f.py"]) for depth in range(600)]
    tree = build_tree(paths)
    assert len(tree.folders) == 600
    assert len(lay_out(tree, dict.fromkeys(range(600), 3))) == 600


@given(st.lists(st.integers(1, 50_000), min_size=1, max_size=60))
def test_boxes_cover_their_room_and_areas_follow_lines(sizes: list[int]) -> None:
    tree = build_tree([f"f{number}.py" for number in range(len(sizes))])
    layout = lay_out(tree, dict(enumerate(sizes)))[0]
    assert sorted(layout.children) == list(range(len(sizes)))
    total = sum(sizes)
    for boxes in layout.boxes:
        assert all(0 <= x0 <= x1 <= GRID and 0 <= y0 <= y1 <= GRID for x0, y0, x1, y1 in boxes)
        for child, (x0, y0, x1, y1) in zip(layout.children, boxes, strict=True):
            share = (x1 - x0) * (y1 - y0) / GRID**2
            # Edges are on the grid: each is off by at most half a step.
            assert abs(share - sizes[child] / total) <= (x1 - x0 + y1 - y0 + 2) / GRID**2


def test_boxes_read_back_from_their_digits() -> None:
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    text = packed([(0, 63, 64, GRID)])
    values = [digits.index(text[at]) * 64 + digits.index(text[at + 1]) for at in range(0, len(text), 2)]
    assert values == [0, 63, 64, GRID]


def test_the_shape_nearest_to_the_room_is_chosen() -> None:
    assert [SHAPES[shape_for(*room)] for room in ((300, 100), (110, 100), (50, 100))] == [2.0, 1.0, 0.5]


def test_steps_rise_with_the_value_and_the_highest_is_the_last() -> None:
    limits = limits_of(range(1, 101))
    steps = [step_of(value, limits) for value in range(101)]
    assert steps == sorted(steps)
    assert (steps[0], steps[100]) == (0, 7)
    assert steps.count(7) < 5  # the few at the top stand out


def test_one_value_alone_is_on_the_last_step_and_nothing_on_the_first() -> None:
    assert (step_of(5, limits_of([5, 0, 0])), step_of(0, limits_of([5, 0, 0]))) == (7, 0)
    assert step_of(0, limits_of([0, 0])) == 0
