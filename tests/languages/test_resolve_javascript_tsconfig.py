"""JavaScript imports that a tsconfig or jsconfig explains, and how those files are read."""

from __future__ import annotations

from typing import Any

import pytest

from crimes.languages.javascript.globs import matches, matches_at_or_above
from crimes.languages.javascript.jsonc import read_object
from tests.kit.resolving import UNRESOLVED, target_of


def config(**options: Any) -> dict[str, Any]:
    return {"compilerOptions": options}


def test_paths_take_the_longest_beginning_and_try_each_place() -> None:
    tree = {
        "tsconfig.json": config(
            paths={
                "@/*": ["src/*"],
                "@/ui/*": ["missing/*", "ui/*"],
                "@/one": ["./only.ts"],
                "x-*-y": ["x/*"],
            }
        ),
        **dict.fromkeys(["src/a.ts", "src/ui/b.ts", "ui/b.ts", "only.ts", "src/one.ts", "x/m.ts"], ""),
    }
    assert target_of(tree, "src/a.ts", "@/a") == "src/a.ts"
    assert target_of(tree, "src/a.ts", "@/ui/b") == "ui/b.ts"
    assert target_of(tree, "src/a.ts", "@/one") == "only.ts"
    assert target_of(tree, "src/a.ts", "x-m-y") == "x/m.ts"
    assert target_of(tree, "src/a.ts", "@/nothing") == UNRESOLVED


def test_unmatched_path_pattern_is_unresolved_unless_it_is_a_dependency() -> None:
    tree = {
        "package.json": {"dependencies": {"@app/kit": "^1.0.0"}},
        "tsconfig.json": config(paths={"@app/*": ["src/*"]}),
        "src/a.ts": "",
    }
    assert target_of(tree, "src/a.ts", "@app/gone") == UNRESOLVED
    assert target_of(tree, "src/a.ts", "@app/kit") == "external @app/kit"


def test_catch_all_pattern_does_not_capture_packages() -> None:
    tree = {"tsconfig.json": config(paths={"*": ["types/*"]}), "a.ts": "", "types/odd.d.ts": ""}
    assert target_of(tree, "a.ts", "react") == "external react"
    assert target_of(tree, "a.ts", "odd") == "types/odd.d.ts"


def test_base_url_serves_bare_names_and_paths_start_from_it() -> None:
    tree = {
        "jsconfig.json": config(baseUrl="./src", paths={"#c/*": ["components/*"]}),
        **dict.fromkeys(["src/a.js", "src/utils/x.js", "src/components/b.jsx", "src/events.js"], ""),
    }
    assert target_of(tree, "src/a.js", "utils/x") == "src/utils/x.js"
    assert target_of(tree, "src/a.js", "#c/b") == "src/components/b.jsx"
    assert target_of(tree, "src/a.js", "react") == "external react"
    assert target_of(tree, "src/a.js", "events") == "external node:events"


def test_nearest_configuration_applies() -> None:
    tree = {
        "tsconfig.json": config(paths={"~/*": ["root/*"]}),
        "app/tsconfig.json": config(paths={"~/*": ["own/*"]}),
        **dict.fromkeys(["root/x.ts", "app/own/x.ts", "app/a.ts", "b.ts"], ""),
    }
    assert target_of(tree, "app/a.ts", "~/x") == "app/own/x.ts"
    assert target_of(tree, "b.ts", "~/x") == "root/x.ts"


def test_uncovered_file_uses_the_next_configuration_before_the_nearest() -> None:
    tree = {
        "tsconfig.json": config(paths={"~utils": ["./test-utils.ts"], "~/*": ["root/*"]}),
        "app/tsconfig.json": {"include": ["src"], **config(paths={"~/*": ["./src/*"], "own/*": ["./own/*"]})},
        **dict.fromkeys(["test-utils.ts", "root/x.ts", "app/src/x.ts", "app/own/x.ts", "app/tests/a.ts"], ""),
    }
    assert target_of(tree, "app/tests/a.ts", "~utils") == "test-utils.ts"
    assert target_of(tree, "app/tests/a.ts", "~/x") == "root/x.ts"
    assert target_of(tree, "app/tests/a.ts", "own/x") == "app/own/x.ts"
    assert target_of(tree, "app/src/x.ts", "~utils") == "external ~utils"
    assert target_of(tree, "app/src/x.ts", "~/x") == "app/src/x.ts"


