"""Folders and their imports: few enough to draw, in layers, with cycles."""

from __future__ import annotations

from crimes.analyses.folder_graph import MAX_FOLDERS, FolderGraph, FolderImports, build_folder_graph


def graph_of(*imports: str, late: tuple[str, ...] = (), lines: int = 10) -> FolderGraph:
    """The graph of `a/x.py > b/y.py` and the like; those in `late` do not run at load."""
    pairs = [text.split(" > ") for text in (*imports, *late)]
    files = {path: lines for pair in pairs for path in pair}
    return build_folder_graph(
        files,
        [FolderImports(source, target, f"{source} > {target}" not in late) for source, target in pairs],
    )


def test_a_folder_is_above_those_it_imports() -> None:
    graph = graph_of("app/main.py > core/a.py", "app/main.py > util/b.py", "core/a.py > util/b.py")
    assert {folder.path: folder.layer for folder in graph.folders} == {"app": 0, "core": 1, "util": 2}
    assert [folder.path for folder in graph.folders] == ["util", "core", "app"]  # most importers first
    assert not any(folder.cycle for folder in graph.folders)


def test_imports_at_load_in_both_directions_are_a_cycle() -> None:
    graph = graph_of("a/x.py > b/y.py", "b/z.py > a/w.py", "b/y.py > c/v.py")
    assert {folder.path: folder.cycle for folder in graph.folders} == {"a": 1, "b": 1, "c": 0}
    assert sum(edge.in_cycle for edge in graph.edges) == 2


def test_an_import_that_runs_later_makes_no_cycle() -> None:
    graph = graph_of("a/x.py > b/y.py", late=("b/y.py > a/x.py",))
    assert not any(folder.cycle for folder in graph.folders)
    assert len(graph.edges) == 2


def test_imports_within_a_folder_and_to_other_files_are_no_edges() -> None:
    files = {"a/x.py": 1, "a/y.py": 1, "b/z.py": 1}
    imports = [FolderImports("a/x.py", "a/y.py", True), FolderImports("a/x.py", "tests/t.py", True)]
    assert build_folder_graph(files, imports) == FolderGraph((), (), alone=2)


def test_the_smallest_folders_become_part_of_the_one_they_are_in() -> None:
    files = {f"src/f{number}/m.py": number + 1 for number in range(200)}
    imports = [FolderImports(f"src/f{number}/m.py", "src/f199/m.py", True) for number in range(199)]
    graph = build_folder_graph(files, imports)
    assert len(graph.folders) == MAX_FOLDERS
    assert sum(folder.lines for folder in graph.folders) == sum(files.values())
    (merged,) = [folder for folder in graph.folders if folder.path == "src"]
    assert merged.folded == 200 - MAX_FOLDERS + 1
    assert min(folder.lines for folder in graph.folders if folder is not merged) > MAX_FOLDERS


def test_the_same_imports_in_another_order_give_the_same_graph() -> None:
    imports = ("a/x.py > b/y.py", "b/y.py > c/z.py", "c/z.py > a/x.py", "d/w.py > a/x.py")
    assert graph_of(*imports) == graph_of(*reversed(imports))
