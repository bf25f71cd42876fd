"""Cargo: an integration test has its own target, unit tests run with the library; all from the top of the workspace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from posixpath import basename, dirname, join, relpath, splitext

from crimes.model.repository import Repo
from crimes.workflows.briefing.command import (
    MAX_TEST_FILES,
    Command,
    folders_upward,
    in_folder,
    is_below,
    nearest_folder,
    parse_toml,
    read_if_present,
    stem,
    text_in,
    texts_in,
    value_in,
)
from crimes.workflows.briefing.runners.cargo_features import missing_features


def cargo_command(repo: Repo, target: str, tests: tuple[str, ...]) -> Command:
    """The targets of these tests of a file, with the features it needs; for unit tests all of the package."""
    crate = nearest_folder(repo, tests[0], "Cargo.toml")
    if crate is None:
        return Command(note="no `Cargo.toml` above the tests")
    manifest = _manifest(repo, crate)
    top = _workspace_top(repo, crate)
    package = text_in(manifest, "package", "name")
    words = ["-p", package] if package else []
    inside = [test for test in tests if is_below(crate, test)]
    targets = _test_targets(repo, crate, manifest)
    named = {test: name for test in inside if (name := _target_of(test, crate, targets))}
    if tests[0] not in named:
        if relpath(tests[0], crate or ".").startswith("tests/"):
            return Command(note=f"no test target of the manifest holds `{tests[0]}`")
        features = {
            feature for path in (target, *inside) for feature in missing_features(repo, crate, manifest, path)
        }
        words += ["--features", ",".join(sorted(features))] if features else []
        return in_folder(top, "cargo test", words, len(inside))
    chosen = list(dict.fromkeys(named.values()))[:MAX_TEST_FILES]
    features = {feature for name in chosen for feature in _features(manifest, name)}
    for path in (target, *(test for test, name in named.items() if name in chosen)):
        features |= missing_features(repo, crate, manifest, path)
    words += ["--features", ",".join(sorted(features))] if features else []
    words += [word for name in chosen for word in ("--test", name)]
    return in_folder(top, "cargo test", words, sum(name in chosen for name in named.values()))


def _test_targets(repo: Repo, crate: str, manifest: Mapping[str, object]) -> dict[str, str]:
    """By path: the names of the integration tests, those the manifest lists and those that Cargo finds by itself."""
    targets: dict[str, str] = {}
    if value_in(manifest, "package", "autotests") is not False:
        targets.update(_automatic_targets(repo.paths, crate))
    for listed in _listed(manifest):
        name = text_in(listed, "name")
        targets[join(crate, text_in(listed, "path") or f"tests/{name}.rs")] = name
    return targets


@lru_cache(maxsize=256)
def _automatic_targets(paths: frozenset[str], crate: str) -> Mapping[str, str]:
    """By path: files of the folder `tests`, and main files of folders in it; cached, since every file of a crate needs it."""
    folder = join(crate, "tests")
    inside = [path for path in sorted(paths) if is_below(folder, path) and splitext(path)[1] == ".rs"]
    return {
        path: stem(path) if dirname(path) == folder else basename(dirname(path))
        for path in inside
        if dirname(path) == folder or (basename(path) == "main.rs" and dirname(dirname(path)) == folder)
    }


def _target_of(test: str, crate: str, targets: Mapping[str, str]) -> str:
    """The target that holds a test: its own, the main file of its folder, or the only one beside it; empty for none."""
    if test in targets:
        return targets[test]
    for folder in folders_upward(test):
        if not is_below(join(crate, "tests"), f"{folder}/") and folder != join(crate, "tests"):
            return ""
        if (main := join(folder, "main.rs")) in targets:
            return targets[main]
        beside = [name for path, name in targets.items() if dirname(path) == folder]
        if beside:
            return beside[0] if len(beside) == 1 else ""
    return ""


def _listed(manifest: Mapping[str, object]) -> Iterator[object]:
    value = manifest.get("test")
    yield from value if isinstance(value, list) else ()


def _features(manifest: Mapping[str, object], name: str) -> tuple[str, ...]:
    """Features without which a target is not built."""
    return tuple(
        feature
        for listed in _listed(manifest)
        if text_in(listed, "name") == name
        for feature in texts_in(listed, "required-features")
    )


def _workspace_top(repo: Repo, crate: str) -> str:
    """The nearest folder that is the top of a workspace with the crate; the crate's own without one."""
    for folder in folders_upward(join(crate, "Cargo.toml")):
        workspace = _manifest(repo, folder).get("workspace")
        if isinstance(workspace, dict):
            inner = relpath(crate or ".", folder or ".")
            excluded = texts_in(workspace, "exclude")
            return crate if any(f"{inner}/".startswith(f"{path}/") for path in excluded) else folder
    return crate


def _manifest(repo: Repo, folder: str) -> Mapping[str, object]:
    """A crate's manifest; empty without one."""
    return parse_toml(read_if_present(repo, join(folder, "Cargo.toml")))
