"""The detectors for any language, in C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crimes.detection.detector import Example
from tests.language_examples.shared import SMALL_LIMITS, changes, hotspot

_ROUTE = """#include "route.h"

int limit = {n};

struct step *route(struct request *request, struct rule *rules) {{
    for (struct rule *rule = rules; rule; rule = rule->next) {{
        if (rule->active) {{
            for (struct step *step = rule->steps; step; step = step->next) {{
                if (step->allowed && request->user || step->open) {{
                    if (step->until && step->until < request->time) {{
                        continue;
                    }} else if (step->once) {{
                        return step;
                    }} else {{
                        while (step->parent) {{
                            if (step->parent->blocked) {{
                                return NULL;
                            }}
                        }}
                    }}
                }}
            }}
        }}
    }}
    return NULL;
}}
"""

_FLAT = """const char *word(int number) {
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

_CORE = """#include "core.h"

int load(int key) {
    if (key > 0) {
        return key;
    }
    return 0;
}

int save(int key) {
    return load(key);
}
"""


def _sync(body: str) -> str:
    return f"""#include "store.h"

void push(struct order *order) {{
    if (store_commit(order) != 0) {{
        {body}
    }}
    store_done(order);
}}
"""


def _test(body: str, head: str = "static void test_numbers(void)") -> str:
    return f"""#include "parse.h"

{head}
{{
    {body}
}}
"""


_PARSE = {
    "src/parse.h": "int parse(const char *text);\n",
    "src/parse.c": '#include "parse.h"\n\nint parse(const char *text)\n{\n    return text[0];\n}\n',
}
_QUIET = {f"src/quiet{n}.c": f"int quiet{n} = {n};\n" for n in range(12)}
_HOT = {"src/route.h": "struct step *route(struct request *request, struct rule *rules);\n"}

EXAMPLES: Mapping[str, Sequence[Example]] = {
    "god_function": [
        Example(
            "deep decisions",
            {"src/route.c": _ROUTE.format(n=1)},
            ("src/route.c:5",),
            options={"max_cognitive": 20},
        ),
        Example("silent on a flat switch", {"src/words.c": _FLAT}),
    ],
    "load_bearing_file": [
        Example(
            "called through its header by many",
            {
                "src/core.h": "int load(int key);\nint save(int key);\n",
                "src/core.c": _CORE,
                **{
                    f"src/a{n}.c": f'#include "core.h"\n\nint a{n}(void)\n{{\n    return load({n});\n}}\n'
                    for n in range(3)
                },
                "src/main.c": "int main(void)\n{\n    return a1();\n}\n",
            },
            ("src/core.c:1",),
            options=SMALL_LIMITS,
        ),
        Example(
            "silent on a header of declarations: it holds no logic",
            {
                "src/core.h": "".join(f"int f{n}(int key);\n" for n in range(20)),
                **{f"src/a{n}.c": '#include "core.h"\n' for n in range(5)},
            },
            options=SMALL_LIMITS,
        ),
    ],
    "hidden_coupling": [
        Example(
            "two sources that follow each other",
            {"src/menu.c": "int menu = 9;\n", "src/route.c": "int route = 9;\n"},
            ("src/menu.c:1",),
            history=changes(("src/menu.c", "src/route.c"), "int x = {n};\n"),
        ),
        Example(
            "silent on a source and its header",
            {"src/menu.c": '#include "menu.h"\n', "src/menu.h": "extern int menu;\n"},
            history=changes(("src/menu.c", "src/menu.h"), "int x = {n};\n"),
        ),
    ],
    "silent_failure": [
        Example(
            "a failure is asked about, and nothing is done", {"src/sync.c": _sync("")}, ("src/sync.c:4",)
        ),
        Example(
            "silent when it is handed on", {"src/sync.c": _sync("return;").replace("void push", "int push")}
        ),
        Example("silent with a reason", {"src/sync.c": _sync("/* The next run commits it again. */")}),
    ],
    "hollow_test": [
        Example(
            "a function is called and nothing is checked",
            {**_PARSE, "tests/test_parse.c": _test('parse("1");')},
            ("tests/test_parse.c:3",),
            options={"calls_only": True},
        ),
        Example(
            "silent when the outcome is checked",
            {**_PARSE, "tests/test_parse.c": _test('TEST_ASSERT_EQUAL_INT(1, parse("1"));')},
            options={"calls_only": True},
        ),
    ],
    "untested_hotspot": [
        hotspot("complex, busy, and no test", "src/route.c", _ROUTE, {**_QUIET, **_HOT}, reported=True),
        hotspot(
            "silent when a test includes its header and calls it",
            "src/route.c",
            _ROUTE,
            {
                **_QUIET,
                **_HOT,
                "tests/all.c": '#include "route.h"\n\nint main(void)\n{\n    assert(!route(0, 0));\n}\n',
            },
        ),
    ],
    "import_cycle": [
        Example(
            "silent on headers that include each other",
            {
                "src/a.h": '#pragma once\n#include "b.h"\nstruct a { struct b *b; };\n',
                "src/b.h": '#pragma once\n#include "a.h"\nstruct b { struct a *a; };\n',
            },
        ),
        Example(
            "silent on a source and its header, and on functions that call each other",
            {
                "src/a.h": "int a(void);\n",
                "src/b.h": "int b(void);\n",
                "src/a.c": '#include "a.h"\n#include "b.h"\nint a(void)\n{\n    return b();\n}\n',
                "src/b.c": '#include "b.h"\n#include "a.h"\nint b(void)\n{\n    return a();\n}\n',
            },
        ),
    ],
}
