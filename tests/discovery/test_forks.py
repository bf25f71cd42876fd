"""Which folders hold a fork or a copy of someone else's project."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from crimes.config.schema import Config
from crimes.discovery.discover import discover
from crimes.discovery.forks import LICENCE, forked_folders
from crimes.engine.read_files import read_all
from crimes.incremental.scan_cache import no_cache
from crimes.languages import by_id
from crimes.languages.linking.link import link
from crimes.model.facts import Role
from tests.kit.gitrepo import GitRepo

OURS = (
    "MIT License\n\nCopyright (c) 2020 The Shelf Project\n\nThe above copyright notice shall be included.\n"
)
THEIRS = "MIT License\n\nCopyright (c) Wide Platforms, Inc. and affiliates.\n\nThe above copyright notice shall be included.\n"
FORK = (
    "# Editor\n\nThis is a fork and import of [the editor](https://example.org/) at the version of v0.17.1.\n"
)


def forked(files: Mapping[str, str]) -> frozenset[str]:
    def read(path: str) -> bytes:
        return files[path].encode()

    return forked_folders(files.keys(), read)


@pytest.mark.parametrize(
    "files",
    [
        {"js/editor/ORIGINAL-LICENSE": "MIT", "js/editor/readme.md": FORK},
        {"LICENSE": OURS, "js/editor/LICENSE": THEIRS},
        {
            "js/editor/LICENSE": "MIT",
            "js/editor/README": "The files in this folder were copied from the editor.",
        },
        {"LICENSE": OURS, "js/editor/LICENSE": THEIRS, "js/editor/parts/LICENSE": THEIRS},
    ],
)
def test_a_folder_that_says_it_is_a_copy_is_forked(files: Mapping[str, str]) -> None:
    assert forked({**files, "js/editor/core/a.js": f"/*\n{THEIRS} */\n"}) == {"js/editor"}


@pytest.mark.parametrize(
    "files",
    [
        {"LICENSE": OURS, "js/editor/LICENSE": OURS.replace("2020", "2024")},
        {"LICENSE": OURS, "js/editor/LICENSE": THEIRS, "js/editor/package.json": "{}"},
        {"js/editor/LICENSE": THEIRS},  # whose the rest is, nothing says
        {"js/editor/readme.md": FORK},
        {"LICENSE": OURS, "js/editor/LICENSE": "MIT", "js/editor/readme.md": "Add a copy of the list."},
        {"LICENSE": "Copyright (C) 2007 Free Software Foundation, Inc.", "js/editor/LICENSE": THEIRS},
        {"LICENSE": THEIRS, "readme.md": FORK},
        {"LICENSE": OURS, "js/editor/license.ts": THEIRS},
    ],
)
def test_own_folders_are_not_forked(files: Mapping[str, str]) -> None:
    assert forked({**files, "js/editor/core/a.js": f"/*\n{THEIRS} */\n"}) == frozenset()


def test_code_taken_over_long_ago_is_own_code_under_its_first_licence() -> None:
    assert (
        forked({"LICENSE": OURS, "lib/dispatch/LICENSE": THEIRS, "lib/dispatch/a.py": "x = 1"}) == frozenset()
    )


def test_files_of_a_fork_are_vendored_unless_git_attributes_deny_it(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path)
    repo.commit(
        {
            "a.py": "x = 1\n",
            "editor/LICENSE": THEIRS,
            "editor/README.md": FORK,
            "editor/core.py": "x = 1\n",
            "editor/ours.py": "x = 1\n",
            "editor/test_core.py": "x = 1\n",
            ".gitattributes": "editor/ours.py linguist-vendored=false\n",
        }
    )
    tree = discover(tmp_path, Config(), by_id)
    facts, _ = read_all(tree, lambda *_: None, no_cache())
    files = link(tmp_path, tree.files, facts, tree.paths, Config(), tree.read).files
    roles = {path: file.role for path, file in files.items() if path.endswith(".py")}
    assert roles == {
        "a.py": Role.SOURCE,
        "editor/core.py": Role.VENDORED,
        "editor/ours.py": Role.SOURCE,
        "editor/test_core.py": Role.TEST,
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("LICENSE", True),
        ("LICENSE-APACHE", True),
        ("LICENSE_1_0.txt", True),
        ("COPYING.md", True),
        ("ace.LICENSE.txt", True),
        ("MIT-LICENSE", True),
        ("license_test.go", False),
        ("relicense.py", False),
        ("_".join(["snapshot"] * 4_000) + "!", False),  # takes minutes if a name can be read in many ways
        ("LICENSE" + "-_" * 20_000 + "!", False),
    ],
)
def test_licences_are_told_by_their_names(name: str, expected: bool) -> None:
    assert bool(LICENCE.search(name)) == expected


def test_packages_that_composer_unpacked_beside_its_manifest_are_forked() -> None:
    manifest = '{"require": {"php": ">=8", "acme/cart": "dev-master#12ab", "acme/gone": "^1"}}'
    files = {"lib/composer.json": manifest, "lib/acme/cart/src/Cart.php": "", "lib/acme/ours/A.php": ""}
    assert forked(files) == {"lib/acme/cart"}
    assert forked({"composer.json": manifest, "acme/cart/src/Cart.php": ""}) == frozenset()
