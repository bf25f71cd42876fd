"""Our JavaScript resolver against oxc-resolver: the same specifiers of a real repository, two sets of edges.

    python benchmarks/resolve_javascript.py REPO [--list]

Needs node and npm; `npm install` runs once, in benchmarks/oxc. Nothing of the repository is installed, built
or run. The oracle gets a copy of the tracked files that looks as after an installation and a build: every
package is linked into the node_modules of the root and of each package that depends on it, and every entry
that a package.json names and the tree lacks is an empty file. If the oracle resolves an import to such a build
output, ours agrees with it by resolving to any file of the same package: the oracle cannot know which source an
output is built from. Less than 98 % found or more than 2 % extra fails the run.
"""

from __future__ import annotations

import argparse
import json
import os
import posixpath
import shutil
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.languages.engine.reading import Unreadable
from crimes.languages.javascript.resolve import ALIASES, javascript_resolver
from crimes.languages.javascript.tree import EXTENSIONS
from crimes.languages.spec import Resolution, ResolveInput
from crimes.model.facts import FileFacts, Import

ORACLE = Path(__file__).parent / "oxc"
LANGUAGES = [language for language in by_id.values() if language.family == by_id["javascript"].family]
ENTRIES = ("main", "module", "types", "exports", "imports")
MIN_FOUND, MAX_EXTRA = 0.98, 0.02  # shares of the edges
Question = tuple[str, str]  # file, specifier


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repo", type=Path)
    parser.add_argument("--list", action="store_true", help="every difference, not three of each kind")
    arguments = parser.parse_args()
    root = arguments.repo.resolve()
    paths = tracked_files(root)
    facts = read_all_facts(root, paths)
    imports = {(path, item.target): item for path, file in facts.items() for item in file.imports}
    answers = our_answers(root, paths, facts, imports)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder).resolve() / "tree"
        outputs = copy_as_built(root, copy, paths)
        theirs = oracle_answers(copy, imports)
    ours = {question: answer.targets[0].path for question, answer in answers.items() if answer.targets}
    to_outputs = {
        question: path
        for question, path in theirs.items()
        if path in outputs and not names_output(question, path)
    }
    theirs = {question: path for question, path in theirs.items() if path in facts or question in to_outputs}
    same_package = {
        question: ours[question]
        for question, path in to_outputs.items()
        if ours.get(question, "").startswith(outputs[path])
    }
    theirs |= same_package
    within_limits = print_shares(root.name, answers, ours, theirs, len(same_package))
    print_differences(ours, theirs, outputs, max_shown=10**9 if arguments.list else 3)
    if not within_limits:
        raise SystemExit(1)


def names_output(question: Question, path: str) -> bool:
    """Whether a relative import names the missing file itself: that stays unresolved, by rule."""
    importer, specifier = question
    named = posixpath.normpath(posixpath.join(importer, "..", specifier))
    return specifier.startswith(".") and named in (path, posixpath.splitext(path)[0])


def tracked_files(root: Path) -> frozenset[str]:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True).stdout
    names = (os.fsdecode(name) for name in listing.split(b"\0") if name)
    return frozenset(name for name in names if (root / name).is_file() and not (root / name).is_symlink())


def read_all_facts(root: Path, paths: Iterable[str]) -> dict[str, FileFacts]:
    facts = {}
    for path in sorted(paths):
        language = next((language for language in LANGUAGES if path.endswith(language.extensions)), None)
        if language:
            try:
                facts[path] = read_facts(language, (root / path).read_bytes())
            except Unreadable as reason:
                print(f"not read: {path}: {reason}")
    return facts


def our_answers(
    root: Path, paths: frozenset[str], facts: Mapping[str, FileFacts], imports: Mapping[Question, Import]
) -> dict[Question, Resolution]:
    resolver = javascript_resolver(ResolveInput(paths, facts, (), lambda path: (root / path).read_bytes()))
    return {question: resolver.resolve(question[0], item) for question, item in imports.items()}


def copy_as_built(root: Path, copy: Path, paths: Iterable[str]) -> dict[str, str]:
    """Copy the tracked files as after an installation and a build; return the package folder of each build output."""
    manifests: dict[str, dict[str, Any]] = {}
    for path in sorted(paths, key=lambda path: (path.count("/"), path)):
        target = copy / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, target)
        if target.name == "package.json" and "node_modules" not in path:
            try:
                manifests[posixpath.dirname(path)] = json.loads(target.read_text("utf-8-sig"))
            except ValueError:
                print(f"not read: {path}")
    folders: dict[str, str] = {}
    for folder, manifest in manifests.items():
        folders.setdefault(str(manifest.get("name", "")), folder)
    for folder, manifest in manifests.items():
        needed = dependencies(manifest)
        for name in sorted(folders.keys() - {""} if not folder else needed.keys()):
            local = needed.get(name, "").startswith(("file:", "link:"))
            package = posixpath.join(folder, needed[name][5:]) if local else folders.get(name)
            link = copy / folder / "node_modules" / name
            if package is not None and (copy / package).is_dir() and not link.exists():
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(copy / package)
    outputs = {}
    for folder, manifest in manifests.items():
        for entry in entries([manifest.get(key) for key in ENTRIES]):
            path = posixpath.normpath(posixpath.join(folder, entry))
            target = copy / path
            if path.endswith(EXTENSIONS) and "*" not in path and path[0] not in "./" and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.touch()
                outputs[path] = folder and folder + "/"
    return outputs


