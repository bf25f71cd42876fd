"""Python edges against grimp on a real repository: `benchmarks/resolve_python.py REPO PACKAGE [PACKAGE…]`.

A package is given by its name or, if several have that name, by its folder. grimp reads the packages in a process of
its own; neither side runs the repository. Only edges between files that both know are compared, and differences are
listed by reason. Less than 98 % found or more than 2 % extra fails the run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from crimes.config.schema import Config
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.reading import Unreadable
from crimes.languages.linking.link import link
from crimes.model.facts import EdgeKind, FileFacts, Role
from crimes.model.repository import Repo, SourceFile

MIN_FOUND_PERCENT = 98.0
MAX_EXTRA_PERCENT = 2.0
MAX_ROWS_SHOWN = 10

Pair = tuple[str, str]

_GRIMP = """
import json, sys
import grimp
names, roots = json.loads(sys.argv[1])
sys.path[:0] = roots
graph = grimp.build_graph(*names, cache_dir=None, exclude_type_checking_imports=False)
modules = sorted(graph.modules)
edges = [(a, b) for a in modules for b in sorted(graph.find_modules_directly_imported_by(a))]
print(json.dumps({"modules": modules, "edges": edges}))
"""


def link_repository(root: Path) -> Repo:
    """The repository's Python files, linked as in a scan."""
    command = ["git", "-C", str(root), "ls-files", "-z"]
    listing = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    paths = frozenset(path for path in listing.split("\0") if path and (root / path).is_file())
    facts: dict[str, FileFacts] = {}
    for path in sorted(paths):
        if path.endswith((".py", ".pyi")):
            try:
                facts[path] = read_facts(by_id["python"], (root / path).read_bytes())
            except Unreadable as reason:
                print(f"not read: {path}: {reason}")
    sources = [SourceFile(path, "python", Role.SOURCE, 0) for path in facts]
    return link(root, sources, facts, paths, Config(), lambda path: (root / path).read_bytes())


def package_folder(repo: Repo, package: str) -> str:
    """The folder of a package: as given, or the topmost one of that name."""
    if f"{package}/__init__.py" in repo.files:
        return package
    candidates = [path for path in repo.files if path.endswith(f"/{package}/__init__.py")]
    if not candidates:
        raise SystemExit(f"there is no package {package} in {repo.root}")
    return min(candidates, key=lambda path: (path.count("/"), path)).removesuffix("/__init__.py")


def grimp_graph(repo: Repo, folders: list[str]) -> tuple[set[str], set[Pair]]:
    """Files that grimp knows as modules, and its edges between them."""
    parents = {Path(folder).name: Path(folder).parent.as_posix() for folder in folders}
    roots = sorted({str(repo.root.resolve() / parent) for parent in parents.values()})
    command = [sys.executable, "-I", "-c", _GRIMP, json.dumps([sorted(parents), roots])]
    process = subprocess.run(command, capture_output=True, text=True, cwd="/")
    if process.returncode:
        raise SystemExit(f"grimp failed: {process.stderr.strip().splitlines()[-1]}")
    graph = json.loads(process.stdout)
    files = {}
    for module in graph["modules"]:
        base = f"{parents[module.partition('.')[0]]}/{module.replace('.', '/')}".removeprefix("./")
        files[module] = next(
            (file for file in (f"{base}/__init__.py", f"{base}.py") if file in repo.paths), ""
        )
    edges = {(files[source], files[target]) for source, target in graph["edges"]}
    return set(files.values()) - {""}, {pair for pair in edges if all(pair)}


def our_edges(repo: Repo, files: set[str]) -> set[Pair]:
    """Direct edges between `files`, except those from strings, which grimp does not read."""
    return {
        (edge.source, edge.target)
        for edge in repo.edges
        if not edge.via and edge.kind != EdgeKind.DYNAMIC and {edge.source, edge.target} <= files
    }


def why_missed(repo: Repo, pair: Pair) -> str:
    """Why grimp has an edge that we do not have."""
    source, target = pair
    if source == target:
        return "a file that imports itself: not an edge for us"
    ours = {edge.target for edge in repo.edges if edge.source == source}
    folder = target.removesuffix("__init__.py")
    if any(file.startswith(folder) and not file.endswith(".py") for file in ours):
        return "a compiled module or a stub: grimp takes the package above it, we take the file"
    module = target.removesuffix(".py").removesuffix("/__init__").rpartition("/")[2]
    if any(f"/{module}/" in f"/{file}" and not file.startswith(folder) for file in ours):
        return "a package that spans roots: grimp sees one of them, we find the module in another"
    unresolved = [row.target for row in repo.external if row.source == source and not row.external]
    if any(module in name.split(".")[:-1] for name in unresolved):
        return "the module named does not exist: grimp takes the package above it, we count it as unresolved"
    if unresolved:
        return "the name is not in the module: grimp takes the module, we count it as unresolved"
    return "not explained"


def print_differences(title: str, pairs: set[Pair], reasons: dict[Pair, str]) -> None:
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in sorted(pairs):
        groups[reasons[pair]].append(pair)
    for reason, members in sorted(groups.items()):
        print(f"{title}, {len(members)}: {reason}")
        for source, target in members[:MAX_ROWS_SHOWN]:
            print(f"  {source} -> {target}")


def main(root: Path, packages: list[str]) -> int:
    repo = link_repository(root)
    files, theirs = grimp_graph(repo, [package_folder(repo, package) for package in packages])
    ours = our_edges(repo, files)
    missed, extra = theirs - ours, ours - theirs
    found_percent = 100 * (1 - len(missed) / len(theirs))
    extra_percent = 100 * len(extra) / len(theirs)
    print(f"{root.name}: {len(files)} files, {len(theirs)} edges of grimp, {len(ours)} ours")
    print(f"found {found_percent:.2f} %, missed {len(missed)}, extra {len(extra)} ({extra_percent:.2f} %)")
    print_differences("missed", missed, {pair: why_missed(repo, pair) for pair in missed})
    print_differences("extra", extra, dict.fromkeys(extra, "not explained"))
    unresolved = [row for row in repo.external if not row.external]
    print(f"all files: {len(repo.edges)} edges, {len(repo.external)} outside, {len(unresolved)} unresolved")
    for row in unresolved[:MAX_ROWS_SHOWN]:
        print(f"  {row.source}:{row.line} {row.target}")
    return int(found_percent < MIN_FOUND_PERCENT or extra_percent > MAX_EXTRA_PERCENT)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
