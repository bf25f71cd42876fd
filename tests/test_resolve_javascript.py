"""Where JavaScript and TypeScript imports lead: one small tree for each rule."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crimes.languages.javascript.globs import matches
from crimes.languages.javascript.jsonc import read_object
from crimes.languages.javascript.packages import pnpm_packages
from crimes.languages.javascript.resolve import javascript_resolver, package_name
from crimes.languages.spec import Resolution, Resolved, ResolveInput, Resolver
from crimes.model import EdgeKind, FileFacts, Import, ImportedName

CODE = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
UNRESOLVED = "unresolved"


def resolver_of(tree: dict[str, Any], roots: tuple[str, ...] = ()) -> Resolver:
    """A resolver over path -> content; anything but text and bytes is written as JSON."""

    def read(path: str) -> bytes:
        content = tree[path]
        if isinstance(content, OSError):
            raise content
        if isinstance(content, bytes):
            return content
        return (content if isinstance(content, str) else json.dumps(content)).encode()

    facts = {path: FileFacts("typescript", 1, 1, "") for path in tree if path.endswith(CODE)}
    return javascript_resolver(ResolveInput(frozenset(tree), facts, roots, read))


def imported(target: str, *names: str) -> Import:
    pairs = tuple(ImportedName(name, name) for name in names)
    return Import(target, 1, EdgeKind.RUNTIME, pairs, "", -1, False)


def outcome(resolver: Resolver, path: str, target: str) -> str:
    """The file found, "external:package", or "unresolved"."""
    resolution = resolver.resolve(path, imported(target))
    if resolution.targets:
        assert not resolution.external
        return resolution.targets[0].path
    return f"external:{resolution.package}" if resolution.external else UNRESOLVED


def lead(tree: dict[str, Any], path: str, target: str) -> str:
    return outcome(resolver_of(tree), path, target)


# Relative specifiers


@pytest.mark.parametrize(
    ("files", "target", "expected"),
    [
        (["src/b.ts"], "./b", "src/b.ts"),
        (["src/b.tsx", "src/b.js"], "./b", "src/b.tsx"),
        (["src/b.js", "src/b.d.ts"], "./b", "src/b.js"),
        (["src/b.d.ts"], "./b", "src/b.d.ts"),
        (["src/b/index.ts"], "./b", "src/b/index.ts"),
        (["src/b/index.ts"], "./b/", "src/b/index.ts"),
        (["src/b.ts", "src/b/index.ts"], "./b", "src/b.ts"),
        (["src/b.ts", "src/b/index.ts"], "./b/", "src/b/index.ts"),
        (["lib/b.ts"], "../lib/b", "lib/b.ts"),
        (["src/b.ts"], "./b.js", "src/b.ts"),
        (["src/b.tsx"], "./b.js", "src/b.tsx"),
        (["src/b.tsx"], "./b.jsx", "src/b.tsx"),
        (["src/b.mts"], "./b.mjs", "src/b.mts"),
        (["src/b.cts"], "./b.cjs", "src/b.cts"),
        (["src/b.ts", "src/b.js"], "./b.js", "src/b.js"),
        (["src/b.min.ts"], "./b.min", "src/b.min.ts"),
        (["src/style.css.ts"], "./style.css", "src/style.css.ts"),
        (["src/w.ts"], "./w?worker", "src/w.ts"),
        (["src/w.ts"], "./w.ts?worker&url", "src/w.ts"),
        (["src/w.ts"], "./w#part", "src/w.ts"),
        (["src/c#.ts"], "./c#", "src/c#.ts"),
        (["src/b.ts"], "raw-loader!./b", "src/b.ts"),
        (["src/b.ts"], "./b/../b", "src/b.ts"),
        (["src/b.ts"], "./missing", UNRESOLVED),
        (["src/b.ts"], "../dist/b", UNRESOLVED),
        (["src/b.ts"], "../../../etc/passwd", UNRESOLVED),
        (["src/b.ts"], "", UNRESOLVED),
    ],
)
def test_relative(files: list[str], target: str, expected: str) -> None:
    assert lead(dict.fromkeys(["src/a.ts", *files], ""), "src/a.ts", target) == expected


def test_the_own_folder_and_the_one_above() -> None:
    tree = dict.fromkeys(["a/b.ts", "a/b/c.ts", "a/b/index.ts", "a/index.ts", "index.ts"], "")
    assert lead(tree, "a/b/c.ts", ".") == "a/b/index.ts"
    assert lead(tree, "a/b/c.ts", "./") == "a/b/index.ts"
    assert lead(tree, "a/b/c.ts", "..") == "a/index.ts"
    assert lead(tree, "a/b.ts", "..") == "index.ts"


def test_a_folder_with_a_manifest_is_entered_by_it() -> None:
    tree = {"a.js": "", "lib/package.json": {"main": "./entry"}, "lib/entry.js": "", "lib/index.js": ""}
    assert lead(tree, "a.js", "./lib") == "lib/entry.js"


def test_a_main_that_names_its_own_folder_ends_at_the_index() -> None:
    tree = {"a.js": "", "lib/package.json": {"main": "."}, "lib/index.js": ""}
    assert lead(tree, "a.js", "./lib") == "lib/index.js"


@pytest.mark.parametrize("target", ["./logo.svg", "./logo.svg?url", "./data", "./data.json", "./App.vue"])
def test_a_file_that_is_there_but_not_read_is_outside(target: str) -> None:
    tree = dict.fromkeys(["src/a.ts", "src/logo.svg", "src/data.json", "src/App.vue"], "")
    assert lead(tree, "src/a.ts", target) == "external:(asset)"


def test_names_are_those_imported() -> None:
    resolution = resolver_of({"a.ts": "", "b.ts": ""}).resolve("a.ts", imported("./b", "one", "default"))
    assert resolution == Resolution((Resolved("b.ts", ("one", "default")),))


# tsconfig and jsconfig


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
    resolver = resolver_of(tree)
    assert outcome(resolver, "src/a.ts", "@/a") == "src/a.ts"
    assert outcome(resolver, "src/a.ts", "@/ui/b") == "ui/b.ts"
    assert outcome(resolver, "src/a.ts", "@/one") == "only.ts"
    assert outcome(resolver, "src/a.ts", "x-m-y") == "x/m.ts"
    assert outcome(resolver, "src/a.ts", "@/nothing") == UNRESOLVED


def test_a_pattern_that_finds_nothing_is_unresolved_unless_it_is_a_dependency() -> None:
    tree = {
        "package.json": {"dependencies": {"@app/kit": "^1.0.0"}},
        "tsconfig.json": config(paths={"@app/*": ["src/*"]}),
        "src/a.ts": "",
    }
    assert lead(tree, "src/a.ts", "@app/gone") == UNRESOLVED
    assert lead(tree, "src/a.ts", "@app/kit") == "external:@app/kit"


def test_a_pattern_for_everything_does_not_catch_packages() -> None:
    tree = {"tsconfig.json": config(paths={"*": ["types/*"]}), "a.ts": "", "types/odd.d.ts": ""}
    assert lead(tree, "a.ts", "react") == "external:react"
    assert lead(tree, "a.ts", "odd") == "types/odd.d.ts"


def test_base_url_serves_bare_names_and_paths_start_from_it() -> None:
    tree = {
        "jsconfig.json": config(baseUrl="./src", paths={"#c/*": ["components/*"]}),
        **dict.fromkeys(["src/a.js", "src/utils/x.js", "src/components/b.jsx", "src/events.js"], ""),
    }
    assert lead(tree, "src/a.js", "utils/x") == "src/utils/x.js"
    assert lead(tree, "src/a.js", "#c/b") == "src/components/b.jsx"
    assert lead(tree, "src/a.js", "react") == "external:react"
    assert lead(tree, "src/a.js", "events") == "external:node:events"


def test_the_nearest_configuration_rules() -> None:
    tree = {
        "tsconfig.json": config(paths={"~/*": ["root/*"]}),
        "app/tsconfig.json": config(paths={"~/*": ["own/*"]}),
        **dict.fromkeys(["root/x.ts", "app/own/x.ts", "app/a.ts", "b.ts"], ""),
    }
    assert lead(tree, "app/a.ts", "~/x") == "app/own/x.ts"
    assert lead(tree, "b.ts", "~/x") == "root/x.ts"


def test_extends_relative_as_a_list_and_from_a_package() -> None:
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
    resolver = resolver_of(tree)
    assert outcome(resolver, "a/i.ts", "one/x") == "lib/x.ts"
    assert outcome(resolver, "b/i.ts", "two/x") == "lib/x.ts"
    assert outcome(resolver, "b/i.ts", "one/x") == "external:one"  # the later file replaces `paths` whole
    assert outcome(resolver, "c/i.ts", "base/x") == "c/lib/x.ts"
    assert outcome(resolver, "d/i.ts", "whole/x") == "tools/config/shared/x.ts"


def test_a_circle_of_extends_and_references_ends() -> None:
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
    assert lead(tree, "src/a.ts", "@/b") == "src/b.ts"


def test_a_solution_file_hands_on_to_the_reference_that_covers() -> None:
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
    resolver = resolver_of(tree)
    assert outcome(resolver, "src/a.ts", "@/x") == "src/x.ts"
    assert outcome(resolver, "src/a.spec.ts", "@/x") == "tests/mocks/x.ts"
    assert outcome(resolver, "other.ts", "@/x") == "src/x.ts"  # by the usual alias, not by a configuration


def test_root_dirs_are_one_folder() -> None:
    tree = {
        "tsconfig.json": config(rootDirs=["src", "generated"]),
        **dict.fromkeys(["src/views/a.ts", "generated/views/a.template.ts"], ""),
    }
    assert lead(tree, "src/views/a.ts", "./a.template") == "generated/views/a.template.ts"
    assert lead(tree, "src/views/a.ts", "./nothing") == UNRESOLVED


def test_comments_trailing_commas_and_a_byte_order_mark() -> None:
    text = (
        '\ufeff{ // why\n "compilerOptions": { /* "paths": {} */ "paths": {"@/*": ["./s//*", "src/*",],},},}'
    )
    tree = {"tsconfig.json": text.encode(), "src/b.ts": "", "a.ts": ""}
    assert lead(tree, "a.ts", "@/b") == "src/b.ts"


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
    resolver = resolver_of({**tree, "package.json": content})
    assert outcome(resolver, "a.ts", "./b") == "b.ts"
    assert outcome(resolver, "a.ts", "react") == "external:react"
    assert outcome(resolver, "a.ts", "./lib") == UNRESOLVED


@pytest.mark.parametrize(
    "manifest",
    [
        {"name": ["x"], "exports": 3, "imports": "x", "main": {}, "workspaces": 4, "dependencies": []},
        {"name": "x", "exports": {".": {"import": None}}},
        {"name": "x", "exports": {".": "../../outside.js"}},
        {"name": "x", "main": "/etc/passwd"},
    ],
)
def test_odd_manifests_are_survived(manifest: dict[str, Any]) -> None:
    found = lead({"package.json": manifest, "a.ts": "", "pnpm-workspace.yaml": b"\xff\xfe"}, "a.ts", "x")
    assert found in (UNRESOLVED, "external:x")


def test_settings_that_vanish_during_the_scan_are_absent() -> None:
    gone = FileNotFoundError("gone")
    tree = {
        "tsconfig.json": gone,
        "package.json": gone,
        "pnpm-workspace.yaml": gone,
        "a.ts": "",
        "src/b.ts": "",
    }
    assert lead(tree, "a.ts", "@/b") == "src/b.ts"


# Packages


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
    found = lead(monorepo(manifest, *files), "packages/app/a.ts", target)
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
def test_the_entry_of_a_workspace_package(manifest: dict[str, Any], files: list[str], expected: str) -> None:
    assert in_lib(manifest, files) == expected


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
def test_paths_below_a_workspace_package(
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
    assert lead(tree, "packages/app/a.ts", "@org/lib") == "packages/lib/x.js"


def test_a_package_the_workspace_does_not_list_is_no_answer() -> None:
    tree = {
        "package.json": {"workspaces": ["packages/*", "!packages/old"], "dependencies": {"react": "19"}},
        "packages/old/package.json": {"name": "old"},
        "test/fixtures/react/package.json": {"name": "react"},
        **dict.fromkeys(["packages/a/a.ts", "packages/old/index.js", "test/fixtures/react/index.js"], ""),
    }
    assert lead(tree, "packages/a/a.ts", "react") == "external:react"
    assert lead(tree, "packages/a/a.ts", "old") == "external:old"
    assert lead(tree, "packages/old/index.js", "old") == "packages/old/index.js"


def test_without_a_workspace_a_version_comes_from_a_registry_and_a_path_from_the_tree() -> None:
    tree = {
        "lib/package.json": {"name": "lib"},
        "by-version/package.json": {"dependencies": {"lib": "^2.0.0"}},
        "by-path/package.json": {"dependencies": {"lib": "file:../lib"}},
        **dict.fromkeys(["lib/index.js", "by-version/a.js", "by-path/a.js", "loose/a.js"], ""),
    }
    assert lead(tree, "by-version/a.js", "lib") == "external:lib"
    assert lead(tree, "by-path/a.js", "lib") == "lib/index.js"
    assert lead(tree, "loose/a.js", "lib") == "lib/index.js"


def test_of_two_packages_with_one_name_the_closer_is_taken() -> None:
    tree: dict[str, Any] = {}
    for half in ("one", "two"):
        tree |= {
            f"{half}/lib/package.json": {"name": "lib"},
            f"{half}/lib/index.js": "",
            f"{half}/a/a.js": "",
        }
    assert lead(tree, "one/a/a.js", "lib") == "one/lib/index.js"
    assert lead(tree, "two/a/a.js", "lib") == "two/lib/index.js"


def test_node_modules_in_the_tree_are_not_packages_of_it() -> None:
    tree = {"a.js": "", "node_modules/x/package.json": {"name": "x"}, "node_modules/x/index.js": ""}
    assert lead(tree, "a.js", "x") == "external:x"


def test_a_package_imports_itself_by_name() -> None:
    tree = {
        "package.json": {"name": "self", "exports": {".": "./dist/index.js", "./sub": "./dist/sub.js"}},
        **dict.fromkeys(["src/index.ts", "src/sub.ts", "test/a.ts"], ""),
    }
    assert lead(tree, "test/a.ts", "self") == "src/index.ts"
    assert lead(tree, "test/a.ts", "self/sub") == "src/sub.ts"


def test_own_imports() -> None:
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
    resolver = resolver_of(tree)
    assert outcome(resolver, "src/a.ts", "#one") == "src/one.ts"
    assert outcome(resolver, "src/a.ts", "#internal/x") == "src/internal/x.ts"
    assert outcome(resolver, "src/a.ts", "#dep") == "external:left-pad"
    for unknown in ("#ring", "#gone", "#internal/none", "#other"):
        assert outcome(resolver, "src/a.ts", unknown) == UNRESOLVED


# Outside, and the usual aliases


@pytest.mark.parametrize(
    ("target", "package"),
    [
        ("react", "react"),
        ("lodash/fp", "lodash"),
        ("@scope/pkg/deep/file.js", "@scope/pkg"),
        (".prisma/client", ".prisma"),
        ("fs", "node:fs"),
        ("fs/promises", "node:fs"),
        ("node:fs/promises", "node:fs"),
        ("node:test", "node:test"),
        ("bun:sqlite", "bun:sqlite"),
        ("npm:chalk@5.3.0/x", "chalk"),
        ("npm:@a/b@^1", "@a/b"),
        ("jsr:@std/path", "@std/path"),
        ("https://deno.land/std/x.ts", "deno.land"),
        ("virtual:icons/x", "virtual:icons"),
        ("data:text/javascript,1", "data:"),
        ("process/browser", "process"),
    ],
)
def test_outside(target: str, package: str) -> None:
    assert lead({"a.ts": ""}, "a.ts", target) == f"external:{package}"


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("@/x", "web/src/x.ts"),
        ("~/x", "web/src/x.ts"),
        ("~/root", "web/root.ts"),
        ("src/x", "web/src/x.ts"),
        ("$lib/y", "web/src/lib/y.ts"),
        ("/src/x.ts", "web/src/x.ts"),
        ("/logo.svg", "external:(asset)"),
        ("@/none", UNRESOLVED),
        ("~/none", UNRESOLVED),
        ("/none", UNRESOLVED),
        ("src/none", "external:src"),
    ],
)
def test_usual_aliases_when_no_configuration_explains_them(target: str, expected: str) -> None:
    files = [
        "web/src/x.ts",
        "web/src/lib/y.ts",
        "web/root.ts",
        "web/public/logo.svg",
        "src/x.ts",
        "web/deep/a.ts",
    ]
    tree = {"package.json": {}, "web/package.json": {}, **dict.fromkeys(files, "")}
    assert lead(tree, "web/deep/a.ts", target) == expected


def test_configured_roots() -> None:
    tree = dict.fromkeys(["a.ts", "code/lib/x.ts"], "")
    assert outcome(resolver_of(tree, roots=("code",)), "a.ts", "lib/x") == "code/lib/x.ts"


def test_texts_that_name_a_file() -> None:
    resolver = resolver_of(
        dict.fromkeys(["src/a.ts", "src/x.ts", "src/y/index.ts", "src/p.png", "index.ts"], "")
    )
    assert resolver.text_targets("src/a.ts", "./x") == ("src/x.ts",)
    assert resolver.text_targets("src/a.ts", "./x.js") == ("src/x.ts",)
    assert resolver.text_targets("src/y/index.ts", "../x") == ("src/x.ts",)
    for value in ("./p.png", "./none", "x", "react", "..", "../", "./y/", "./", ""):
        assert resolver.text_targets("src/a.ts", value) == ()


# The small readers


def test_package_name() -> None:
    assert [package_name(one) for one in ("a", "a/b", "@a/b", "@a/b/c", "@a")] == [
        "a",
        "a",
        "@a/b",
        "@a/b",
        "@a",
    ]


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
def test_pnpm_lists(text: str, expected: int) -> None:
    found = pnpm_packages(text.encode())
    assert len(found) == expected
    assert not any(set(name) & set("'\"# ") for name in found)


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
def test_globs(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


def test_jsonc_keeps_what_only_looks_like_a_comment() -> None:
    source = rb'{"a": "http://x/*y*/", "b": "\",}", /* c */ "d": [1, 2 , ], // e' + b"\n}"
    assert read_object(source) == {"a": "http://x/*y*/", "b": '",}', "d": [1, 2]}
