"""JavaScript imports of packages in the repository: workspaces, entries, own names."""

from __future__ import annotations

from typing import Any

import pytest

from crimes.languages.javascript.pnpm import pnpm_packages
from crimes.model.facts import EdgeKind
from tests.kit.resolving import UNRESOLVED, import_of, resolver_of, target_of


def monorepo(manifest: dict[str, Any], *files: str, **more: Any) -> dict[str, Any]:
    """A workspace with an app and one library, `@org/lib`, that holds these files."""
    return {
        "package.json": {"name": "root", "workspaces": ["packages/*"]},
        "packages/app/package.json": {"name": "app", "dependencies": {"@org/lib": "^1.0.0"}},
        "packages/app/a.ts": "",
        "packages/lib/package.json": {"name": "@org/lib", **manifest},
        **{f"packages/lib/{file}": "" for file in files},
        **more,
    }


def in_lib(manifest: dict[str, Any], files: list[str], target: str = "@org/lib") -> str:
    found = target_of(monorepo(manifest, *files), "packages/app/a.ts", target)
    return found.removeprefix("packages/lib/")


@pytest.mark.parametrize(
    ("manifest", "files", "expected"),
    [
        ({"main": "./lib/main.js"}, ["lib/main.js", "index.js"], "lib/main.js"),
        ({"main": "lib"}, ["lib/index.js"], "lib/index.js"),
        (
            {"main": "dist/index.js", "source": "src/entry.ts"},
            ["src/entry.ts", "src/index.ts"],
            "src/entry.ts",
        ),
        ({"main": "dist/index.js", "types": "src/index.ts"}, ["src/index.ts"], "src/index.ts"),
        ({"main": "dist/index.js"}, ["src/index.ts"], "src/index.ts"),
        ({"main": "lib/index.js", "types": "src/lib.d.ts"}, ["src/index.ts", "src/lib.d.ts"], "src/index.ts"),
        ({"main": "lib/index.js", "types": "types.d.ts"}, ["types.d.ts"], "types.d.ts"),
        ({"main": "build/cjs/core.cjs"}, ["src/core.ts", "src/index.ts"], "src/core.ts"),
        ({"main": "dist/lib.prod.js"}, ["src/index.ts"], "src/index.ts"),
        ({"main": "dist/index.js"}, ["index.ts"], "index.ts"),
        ({}, ["index.js"], "index.js"),
        ({"exports": "./main.js"}, ["main.js"], "main.js"),
        ({"exports": {".": "./main.js"}}, ["main.js", "index.js"], "main.js"),
        ({"exports": {"import": "./a.mjs", "require": "./a.cjs"}}, ["a.mjs", "a.cjs"], "a.mjs"),
        ({"exports": {"types": "./a.d.ts", "default": "./a.js"}}, ["a.d.ts", "a.js"], "a.js"),
        ({"exports": {".": {"types": "./src/a.ts", "default": "./dist/a.js"}}}, ["src/a.ts"], "src/a.ts"),
        ({"exports": {".": {"browser": "./b.js", "node": {"import": "./n.js"}}}}, ["b.js", "n.js"], "n.js"),
        (
            {"exports": {".": {"@org/source": "./src/x.ts", "import": "./x.js"}}},
            ["src/x.ts", "x.js"],
            "src/x.ts",
        ),
        ({"exports": {".": ["./gone.js", {"default": "./there.js"}]}}, ["there.js"], "there.js"),
        ({"exports": {".": {"import": "./dist/esm/index.js"}}}, ["src/index.tsx"], "src/index.tsx"),
        ({"exports": {".": None}}, ["index.js"], UNRESOLVED),
        ({"main": "dist/index.js"}, ["docs/x.ts"], UNRESOLVED),
    ],
)
def test_import_of_a_workspace_package_leads_to_its_entry(
    manifest: dict[str, Any], files: list[str], expected: str
) -> None:
    assert in_lib(manifest, files) == expected