def test_extends_resolves_relative_paths_lists_and_packages() -> None:
    tree = {
        "package.json": {"workspaces": ["tools/*"]},
        "tools/config/package.json": {"name": "@org/config"},
        "tools/config/base.json": config(paths={"base/*": ["${configDir}/lib/*"]}),
        "tools/config/tsconfig.json": config(paths={"whole/*": ["./shared/*"]}),
        "one.json": config(paths={"one/*": ["./lib/*"]}),
        "two.json": config(paths={"two/*": ["./lib/*"]}),
        "a/tsconfig.json": {"extends": "../one"},
        "b/tsconfig.json": {"extends": ["../one.json", "../two.json"]},
        "c/tsconfig.json": {"extends": "@org/config/base.json"},
        "d/tsconfig.json": {"extends": "@org/config"},
        **dict.fromkeys(["lib/x.ts", "c/lib/x.ts", "tools/config/shared/x.ts"], ""),
        **dict.fromkeys(["a/i.ts", "b/i.ts", "c/i.ts", "d/i.ts"], ""),
    }
    assert target_of(tree, "a/i.ts", "one/x") == "lib/x.ts"
    assert target_of(tree, "b/i.ts", "two/x") == "lib/x.ts"
    assert target_of(tree, "b/i.ts", "one/x") == "external one"  # the later file replaces `paths` whole
    assert target_of(tree, "c/i.ts", "base/x") == "c/lib/x.ts"
    assert target_of(tree, "d/i.ts", "whole/x") == "tools/config/shared/x.ts"


def test_cyclic_extends_and_references_terminate() -> None:
    tree = {
        "tsconfig.json": {
            "extends": "./b.json",
            "files": [],
            "references": [{"path": "./b.json"}, {"path": "."}],
        },
        "b.json": {
            "extends": "./tsconfig.json",
            "references": [{"path": "./tsconfig.json"}],
            **config(paths={"@/*": ["./src/*"]}),
        },
        **dict.fromkeys(["src/a.ts", "src/b.ts"], ""),
    }
    assert target_of(tree, "src/a.ts", "@/b") == "src/b.ts"


def test_solution_file_uses_the_reference_that_covers_the_file() -> None:
    tree = {
        "tsconfig.json": {"files": [], "references": [{"path": "./tsconfig.app.json"}, {"path": "./tests"}]},
        "tsconfig.app.json": {
            "include": ["src"],
            "exclude": ["**/*.spec.ts"],
            **config(paths={"@/*": ["./src/*"]}),
        },
        "tests/tsconfig.json": {
            "include": ["**/*.ts", "../src/**/*.spec.ts"],
            **config(paths={"@/*": ["./mocks/*"]}),
        },
        **dict.fromkeys(["src/a.ts", "src/a.spec.ts", "src/x.ts", "tests/mocks/x.ts", "other.ts"], ""),
    }
    assert target_of(tree, "src/a.ts", "@/x") == "src/x.ts"
    assert target_of(tree, "src/a.spec.ts", "@/x") == "tests/mocks/x.ts"
    assert target_of(tree, "other.ts", "@/x") == "src/x.ts"  # by the usual alias, not by a configuration


def test_root_dirs_act_as_one_folder() -> None:
    tree = {
        "tsconfig.json": config(rootDirs=["src", "generated"]),
        **dict.fromkeys(["src/views/a.ts", "generated/views/a.template.ts"], ""),
    }
    assert target_of(tree, "src/views/a.ts", "./a.template") == "generated/views/a.template.ts"
    assert target_of(tree, "src/views/a.ts", "./nothing") == UNRESOLVED


