"""What a path, an attribute and a banner say a file is for."""

from __future__ import annotations

import pytest

from crimes.discovery.roles import (
    copied_marker,
    generated_marker,
    licensed_folders,
    role_of,
    role_of_marker,
)
from crimes.languages.spec import Language
from crimes.model.facts import Role

CODE = Language(
    id="code",
    name="Code",
    extensions=(".py", ".js", ".ts"),
    family="code",
    is_test_path=lambda path: path.rpartition("/")[2].startswith("test_"),
    role_of_path=lambda path: Role.CONFIG if path.endswith("settings.ini.py") else None,
)
PROSE = Language("prose", "Prose", (".md",), "prose", role_of_path=lambda path: Role.DOCS)


def role(path: str, **attributes: bool) -> Role:
    named = {f"linguist-{name}": value for name, value in attributes.items()}
    return role_of(path, CODE, lambda path: path.startswith("checks/"), named)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("app/core.py", Role.SOURCE),
        ("app/tools/search.py", Role.SOURCE),  # everyday words inside a package mean nothing
        ("src/docs/render.ts", Role.SOURCE),
        ("app/scripts/tag.py", Role.SOURCE),
        ("shop/vendors/models.py", Role.SOURCE),
        ("homeassistant/setup.py", Role.SOURCE),
        ("app/tasks.py", Role.SOURCE),
        ("django/db/migrations/writer.py", Role.SOURCE),
        ("web/static/js/jquery.init.js", Role.SOURCE),
        ("src/prefix.min_heap.py", Role.SOURCE),
        ("test_core.py", Role.TEST),
        ("app/tests/support.py", Role.TEST),
        ("test/support.js", Role.TEST),
        ("packages/core/test/support.ts", Role.TEST),
        ("packages/@scope/core/test/support.ts", Role.TEST),
        ("app/test/client.py", Role.SOURCE),  # left to the language
        ("tests/migrations/0001_initial.py", Role.TEST),
        ("checks/everything.py", Role.TEST),  # as configured
        ("node_modules/x/index.js", Role.VENDORED),
        ("app/_vendor/six.py", Role.VENDORED),
        ("third_party/lib/a.py", Role.VENDORED),
        ("3rd-party/lib/a.py", Role.VENDORED),
        ("web/assets/vendors/ace/ace.js", Role.VENDORED),
        ("web/static/jstree-3.3.4/jstree.js", Role.VENDORED),
        ("web/static/report-3/list.js", Role.SOURCE),
        ("shop/feeds-1.2.3/list.py", Role.SOURCE),  # nobody hands that out
        ("web/static/admin/jquery-3.7.1.min.js", Role.VENDORED),
        ("web/static/select2.full.js", Role.VENDORED),
        ("api/user_pb2.py", Role.GENERATED),
        ("api/user_pb2_grpc.py", Role.GENERATED),
        ("src/gen/user.serde.rs", Role.GENERATED),
        ("src/__generated__/types.ts", Role.GENERATED),
        ("src/schema.generated.ts", Role.GENERATED),
        ("lib/app.min.js", Role.GENERATED),
        ("dist/app.js", Role.GENERATED),
        ("packages/core/dist/app.js", Role.GENERATED),
        ("docs/conf.py", Role.DOCS),
        ("desktop/core/ext-py3/boto-2.49.0/boto/provider.py", Role.VENDORED),
        ("examples/hello.py", Role.EXAMPLE),
        ("pkg/examples/hello.py", Role.EXAMPLE),
        ("store-examples/src/hello.py", Role.EXAMPLE),
        ("templates/store-example/hello.js", Role.EXAMPLE),
        ("demo/index.js", Role.EXAMPLE),
        ("scripts/release.py", Role.SCRIPT),
        ("packages/core/scripts/build.js", Role.SCRIPT),
        (".github/scripts/label.py", Role.SCRIPT),
        ("benchmarks/run.py", Role.SCRIPT),
        ("crates/fuzzers/src/bin/index.rs", Role.SCRIPT),
        ("fuzz/targets/parse.rs", Role.SCRIPT),
        ("packages/core/__benchmarks__/ref.bench.ts", Role.SCRIPT),
        ("setup.py", Role.SCRIPT),
        ("lib/shop/testing/fixtures/base.py", Role.TEST),
        ("src/it/resources/checks/InputLoop.java", Role.TEST),
        ("src/serialization/cmdlets.autogen.cs", Role.GENERATED),
        ("external/builder/fixtures_babel/importalias.js", Role.TEST),
        ("app/javascript/.storybook/main.js", Role.CONFIG),
        ("lib/shop/testing/plugin.py", Role.SOURCE),  # shipped for others' tests
        ("packages/core/setup.py", Role.SCRIPT),
        ("tasks.py", Role.SCRIPT),
        ("noxfile.py", Role.SCRIPT),
        ("Gruntfile.js", Role.SCRIPT),
        ("shop/migrations/0002_price.py", Role.SCRIPT),
        ("db/migrations/20240101120000_users.ts", Role.SCRIPT),
        ("alembic/versions/abc123_users.py", Role.SCRIPT),
        ("vite.config.ts", Role.CONFIG),
        (".eslintrc.cjs", Role.CONFIG),
        (".storybook/main.ts", Role.CONFIG),
        ("app/settings.ini.py", Role.CONFIG),  # the language says so
    ],
)
def test_path_determines_the_role(path: str, expected: Role) -> None:
    assert role(path) == expected