def test_type_only_import_leads_to_the_declared_types() -> None:
    for manifest in (
        {"main": "lib/index.js", "types": "src/types.d.ts"},
        {"exports": {"types": "./src/types.d.ts", "default": "./lib/index.js"}},
    ):
        resolver = resolver_of(monorepo(manifest, "src/index.ts", "src/types.d.ts"), "packages/app/a.ts")
        for kind, file in ((EdgeKind.TYPE_ONLY, "types.d.ts"), (EdgeKind.RUNTIME, "index.ts")):
            found = resolver.resolve("packages/app/a.ts", import_of("@org/lib", kind=kind))
            assert [target.path for target in found.targets] == [f"packages/lib/src/{file}"]


@pytest.mark.parametrize(
    ("manifest", "files", "target", "expected"),
    [
        ({}, ["sub/path.ts"], "@org/lib/sub/path", "sub/path.ts"),
        ({}, ["sub/index.ts"], "@org/lib/sub", "sub/index.ts"),
        ({}, ["src/sub.ts"], "@org/lib/sub", "src/sub.ts"),
        ({}, ["index.ts"], "@org/lib/none", UNRESOLVED),
        ({"exports": {"./sub": "./dist/sub.js"}}, ["src/sub.ts"], "@org/lib/sub", "src/sub.ts"),
        (
            {"exports": {"./sub": "./dist/sub/index.js"}},
            ["src/sub.ts", "src/index.ts"],
            "@org/lib/sub",
            "src/sub.ts",
        ),
        ({"exports": {"./sub": "./dist/gone/index.js"}}, ["src/index.ts"], "@org/lib/sub", UNRESOLVED),
        ({"exports": {"./*": "./dist/types/*.d.ts"}}, ["src/types.ts"], "@org/lib/a/types", UNRESOLVED),
        ({"exports": {"./*": "./src/*.ts"}}, ["src/a/b.ts"], "@org/lib/a/b", "src/a/b.ts"),
        (
            {"exports": {"./*": "./src/*.ts", "./ui/*": "./ui/*.tsx"}},
            ["ui/b.tsx"],
            "@org/lib/ui/b",
            "ui/b.tsx",
        ),
        ({"exports": {"./*.js": "./src/*.ts"}}, ["src/b.ts"], "@org/lib/b.js", "src/b.ts"),
        ({"exports": {"./*": {"import": "./dist/*.mjs"}}}, ["src/b.ts"], "@org/lib/b", "src/b.ts"),
        ({"exports": {"./lib/": "./lib/"}}, ["lib/b.js"], "@org/lib/lib/b.js", "lib/b.js"),
        ({"exports": {"./*": "./*.js", "./in/*": None}}, ["in/b.js"], "@org/lib/in/b", UNRESOLVED),
        ({"exports": {".": "./index.js"}}, ["src/deep.ts"], "@org/lib/src/deep", "src/deep.ts"),
    ],
)
def test_subpath_of_a_workspace_package_resolves(
    manifest: dict[str, Any], files: list[str], target: str, expected: str
) -> None:
    assert in_lib(manifest, files, target) == expected


@pytest.mark.parametrize(
    "listed",
    [
        {"package.json": {"workspaces": ["packages/*"]}},
        {"package.json": {"workspaces": {"packages": ["./packages/*/"]}}},
        {"package.json": {}, "lerna.json": {"packages": ["packages/**"]}},
        {"package.json": {}, "pnpm-workspace.yaml": "packages:\n  # all\n  - 'packages/*'\n"},
        {"package.json": {}},
    ],
)
def test_every_kind_of_workspace_links_its_packages(listed: dict[str, Any]) -> None:
    tree = monorepo({"main": "x.js"}, "x.js") | {"packages/app/package.json": {"name": "app"}} | listed
    assert target_of(tree, "packages/app/a.ts", "@org/lib") == "packages/lib/x.js"


def test_package_outside_the_workspace_is_external() -> None:
    tree = {
        "package.json": {"workspaces": ["packages/*", "!packages/old"], "dependencies": {"react": "19"}},
        "packages/old/package.json": {"name": "old"},
        "test/fixtures/react/package.json": {"name": "react"},
        **dict.fromkeys(["packages/a/a.ts", "packages/old/index.js", "test/fixtures/react/index.js"], ""),
    }
    assert target_of(tree, "packages/a/a.ts", "react") == "external react"
    assert target_of(tree, "packages/a/a.ts", "old") == "external old"
    assert target_of(tree, "packages/old/index.js", "old") == "packages/old/index.js"


