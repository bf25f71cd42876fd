"""JavaScript imports that need no settings: relative ones, those that lead outside, usual aliases, texts."""

from __future__ import annotations

import pytest

from crimes.languages.javascript.resolve import package_name
from crimes.languages.spec import Resolution, Resolved
from tests.kit.resolving import UNRESOLVED, import_of, resolver_of, target_of


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
def test_relative_imports_resolve(files: list[str], target: str, expected: str) -> None:
    assert target_of(dict.fromkeys(["src/a.ts", *files], ""), "src/a.ts", target) == expected


def test_dot_imports_lead_to_the_index_of_the_folder() -> None:
    tree = dict.fromkeys(["a/b.ts", "a/b/c.ts", "a/b/index.ts", "a/index.ts", "index.ts"], "")
    assert target_of(tree, "a/b/c.ts", ".") == "a/b/index.ts"
    assert target_of(tree, "a/b/c.ts", "./") == "a/b/index.ts"
    assert target_of(tree, "a/b/c.ts", "..") == "a/index.ts"
    assert target_of(tree, "a/b.ts", "..") == "index.ts"


def test_folder_with_a_manifest_resolves_to_its_main_file() -> None:
    tree = {"a.js": "", "lib/package.json": {"main": "./entry"}, "lib/entry.js": "", "lib/index.js": ""}
    assert target_of(tree, "a.js", "./lib") == "lib/entry.js"


def test_a_main_that_names_its_own_folder_ends_at_the_index() -> None:
    tree = {"a.js": "", "lib/package.json": {"main": "."}, "lib/index.js": ""}
    assert target_of(tree, "a.js", "./lib") == "lib/index.js"


@pytest.mark.parametrize("target", ["./logo.svg", "./logo.svg?url", "./data", "./data.json", "./page.html"])
def test_existing_file_of_an_unread_kind_is_an_external_asset(target: str) -> None:
    tree = dict.fromkeys(["src/a.ts", "src/logo.svg", "src/data.json", "src/page.html"], "")
    assert target_of(tree, "src/a.ts", target) == "external (asset)"


def test_resolution_lists_the_imported_names() -> None:
    resolution = resolver_of({"a.ts": "", "b.ts": ""}, "a.ts").resolve(
        "a.ts", import_of("./b", "one", "default")
    )
    assert resolution == Resolution((Resolved("b.ts", ("one", "default")),))


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
def test_package_imports_are_external(target: str, package: str) -> None:
    assert target_of({"a.ts": ""}, "a.ts", target) == f"external {package}"


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("@/x", "web/src/x.ts"),
        ("~/x", "web/src/x.ts"),
        ("~/root", "web/root.ts"),
        ("src/x", "web/src/x.ts"),
        ("$lib/y", "web/src/lib/y.ts"),
        ("/src/x.ts", "web/src/x.ts"),
        ("/logo.svg", "external (asset)"),
        ("@/none", UNRESOLVED),
        ("~/none", UNRESOLVED),
        ("/none", UNRESOLVED),
        ("src/none", "external src"),
    ],
)
def test_common_aliases_resolve_without_a_configuration(target: str, expected: str) -> None:
    files = [
        "web/src/x.ts",
        "web/src/lib/y.ts",
        "web/root.ts",
        "web/public/logo.svg",
        "src/x.ts",
        "web/deep/a.ts",
    ]
    tree = {"package.json": {}, "web/package.json": {}, **dict.fromkeys(files, "")}
    assert target_of(tree, "web/deep/a.ts", target) == expected


def test_configured_roots_are_searched() -> None:
    tree = dict.fromkeys(["a.ts", "code/lib/x.ts"], "")
    assert target_of(tree, "a.ts", "lib/x", roots=("code",)) == "code/lib/x.ts"


def test_string_that_names_a_file_leads_to_it() -> None:
    resolver = resolver_of(
        dict.fromkeys(["src/a.ts", "src/x.ts", "src/y/index.ts", "src/p.png", "index.ts"], ""), "src/a.ts"
    )
    assert resolver.text_targets("src/a.ts", "./x") == ("src/x.ts",)
    assert resolver.text_targets("src/a.ts", "./x.js") == ("src/x.ts",)
    assert resolver.text_targets("src/y/index.ts", "../x") == ("src/x.ts",)
    for value in ("./p.png", "./none", "x", "react", "..", "../", "./y/", "./", ""):
        assert resolver.text_targets("src/a.ts", value) == ()


def test_package_name_keeps_the_scope() -> None:
    assert [package_name(specifier) for specifier in ("a", "a/b", "@a/b", "@a/b/c", "@a")] == [
        "a",
        "a",
        "@a/b",
        "@a/b",
        "@a",
    ]