@pytest.mark.parametrize(
    ("path", "attributes", "expected"),
    [
        ("app/core.py", {"generated": True}, Role.GENERATED),
        ("app/core.py", {"vendored": True}, Role.VENDORED),
        ("app/core.py", {"documentation": True}, Role.DOCS),
        ("test_core.py", {"generated": True}, Role.GENERATED),
        ("vendor/ours.py", {"vendored": False}, Role.SOURCE),
        ("vendor/test_ours.py", {"vendored": False}, Role.TEST),
        ("docs/conf.py", {"documentation": False}, Role.SOURCE),
        ("api/user_pb2.py", {"generated": False}, Role.SOURCE),
    ],
)
def test_attributes_override_the_path(path: str, attributes: dict[str, bool], expected: Role) -> None:
    assert role(path, **attributes) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("README.md", Role.DOCS),
        ("tests/README.md", Role.DOCS),
        ("tests/fixtures/README.md", Role.TEST),
        ("vendor/lib/README.md", Role.VENDORED),
    ],
)
def test_documents_get_the_docs_role_outside_fixtures(path: str, expected: Role) -> None:
    assert role_of(path, PROSE, lambda path: False, {}) == expected


@pytest.mark.parametrize(
    ("source", "evidence"),
    [
        (
            "// Code generated by protoc-gen-go. DO NOT EDIT.\n",
            "Code generated by protoc-gen-go. DO NOT EDIT.",
        ),
        ("#!/usr/bin/env python\n# @generated by tool\n", "@generated by tool"),
        ("/**\n * @generated SignedSource<<abc>>\n */\nlet a = 1\n", "@generated SignedSource<<abc"),
        ("// <auto-generated>\n", "auto-generated"),
        ("\ufeff// <auto-generated />\n", "auto-generated"),
        (
            "# -*- coding: utf-8 -*-\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\n",
            "Generated by the",
        ),
        ("<?php\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\n", "Generated by the"),
        ("<?php\n\ndeclare(strict_types=1);\n\n// @generated\n", "@generated"),
        ("#\n# Autogenerated by Thrift Compiler (0.13.0)\n#\n", "Autogenerated by Thrift"),
        (
            "/*\n  This file was automatically generated by x.\n*/\n",
            "This file was automatically generated by x.",
        ),
        ("/* eslint-disable */\n// THIS FILE IS AUTO-GENERATED. Run make.\n", "THIS FILE IS AUTO-GENERATED"),
        ("'use strict';\n\n// Generated by CoffeeScript 1.6.3\n", "Generated by CoffeeScript"),
        (
            "# Generated by tools/tables.py\n# Do not edit this file by hand.\n",
            "Generated by tools/tables.py",
        ),
        (
            "# coding: utf-8\n\n'''\n    Pets\n\n    Generated by: https://openapi-generator.tech\n'''\n",
            "Generated by:",
        ),
        ("// Generated from Expr.g4 by ANTLR 4.9\npackage a;\n", "Generated from Expr.g4 by ANTLR"),
        (
            'package a;\n\nimport b.C;\n\n@javax.annotation.Generated(value = "by gRPC")\npublic class D {}\n',
            "@javax.annotation.Generated(",
        ),
        ("<!-- This file is generated from docs.py -->\n# Title\n", "This file is generated from docs.py"),
    ],
)
def test_generated_banners_are_recognized(source: str, evidence: str) -> None:
    assert generated_marker(source.encode()).startswith(evidence)