def test_without_a_workspace_a_version_comes_from_a_registry_and_a_path_from_the_tree() -> None:
    tree = {
        "lib/package.json": {"name": "lib"},
        "by-version/package.json": {"dependencies": {"lib": "^2.0.0"}},
        "by-path/package.json": {"dependencies": {"lib": "file:../lib", "other-name": "link:../lib/"}},
        "by-far/package.json": {"dependencies": {"lib": "file:../../elsewhere"}},
        **dict.fromkeys(["lib/index.js", "by-version/a.js", "by-path/a.js", "by-far/a.js", "loose/a.js"], ""),
    }
    assert target_of(tree, "by-version/a.js", "lib") == "external lib"
    assert target_of(tree, "by-path/a.js", "lib") == "lib/index.js"
    assert target_of(tree, "by-path/a.js", "other-name") == "lib/index.js"
    assert target_of(tree, "by-far/a.js", "lib") == "external lib"
    assert target_of(tree, "loose/a.js", "lib") == "lib/index.js"


def test_nearer_of_two_packages_with_one_name_is_used() -> None:
    tree: dict[str, Any] = {}
    for half in ("one", "two"):
        tree |= {
            f"{half}/lib/package.json": {"name": "lib"},
            f"{half}/lib/index.js": "",
            f"{half}/a/a.js": "",
        }
    assert target_of(tree, "one/a/a.js", "lib") == "one/lib/index.js"
    assert target_of(tree, "two/a/a.js", "lib") == "two/lib/index.js"


def test_node_modules_in_the_tree_are_not_packages_of_it() -> None:
    tree = {"a.js": "", "node_modules/x/package.json": {"name": "x"}, "node_modules/x/index.js": ""}
    assert target_of(tree, "a.js", "x") == "external x"


def test_a_package_imports_itself_by_name() -> None:
    tree = {
        "package.json": {"name": "self", "exports": {".": "./dist/index.js", "./sub": "./dist/sub.js"}},
        **dict.fromkeys(["src/index.ts", "src/sub.ts", "test/a.ts"], ""),
    }
    assert target_of(tree, "test/a.ts", "self") == "src/index.ts"
    assert target_of(tree, "test/a.ts", "self/sub") == "src/sub.ts"


def test_imports_field_of_a_manifest_resolves() -> None:
    imports = {
        "#one": "./src/one.ts",
        "#internal/*": {"node": "./dist/internal/*.js"},
        "#dep": "left-pad",
        "#ring": "#one",
        "#gone": "./src/gone.js",
    }
    tree = {
        "package.json": {"name": "p", "imports": imports},
        **dict.fromkeys(["src/a.ts", "src/one.ts", "src/internal/x.ts"], ""),
    }
    assert target_of(tree, "src/a.ts", "#one") == "src/one.ts"
    assert target_of(tree, "src/a.ts", "#internal/x") == "src/internal/x.ts"
    assert target_of(tree, "src/a.ts", "#dep") == "external left-pad"
    for unknown in ("#ring", "#gone", "#internal/none", "#other"):
        assert target_of(tree, "src/a.ts", unknown) == UNRESOLVED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("packages:\n  - packages/*\n  - '!**/test/**'\n  - \"apps/*\" # the apps\ncatalog:\n  - no\n", 3),
        ("packages:\n- a\n- b\n\n# note\n- c\nonlyBuilt:\n- d", 3),
        ("packages: ['a/*', \"b\", c]\nother:\n  - d", 3),
        ("catalog:\n  - a\n", 0),
        ("\ufeffpackages:\r\n  - a\r\n", 1),
        ("", 0),
    ],
)
def test_pnpm_workspace_lists_are_read(text: str, expected: int) -> None:
    found = pnpm_packages(text.encode())
    assert len(found) == expected
    assert not any(set(name) & set("'\"# ") for name in found)
