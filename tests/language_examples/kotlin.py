"""The detectors for any language, in Kotlin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crimes.detection.detector import Example
from tests.language_examples.shared import SMALL_LIMITS, changes, hotspot

_MAIN, _TEST = "src/main/kotlin/shop/", "src/test/kotlin/shop/"
_HOT, _MENU = f"{_MAIN}Route.kt", "src/main/kotlin/app/Menu.kt"

_ROUTE = """package shop

const val LIMIT = {n}

fun route(request: Request, rules: List<Rule>): Step? {{
    for (rule in rules) {{
        if (rule.active) {{
            for (step in rule.steps) {{
                if (step.isAllowed() && request.user != null || step.open) {{
                    if (step.until != null && step.until < request.time) {{
                        continue
                    }} else if (step.once) {{
                        return step
                    }} else {{
                        while (step.parent != null) {{
                            if (step.parent.blocked) {{
                                return null
                            }}
                        }}
                    }}
                }}
            }}
        }}
    }}
    return null
}}
"""

_FLAT = """package shop

fun word(number: Int): String = when (number) {
    1 -> "one"
    2 -> "two"
    3 -> "three"
    4 -> "four"
    else -> if (number > 9) "many" else "few"
}
"""

_CORE = """package shop

fun load(key: String?): String {
    if (key != null) {
        return key
    }
    return ""
}

class Core {
    fun save(key: String) = load(key)
}
"""


def _sync(handler: str) -> str:
    return f"""package shop

class Sync(private val client: Client) {{
    fun push(order: Order) {{
        try {{
            client.send(order)
            client.commit()
        }} catch (e: Exception) {{
            {handler}
        }}
    }}
}}
"""


def _test(body: str) -> str:
    return f"""package shop

import kotlin.test.Test

class ParserTest {{
    @Test
    fun `parses numbers`() {{
        {body}
    }}
}}
"""


_PARSER = """package shop

object Parser {
    fun parse(text: String): Int = text.toInt()
}

fun tokens(text: String): List<String> = text.split(" ")
"""

_QUIET = {f"src/main/kotlin/quiet/M{n}.kt": f"package quiet\n\nclass M{n}\n" for n in range(12)}

EXAMPLES: Mapping[str, Sequence[Example]] = {
    "god_function": [
        Example("deep decisions", {_HOT: _ROUTE.format(n=1)}, (f"{_HOT}:5",), options={"max_cognitive": 20}),
        Example("silent on a flat when", {f"{_MAIN}words.kt": _FLAT}),
    ],
    "load_bearing_file": [
        Example(
            "neighbours call its functions without an import, others import it",
            {
                f"{_MAIN}core.kt": _CORE,
                f"{_MAIN}A.kt": 'package shop\n\nclass A {\n    val a = load("a")\n}\n',
                "src/main/kotlin/app/B.kt": "package app\n\nimport shop.Core as Base\n\nclass B(val c: Base)\n",
                "src/main/kotlin/app/C.kt": "package app\n\nimport shop.load\n\nval c = load(null)\n",
                "src/main/kotlin/app/D.kt": "package app\n\nimport shop.*\n\nclass D(val a: A)\n",
            },
            (f"{_MAIN}core.kt:1",),
            options=SMALL_LIMITS,
        ),
        Example(
            "silent on an interface: it holds no logic",
            {
                f"{_MAIN}Core.kt": "package shop\n\ninterface Core {\n" + "    fun f()\n" * 9 + "}\n",
                **{f"{_MAIN}A{n}.kt": f"package shop\n\nclass A{n}(val c: Core)\n" for n in range(5)},
            },
            options=SMALL_LIMITS,
        ),
    ],
    "hidden_coupling": [
        Example(
            "two files that follow each other in different packages",
            {_HOT: "package shop\n\nclass Route\n", _MENU: "package app\n\nclass Menu\n"},
            (f"{_MENU}:1",),
            history=changes((_HOT, _MENU), "// {n}\n"),
        ),
        Example(
            "silent when one uses the other as a neighbour",
            {
                f"{_MAIN}Menu.kt": "package shop\n\nclass Menu(val route: Route)\n",
                _HOT: "package shop\n\nclass Route\n",
            },
            history=changes((_HOT, f"{_MAIN}Menu.kt"), "// {n}\n"),
        ),
    ],
    "silent_failure": [
        Example("nothing is done", {f"{_MAIN}Sync.kt": _sync("")}, (f"{_MAIN}Sync.kt:8",)),
        Example("silent when it is logged", {f"{_MAIN}Sync.kt": _sync("log.warn(e)")}),
        Example("silent with a reason", {f"{_MAIN}Sync.kt": _sync("// the next run sends it again")}),
        Example(
            "silent on a narrow type", {f"{_MAIN}Sync.kt": _sync("").replace("Exception", "IOException")}
        ),
    ],
    "hollow_test": [
        Example(
            "a function is called and nothing is checked",
            {f"{_MAIN}Parser.kt": _PARSER, f"{_TEST}ParserTest.kt": _test('tokens("1")')},
            (f"{_TEST}ParserTest.kt:6",),
            options={"calls_only": True},
        ),
        Example(
            "a function of an object is called and nothing is checked",
            {f"{_MAIN}Parser.kt": _PARSER, f"{_TEST}ParserTest.kt": _test('Parser.parse("1")')},
            (f"{_TEST}ParserTest.kt:6",),
            options={"calls_only": True},
        ),
        Example(
            "silent where the tests are there to be compiled",
            {
                f"{_MAIN}Parser.kt": _PARSER,
                f"{_TEST}ParserTest.kt": _test('Parser.parse("1")').replace(
                    "class P", "/** Uses all there is, for source-compatibility. */\nclass P"
                ),
            },
            options={"calls_only": True},
        ),
        *(
            Example(
                f"silent when the outcome is checked: {check}",
                {f"{_MAIN}Parser.kt": _PARSER, f"{_TEST}ParserTest.kt": _test(check)},
            )
            for check in (
                'assertEquals(1, Parser.parse("1"))',
                'Parser.parse("1") shouldBe 1',
                'assertFailsWith<Broken> { Parser.parse("x") }',
            )
        ),
    ],
    "untested_hotspot": [
        hotspot("complex, busy, and no test", _HOT, _ROUTE, _QUIET, reported=True),
        hotspot(
            "silent when a test of the same package calls it",
            _HOT,
            _ROUTE,
            {
                **_QUIET,
                f"{_TEST}AllTest.kt": "package shop\n\nclass AllTest {\n    val step = route(a, b)\n}\n",
            },
        ),
    ],
    "import_cycle": [
        Example(
            "silent on files that import each other: the compiler takes them together",
            {
                f"{_MAIN}A.kt": "package shop\n\nimport app.B\n\nclass A(val b: B)\n",
                "src/main/kotlin/app/B.kt": "package app\n\nimport shop.A\n\nclass B(val a: A)\n",
            },
        )
    ],
}
