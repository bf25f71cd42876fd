"""Where includes of C and C++ lead, which source a header stands for, and whose a `.h` is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crimes.config.schema import Config
from crimes.discovery.discover import discover, extensions_of
from crimes.languages import by_id
from tests.kit.resolving import implicit_uses, import_targets

TREE = {
    "src/app/main.c": "",
    "src/app/util.h": "",
    "src/net/util.h": "",
    "src/net/socket.h": "",
    "include/shop/order.h": "",
    "src/string.h": "",
    "lib/version.h.in": "",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('#include "util.h"', "src/app/util.h"),
        ('#include "../net/util.h"', "src/net/util.h"),
        ('#include "net/socket.h"', "src/net/socket.h"),
        ('#include "socket.h"', "src/net/socket.h"),
        ("#include <shop/order.h>", "include/shop/order.h"),
        ('#include "shop/order.h"', "include/shop/order.h"),
        ("#include <order.h>", "include/shop/order.h"),
        ("#include <util.h>", "src/app/util.h"),
        ("#include <string.h>", "external"),
        ("#include <vector>", "external"),
        ("#include <openssl/ssl.h>", "external"),
        ('#include "stdio.h"', "external"),
        ('#include "gtest/gtest.h"', "external"),
        ('#include "version.h"', "external"),
        ('#include "gone.h"', "unresolved"),
        ('#include "net/gone.h"', "unresolved"),
        ('#include "/etc/passwd"', "external"),
        ('#include "../../../../etc/passwd"', "unresolved"),
        ("#include CONFIGURED", "unresolved"),
    ],
)
def test_every_form_of_include_resolves(text: str, expected: str) -> None:
    assert import_targets(TREE | {"src/app/main.c": text + "\n"}, "src/app/main.c") == [expected]


def test_include_is_unresolved_between_two_equally_near_files() -> None:
    files = {"a/x.h": "", "b/x.h": "", "main.c": '#include "x.h"\n'}
    assert import_targets(files, "main.c") == ["unresolved"]


def database(*entries: object) -> str:
    return json.dumps(list(entries))


def test_include_folders_of_a_compilation_database_are_searched() -> None:
    files = {
        "a/x.h": "",
        "b/x.h": "",
        "main.c": "#include <x.h>\n",
        "tool.c": "#include <x.h>\n",
        "build/compile_commands.json": database(
            {"directory": "/home/ada/shop/build", "file": "../main.c", "command": "cc -I../b -c ../main.c"},
            {
                "directory": "/home/ada/shop/build",
                "file": "/home/ada/shop/tool.c",
                "arguments": ["cc", "-isystem", "/home/ada/shop/a"],
            },
        ),
    }
    assert import_targets(files, "main.c") == ["b/x.h"]
    assert import_targets(files, "tool.c") == ["a/x.h"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1, null, {}]",
        '[{"directory": 1, "file": [], "command": "cc \\""}]',
        '[{"directory": "/x", "file": "main.c", "command": "cc \'-I"}]',
        '[{"directory": "/x", "file": "main.c", "arguments": ["-I", 7, "-I../../.."]}]',
        "[" * 100_000,
    ],
)
def test_malformed_compilation_database_is_ignored(text: str) -> None:
    files = {"main.c": '#include "a.h"\n', "a.h": "", "compile_commands.json": text}
    assert import_targets(files, "main.c") == ["a.h"]


ORDER = "int order_total(int n) {\n  return n;\n}\n"


@pytest.mark.parametrize(
    ("header", "source"),
    [
        ("order.h", "order.c"),
        ("include/order.h", "src/order.c"),
        ("include/shop/order.h", "src/order.c"),
        ("include/shop/order.h", "src/shop/order.c"),
        ("lib/a/include/a/order.h", "lib/a/order.c"),
        ("api/order.h", "somewhere/else/order.c"),
    ],
)
def test_caller_of_a_declared_function_uses_its_source_file(header: str, source: str) -> None:
    files = {
        header: "int order_total(int n);\n",
        source: f'#include "order.h"\n{ORDER}',
        "t/test_order.cpp": '#include "order.h"\nvoid f() { CHECK(order_total(1) == 1); }\n',
        "t/types.cpp": '#include "order.h"\nvoid f() {}\n',
    }
    assert implicit_uses(files, "t/test_order.cpp") == {source: ("order_total",)}
    assert implicit_uses(files, "t/types.cpp") == {}
    assert implicit_uses(files, header) == {}, "somebody is seen to call it"


def test_header_uses_its_source_when_no_caller_is_seen() -> None:
    files = {"a/order.h": "", "a/order.c": ORDER, "b/order.c": ORDER, "main.c": '#include "a/order.h"\n'}
    assert implicit_uses(files, "a/order.h") == {"a/order.c": ()}


def test_caller_of_a_method_uses_its_source_file() -> None:
    files = {
        "cart.hpp": "struct Cart { int total(); };\n",
        "cart.cpp": '#include "cart.hpp"\nint Cart::total() { return 1; }\n',
        "main.cpp": '#include "cart.hpp"\nint main() { Cart cart; return cart.total(); }\n',
    }
    assert implicit_uses(files, "main.cpp") == {"cart.cpp": ("total",)}


@pytest.mark.parametrize("test", ["src/test/fuzz/span.cpp", "tests/span.cpp", "src/bench/span.cpp"])
def test_a_test_of_the_same_name_is_not_behind_a_header(test: str) -> None:
    files = {
        "src/span.h": "int length(int n);\n",
        test: '#include "span.h"\nvoid initialize() {}\nvoid fuzz_span() { length(1); }\n',
        "src/main.cpp": '#include "span.h"\nint main() { initialize(); return length(1); }\n',
    }
    assert implicit_uses(files, "src/main.cpp") == {}
    assert implicit_uses(files, "src/span.h") == {}
    beside = files | {"other/span.cpp": "int length(int n) { return n; }\n"}
    assert implicit_uses(beside, "src/main.cpp") == {"other/span.cpp": ("length",)}


def test_a_function_of_one_source_is_found_without_its_header() -> None:
    files = {
        "all.h": "int order_total(int n);\n",
        "order.c": ORDER,
        "main.c": '#include "all.h"\nint main(void) { return order_total(helper(1)); }\n',
        "a.c": "static int helper(int n) { return n; }\n",
        "b.c": "static int helper(int n) { return n; }\n",
    }
    assert implicit_uses(files, "main.c") == {"order.c": ("order_total",)}


def test_configured_roots_are_searched() -> None:
    files = {"deep/inc/x.h": "", "other/inc/x.h": "", "main.c": "#include <x.h>\n"}
    assert import_targets(files, "main.c", ("other/inc",)) == ["other/inc/x.h"]


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["a.c", "b.c", "c.cpp", "x.h"], "c"),
        (["a.c", "b.cc", "c.cpp", "x.h"], "cpp"),
        (["x.h"], "cpp"),
        (["a.c", "x.h"], "c"),
    ],
)
def test_a_shared_extension_goes_to_the_language_with_more_files(paths: list[str], expected: str) -> None:
    assert extensions_of(by_id, paths)[".h"].id == expected


def test_headers_are_read_in_the_language_of_the_repository(tmp_path: Path) -> None:
    for name in ("a.cpp", "b.cpp", "c.c", "x.h"):
        (tmp_path / name).write_text("int x;\n")
    tree = discover(tmp_path, Config(), by_id)
    assert {file.path: file.language for file in tree.files}["x.h"] == "cpp"


def test_include_roots_of_other_includes_come_before_near_files() -> None:
    files = {
        "src/psbt.h": "",
        "src/node/psbt.h": "",
        "src/node/psbt.cpp": "#include <psbt.h>\n",
        "src/a.cpp": "#include <node/psbt.h>\n",
        "src/b.cpp": "#include <node/psbt.h>\n",
        "src/c.cpp": "#include <node/psbt.h>\n",
    }
    assert import_targets(files, "src/node/psbt.cpp") == ["src/psbt.h"]