@pytest.mark.parametrize(
    "source",
    [
        "/* A Bison parser, made by GNU Bison 3.8.2.  */\n",
        '#line 3 "lex.c"\n/* A lexical scanner generated by flex */\n',
        "/* C++ code produced by gperf version 3.1 */\n",
        "/****************************************************************************\n** Meta object code from reading C++ file 'a.h'\n",
        "/* automatically generated by rust-bindgen 0.69.4 */\n",
        "// This file is @generated by prost-build.\n",
        "/* Generated by re2c 3.0 on Mon Jan  1 */\n",
    ],
)
def test_generated_files_of_c_and_rust_are_recognized(source: str) -> None:
    assert generated_marker(source.encode())


@pytest.mark.parametrize(
    "source",
    [
        "",
        "\n\n",
        "import os\n# Code generated by x. DO NOT EDIT.\n",  # below code: not a banner
        "# Do not edit the generated files below api/ by hand.\nimport os\n",  # about others
        'MARK = "Code generated by x. DO NOT EDIT."\n',
        '"""Looks for @generated files.\n\nCode generated by tools, DO NOT EDIT and the like.\n"""\n',
        "# Finds files marked @generated, and skips them\n",
        "# Helpers for automatically generated slugs\n",
        "# The code is generated at run time by the template engine\n",
        "# Generated by Django 4.2 on 2024-01-01 10:00\nfrom django.db import migrations\n",
        '"""\nSettings.\n\nGenerated by \'django-admin startproject\' using Django 4.2.\n"""\n',
        "// Do not edit while the server runs\nlet a = 1\n",
        "# " + "word " * 400 + "\n",
        'KEY = "' + "QUJD" * 3000 + '"\n',  # data is not minified code
        ("A paragraph of text without a line break, as people write it. " * 40 + "\n\n") * 5,
        "let a = 1\n" * 400,
        "class A {\n  @Generated(by = 1)\n  int f() { return 1; }\n}\n",  # a member, not the file
        'test("keeps //# sourceMappingURL=x")\n',
    ],
)
def test_ordinary_text_has_no_marker(source: str) -> None:
    assert generated_marker(source.encode()) == ""


@pytest.mark.parametrize(
    "source",
    [
        "// Do not edit this file! Generated by Ragel 6.10\nclass A {}\n",
        "# PLEASE DO NOT MODIFY DIRECTLY: Automatically generated code\nimport os\n",
    ],
)
def test_a_warning_before_the_word_is_a_banner_too(source: str) -> None:
    assert generated_marker(source.encode())


def test_minified_code_and_source_maps_are_generated() -> None:
    minified = b"!function(e,t){var n=e.x;if(n){return t(n);}else{e.y=1;}}(a,b);" * 100
    assert generated_marker(b"/*! lib v1 | MIT */\n" + minified).startswith("minified: a line of ")
    assert generated_marker(b"let a = 1\n//# sourceMappingURL=a.js.map\n") == "ends with a source map link"


def test_marker_is_short_and_harmless() -> None:
    marker = generated_marker(b"# @generated \x1b[31m" + b"x" * 500 + b"\xff\n")
    assert len(marker) <= 100
    assert "\x1b" not in marker
    assert generated_marker(bytes(range(256)) * 40) == ""