def test_comments_trailing_commas_and_a_byte_order_mark_are_accepted() -> None:
    text = (
        '\ufeff{ // why\n "compilerOptions": { /* "paths": {} */ "paths": {"@/*": ["./s//*", "src/*",],},},}'
    )
    tree = {"tsconfig.json": text.encode(), "src/b.ts": "", "a.ts": ""}
    assert target_of(tree, "a.ts", "@/b") == "src/b.ts"


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b'{"compilerOptions": ',
        b"[]",
        b"\xff\xfe\x00",
        b'"' + b'\\"' * 50_000,
        b"[" * 100_000,
        b"/*" * 50_000,
        b'{"extends": 3, "references": {"path": 1}, "compilerOptions": [], "include": "x", "files": null}',
        b'{"compilerOptions": {"paths": [1], "baseUrl": 7, "rootDirs": "x"}, "references": [1, {"path": 2}]}',
        b'{"compilerOptions": {"paths": {"@/*": "x", "b": [1]}, "baseUrl": "/etc"}, "extends": "/etc/x"}',
    ],
)
def test_broken_settings_are_ignored(content: bytes) -> None:
    tree = {
        "tsconfig.json": content,
        "package.json": content,
        "lib/package.json": content,
        "a.ts": "",
        "b.ts": "",
    }
    assert target_of(tree, "a.ts", "./b") == "b.ts"
    assert target_of(tree, "a.ts", "react") == "external react"
    assert target_of(tree, "a.ts", "./lib") == UNRESOLVED


@pytest.mark.parametrize(
    "manifest",
    [
        {"name": ["x"], "exports": 3, "imports": "x", "main": {}, "workspaces": 4, "dependencies": []},
        {"name": "x", "exports": {".": {"import": None}}},
        {"name": "x", "exports": {".": "../../outside.js"}},
        {"name": "x", "main": "/etc/passwd"},
    ],
)
def test_malformed_manifests_never_break_resolution(manifest: dict[str, Any]) -> None:
    found = target_of({"package.json": manifest, "a.ts": "", "pnpm-workspace.yaml": b"\xff\xfe"}, "a.ts", "x")
    assert found in (UNRESOLVED, "external x")


def test_settings_that_vanish_during_the_scan_are_absent() -> None:
    gone = FileNotFoundError("gone")
    tree = {
        "tsconfig.json": gone,
        "package.json": gone,
        "pnpm-workspace.yaml": gone,
        "a.ts": "",
        "src/b.ts": "",
    }
    assert target_of(tree, "a.ts", "@/b") == "src/b.ts"


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("packages/*", "packages/a", True),
        ("packages/*", "packages/a/b", False),
        ("packages/**", "packages/a/b", True),
        ("**/test/**", "test/a", True),
        ("**/test/**", "x/y/test/a", True),
        ("**/*.spec.ts", "a.spec.ts", True),
        ("src/**/x/*.ts", "src/x/a.ts", True),
        ("src/**/x/*.ts", "src/a/b/x/a.ts", True),
        ("src/**/x/*.ts", "src/a/b/a.ts", False),
        ("./a/", "a", True),
        ("**/" * 40 + "*a" * 40 + "b", "a/" * 200 + "a" * 200, False),
    ],
)
def test_glob_matches_whole_paths(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("src", "src/a/b.ts", True),
        ("src", "src-b/a.ts", False),
        ("src", "src", True),
        ("", "a/b.ts", True),
        ("a/*/src", "a/b/src/c.ts", True),
        ("a/*/src", "a/src/c.ts", False),
        ("a/**/*.ts", "a/b.ts", True),
        ("a/**/*.ts", "a/b/c/d.js", False),
        ("./src", "src/a.ts", False),  # settings are made root-relative before they are matched
    ],
)
def test_glob_matches_folders_and_what_lies_below(pattern: str, path: str, expected: bool) -> None:
    assert matches_at_or_above(pattern, path) is expected


def test_jsonc_keeps_strings_that_look_like_comments() -> None:
    source = rb'{"a": "http://x/*y*/", "b": "\",}", /* c */ "d": [1, 2 , ], // e' + b"\n}"
    assert read_object(source) == {"a": "http://x/*y*/", "b": '",}', "d": [1, 2]}
