"""The detectors for any language, in C++."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crimes.detection.detector import Example
from tests.language_examples.shared import SMALL_LIMITS, changes, hotspot

_ROUTE = """#include "route.hpp"

namespace shop {{

const int limit = {n};

Step* Router::route(const Request& request) {{
    for (const auto& rule : rules_) {{
        if (rule.active) {{
            for (auto& step : rule.steps) {{
                if (step.allowed && request.user || step.open) {{
                    if (step.until && step.until < request.time) {{
                        continue;
                    }} else if (step.once) {{
                        return &step;
                    }} else {{
                        while (step.parent) {{
                            if (step.parent->blocked) {{
                                return nullptr;
                            }}
                        }}
                    }}
                }}
            }}
        }}
    }}
    return nullptr;
}}

}}  // namespace shop
"""

_FLAT = """std::string word(int number) {
    switch (number) {
    case 1:
        return "one";
    case 2:
        return "two";
    default:
        return number > 9 ? "many" : "few";
    }
}
"""

_CORE = """#include "core.hpp"

int Core::load(int key) {
    if (key > 0) {
        return key;
    }
    return 0;
}

int Core::save(int key) {
    return load(key);
}
"""


def _sync(handler: str, caught: str = "...") -> str:
    return f"""void push(Client& client, const Order& order) {{
    try {{
        client.send(order);
        client.commit();
    }} catch ({caught}) {{
        {handler}
    }}
}}
"""


def _test(body: str, head: str = "TEST(ParserTest, ReadsNumbers)") -> str:
    return f"""#include "parser.hpp"

{head} {{
    {body}
}}
"""


_PARSER = {
    "src/parser.hpp": "int parse(const std::string& text);\n",
    "src/parser.cpp": '#include "parser.hpp"\n\nint parse(const std::string& text) {\n    return text.size();\n}\n',
}
_QUIET = {f"src/quiet{n}.cpp": f"int quiet{n} = {n};\n" for n in range(12)}
_HOT = {"src/route.hpp": "class Router {\n    Step* route(const Request& request);\n};\n"}

EXAMPLES: Mapping[str, Sequence[Example]] = {
    "god_function": [
        Example(
            "deep decisions",
            {"src/route.cpp": _ROUTE.format(n=1)},
            ("src/route.cpp:7",),
            options={"max_cognitive": 20},
        ),
        Example("silent on a flat switch", {"src/words.cpp": _FLAT}),
    ],
    "load_bearing_file": [
        Example(
            "its methods are called by many",
            {
                "src/core.hpp": "struct Core {\n    int load(int key);\n    int save(int key);\n};\n",
                "src/core.cpp": _CORE,
                **{
                    f"src/a{n}.cpp": f'#include "core.hpp"\n\nint a{n}(Core& core) {{\n    return core.load({n});\n}}\n'
                    for n in range(3)
                },
                "src/a4.cpp": '#include "core.hpp"\n\nint a4(Core& core) {\n    return core.save(4);\n}\n',
            },
            ("src/core.cpp:1",),
            options=SMALL_LIMITS,
        ),
        Example(
            "silent on a header of declarations: it holds no logic",
            {
                "src/core.hpp": "struct Core {\n"
                + "".join(f"    int f{n}(int key);\n" for n in range(20))
                + "};\n",
                **{f"src/a{n}.cpp": '#include "core.hpp"\n' for n in range(5)},
            },
            options=SMALL_LIMITS,
        ),
    ],
    "hidden_coupling": [
        Example(
            "two sources that follow each other",
            {"src/menu.cpp": "int menu = 9;\n", "src/route.cpp": "int route = 9;\n"},
            ("src/menu.cpp:1",),
            history=changes(("src/menu.cpp", "src/route.cpp"), "int x = {n};\n"),
        ),
        Example(
            "silent on a source and its header",
            {"src/menu.cpp": '#include "menu.hpp"\n', "src/menu.hpp": "extern int menu;\n"},
            history=changes(("src/menu.cpp", "src/menu.hpp"), "int x = {n};\n"),
        ),
    ],
    "silent_failure": [
        Example("everything is caught, nothing done", {"src/sync.cpp": _sync("")}, ("src/sync.cpp:5",)),
        Example(
            "the base of all errors is caught, nothing done",
            {"src/sync.cpp": _sync("", "const std::exception&")},
            ("src/sync.cpp:5",),
        ),
        Example(
            "silent when it is logged",
            {"src/sync.cpp": _sync("log::error(e.what());", "const std::exception& e")},
        ),
        Example("silent with a reason", {"src/sync.cpp": _sync("// the next run sends it again")}),
        Example("silent on a narrow type", {"src/sync.cpp": _sync("", "const Timeout&")}),
    ],
    "hollow_test": [
        Example(
            "a function is called and nothing is checked",
            {**_PARSER, "tests/parser_test.cpp": _test('parse("1");')},
            ("tests/parser_test.cpp:3",),
            options={"calls_only": True},
        ),
        Example(
            "a named case that checks nothing",
            {
                **_PARSER,
                "tests/parser_test.cpp": _test('parse("1");', 'TEST_CASE("reads numbers", "[parser]")'),
            },
            ("tests/parser_test.cpp:3",),
            options={"calls_only": True},
        ),
        Example(
            "silent when the outcome is checked",
            {
                **_PARSER,
                "tests/parser_test.cpp": _test('EXPECT_EQ(1, parse("1"));'),
                "tests/parser_catch.cpp": _test('REQUIRE(parse("1") == 1);', 'TEST_CASE("reads numbers")'),
                "tests/parser_qt.cpp": _test('QCOMPARE(parse("1"), 1);'),
                "tests/parser_wait.cpp": _test('QTRY_VERIFY2(parse("1"), "no number");'),
                "tests/parser_own.cpp": _test('MY_CHECK_NUMBER(parse("1"), 1);'),
                "tests/parser_boost.cpp": _test(
                    'BOOST_TEST(parse("1") == 1);', "BOOST_AUTO_TEST_CASE(reads_numbers)"
                ),
            },
            options={"calls_only": True},
        ),
    ],
    "untested_hotspot": [
        hotspot("complex, busy, and no test", "src/route.cpp", _ROUTE, {**_QUIET, **_HOT}, reported=True),
        hotspot(
            "silent when a test includes its header and calls it",
            "src/route.cpp",
            _ROUTE,
            {
                **_QUIET,
                **_HOT,
                "tests/all.cpp": '#include "route.hpp"\n\nTEST(All, None) {\n    EXPECT_FALSE(Router().route(Request()));\n}\n',
            },
        ),
    ],
    "import_cycle": [
        Example(
            "silent on headers that include each other",
            {
                "src/a.hpp": '#pragma once\n#include "b.hpp"\nstruct A { B* b; };\n',
                "src/b.hpp": '#pragma once\n#include "a.hpp"\nstruct B { A* a; };\n',
            },
        ),
        Example(
            "silent on a header and the file that completes it",
            {
                "src/a.hpp": '#pragma once\nstruct A { int f(); };\n#include "a-inl.hpp"\n',
                "src/a-inl.hpp": '#include "a.hpp"\ninline int A::f() { return 1; }\n',
            },
        ),
    ],
}