@pytest.mark.parametrize(
    ("source", "marker"),
    [
        (b"/*!\n * jQuery Library v3.6.0\n * Released under the MIT license\n */\n", "jQuery Library v3.6.0"),
        (b"/*! our own file, license MIT */\nconst x = 1;\n", ""),
        (b"/*! v1.2.3 */\nconst x = 1;\n", ""),
        (b"/**\n * vue v3.5.0\n * @license MIT\n */\nconst x = 1;\n", ""),
        (b"/*!" + b"* " * 5000, ""),
        (b"/** @license React v16.13.1\n * Copyright (c) F\n */\n", "@license React v16.13.1"),
        (b"/**\n * @license\n * Copyright Google LLC\n */\nconst x = 1;\n", ""),  # of the project itself
    ],
)
def test_banner_of_a_released_library_is_recognized(source: bytes, marker: str) -> None:
    assert generated_marker(source) == marker


@pytest.mark.parametrize(
    ("source", "marker"),
    [
        (
            b'ace.define("ace/mode/a",["require"], function(require){});\ndefine("ace/mode/b",[], function(){});\n',
            "a bundle of 2 named modules",
        ),
        (b"(() => {\n/******/ \tfunction __webpack_require__(id) {\n}\n})();\n", "a bundle with its loader"),
        (b'define("app/list", ["jquery"], function ($) {});\n', ""),  # one module, which its author named
        (b"<?php\ndefine('A', true);\ndefine('B', getenv('B'));\n", ""),
        (b'define(["jquery"], function ($) {});\ndefine(["other"], function ($) {});\n', ""),
    ],
)
def test_modules_that_a_packager_joined_are_generated(source: bytes, marker: str) -> None:
    assert generated_marker(source) == marker


BODY = "value = 1\n" * 50


@pytest.mark.parametrize(
    "banner",
    [
        "# Vendored from https://example.org/six at 1.16.0\n",
        "#!/usr/bin/env python\n# This file was copied verbatim from the server.\n",
        "/*\n * Pulled from example.org/parser.\n */\n",
        "// A vendored copy of the parser.\n",
        "# Adapted from CPython, Lib/heapq.py\n",
        "/* reader.h - v1.2.3 - public domain\n   A single-header reader of images. */\n",
        "<?php\n/* Imported from the framework. */\n",
    ],
)
def test_a_banner_about_its_origin_makes_a_file_vendored(banner: str) -> None:
    marker = copied_marker((banner + BODY).encode())
    assert role_of_marker(marker) is Role.VENDORED
    assert marker.startswith("copied: ")


@pytest.mark.parametrize(
    "source",
    [
        "# Copied from the server.\n" + "value = 1\n" * 5,  # too short to be a library
        "# Reads what was copied from the server.\n" + BODY,
        "# Copied from this folder when the program starts.\n" + BODY,
        "# Adapted from an idea of Knuth.\n" + BODY,
        "/* Licence: MIT */\n\n/* Copied from the search module. */\n" + BODY,  # about what follows it
        "# A single-file program.\n" + BODY,
        BODY + "# Copied from the server.\n",
    ],
)
def test_other_words_about_copies_mean_nothing(source: str) -> None:
    assert copied_marker(source.encode()) == ""


def test_a_library_with_a_licence_of_its_own_is_vendored() -> None:
    paths = ["LICENSE", "deps/parser/COPYING", "deps/parser/src/a.py", "deps/ours/a.py"]
    paths += ["libs/core/LICENSE", "libs/core/package.json", "src/LICENSE"]
    copied = licensed_folders(paths)
    assert copied == {"deps/parser"}
    assert role_of("deps/parser/src/a.py", CODE, lambda path: False, {}, copied) is Role.VENDORED
    assert role_of("deps/ours/a.py", CODE, lambda path: False, {}, copied) is Role.SOURCE
    denied = {"linguist-vendored": False}
    assert role_of("deps/parser/src/a.py", CODE, lambda path: False, denied, copied) is Role.SOURCE
    assert licensed_folders(paths[1:]) == frozenset()


def test_scripts_in_a_library_folder_that_a_server_hands_out_are_vendored() -> None:
    def role(path: str) -> Role:
        return role_of(path, CODE, lambda path: False, {})

    assert role("public/v1/js/lib/moment/sv.js") is Role.VENDORED
    assert role("public/src/lib/cart.ts") is Role.SOURCE
    assert role("assets/js/lib/cart.js") is Role.SOURCE
    assert role("lib/cart.js") is Role.SOURCE