def dependencies(manifest: Mapping[str, Any]) -> dict[str, str]:
    sections = (manifest.get(key) for key in ("peerDependencies", "devDependencies", "dependencies"))
    merged: dict[str, str] = {}
    for section in sections:
        merged |= section if isinstance(section, dict) else {}
    return merged


def entries(value: object) -> Iterator[str]:
    """Every file a manifest names as an entry, below whatever conditions."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from entries(item)


def oracle_answers(copy: Path, questions: Collection[Question]) -> dict[Question, str]:
    if not (ORACLE / "node_modules").exists():
        subprocess.run(["npm", "install", "--no-package-lock", "--silent"], cwd=ORACLE, check=True)
    lines = "".join(json.dumps([str(copy / path), specifier]) + "\n" for path, specifier in questions)
    command = ["node", str(ORACLE / "resolve.mjs")]
    output = subprocess.run(command, input=lines, check=True, capture_output=True, text=True).stdout
    paths: dict[Question, str] = {}
    for question, line in zip(questions, output.splitlines(), strict=True):
        answer = json.loads(line)
        path = Path(answer.get("path", "/").partition("?")[0])
        if path.is_relative_to(copy) and "node_modules" not in path.parts:
            paths[question] = path.relative_to(copy).as_posix()
    return paths


def print_shares(
    name: str,
    answers: Mapping[Question, Resolution],
    ours: Mapping[Question, str],
    theirs: Mapping[Question, str],
    same_package: int,
) -> bool:
    """Print how many edges agree; return whether that is within the limits."""
    our_edges = {(path, target) for (path, _), target in ours.items()}
    their_edges = {(path, target) for (path, _), target in theirs.items()}
    both, extra = len(our_edges & their_edges), len(our_edges - their_edges)
    outside = sum(answer.external for answer in answers.values())
    unresolved = [
        specifier for (_, specifier), answer in answers.items() if not answer.targets and not answer.external
    ]
    print(f"{name}: {len(answers)} specifiers")
    print(f"  ours: {len(ours)} inside, {outside} outside, {len(unresolved)} unresolved")
    print(f"  edges of the oracle: {len(their_edges)}, found {both} = {both / len(their_edges):.2%}")
    print(f"  edges of ours: {len(our_edges)}, extra {extra} = {extra / len(our_edges):.2%}")
    print(f"  specifiers that agree on the package only, behind a build output: {same_package}")
    common = (f"{specifier} ({count})" for specifier, count in Counter(unresolved).most_common(5))
    print("  unresolved, most frequent: " + ", ".join(common))
    return both >= MIN_FOUND * len(their_edges) and extra <= MAX_EXTRA * len(our_edges)


def print_differences(
    ours: Mapping[Question, str], theirs: Mapping[Question, str], outputs: Mapping[str, str], max_shown: int
) -> None:
    groups: dict[str, list[str]] = defaultdict(list)
    for question in sorted(ours.keys() | theirs.keys()):
        mine, other = ours.get(question, ""), theirs.get(question, "")
        if mine != other:
            line = f"{question[0]}: {question[1]} -> {mine or 'nothing'}, oracle {other or 'nothing'}"
            groups[cause(question[1], mine, other, outputs)].append(line)
    for title, lines in sorted(groups.items()):
        print(f"  {title}: {len(lines)}")
        for line in lines[:max_shown]:
            print(f"    {line}")


def cause(specifier: str, mine: str, other: str, outputs: Mapping[str, str]) -> str:
    """Why the two differ, judged by the names.

    "Not let in" means: the file is where the name says, but `exports` does not list it or has it under another
    condition, or the tsconfig with the baseUrl leaves the importer out.
    """
    if not mine:
        return "missing: an output without a source" if other in outputs else "missing: not explained"
    if other:
        declared = ".d." in other and ".d." not in mine
        return "other file: code and its declaration" if declared else "other file: by another condition"
    if specifier.startswith(tuple(ALIASES)):
        return "extra: an alias that no configuration names"
    return "extra: not explained" if specifier.startswith(".") else "extra: not let in by name"


if __name__ == "__main__":
    main()
