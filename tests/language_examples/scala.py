"""The detectors for any language, in Scala."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crimes.detection.detector import Example
from tests.language_examples.shared import SMALL_LIMITS, changes, hotspot

_MAIN, _TEST = "src/main/scala/shop/", "src/test/scala/shop/"
_SYNC, _PARSED, _SUITE = f"{_MAIN}Sync.scala", f"{_MAIN}Parser.scala", f"{_TEST}ParserSuite.scala"
_HOT, _MENU = f"{_MAIN}Route.scala", "src/main/scala/app/Menu.scala"

_ROUTE = """package shop

object Route {{
  val limit = {n}

  def route(request: Request, rules: List[Rule]): Option[Step] = {{
    for (rule <- rules) {{
      if (rule.active) {{
        for (step <- rule.steps) {{
          if (step.isAllowed && request.user != null || step.open) {{
            if (step.until != null && step.until < request.time) {{
              skip(step)
            }} else if (step.once) {{
              return Some(step)
            }} else {{
              while (step.parent != null) {{
                step.parent match {{
                  case Blocked(_) => return None
                  case _ => next(step)
                }}
              }}
            }}
          }}
        }}
      }}
    }}
    None
  }}
}}
"""

_FLAT = """package shop

object Words {
  def word(number: Int): String = number match {
    case 1 => "one"
    case 2 => "two"
    case 3 => "three"
    case _ => if (number > 9) "many" else "few"
  }
}
"""

_CORE = """package shop

class Core(keys: Map[String, String]) {
  def load(key: String): String = {
    if (key != null) {
      keys(key)
    } else {
      ""
    }
  }
}

object Core {
  def save(key: String): String = new Core(Map()).load(key)
}
"""


def _sync(case: str) -> str:
    return f"""package shop

class Sync(client: Client) {{
  def push(order: Order): Unit = {{
    try {{
      client.send(order)
      client.commit()
    }} catch {{
      {case}
    }}
  }}
}}
"""


def _test(body: str) -> str:
    return f"""package shop

import org.scalatest.funsuite.AnyFunSuite

class ParserSuite extends AnyFunSuite {{
  test("parses numbers") {{
    {body}
  }}
}}
"""


_PARSER = """package shop

object Parser {
  def parse(text: String): Int = text.toInt
}
"""

_QUIET = {f"src/main/scala/quiet/M{n}.scala": f"package quiet\n\nclass M{n}\n" for n in range(12)}

EXAMPLES: Mapping[str, Sequence[Example]] = {
    "god_function": [
        Example("deep decisions", {_HOT: _ROUTE.format(n=1)}, (f"{_HOT}:6",), options={"max_cognitive": 20}),
        Example("silent on a flat match", {f"{_MAIN}Words.scala": _FLAT}),
    ],
    "load_bearing_file": [
        Example(
            "neighbours use it without an import, others import it",
            {
                f"{_MAIN}Core.scala": _CORE,
                f"{_MAIN}A.scala": 'package shop\n\nclass A { val a = Core.save("a") }\n',
                "src/main/scala/app/B.scala": "package app\n\nimport shop.{Core => Base}\n\nclass B(c: Base)\n",
                "src/main/scala/app/C.scala": "package app\n\nimport shop.Core._\n\nobject C { val c = save(null) }\n",
                "src/main/scala/app/D.scala": "package app\n\nimport shop._\n\nclass D(a: A)\n",
            },
            (f"{_MAIN}Core.scala:1",),
            options=SMALL_LIMITS,
        ),
        Example(
            "silent on a trait without logic",
            {
                f"{_MAIN}Core.scala": "package shop\n\ntrait Core {\n" + "  def f(): Unit\n" * 9 + "}\n",
                **{f"{_MAIN}A{n}.scala": f"package shop\n\nclass A{n}(c: Core)\n" for n in range(5)},
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
                f"{_MAIN}Menu.scala": "package shop\n\nclass Menu(route: Route)\n",
                _HOT: "package shop\n\nclass Route\n",
            },
            history=changes((_HOT, f"{_MAIN}Menu.scala"), "// {n}\n"),
        ),
        Example(
            "silent on build files: they hold versions",
            {"build.sbt": "val a = 9\n", "docs/build.sbt": "val a = 9\n"},
            history=changes(("build.sbt", "docs/build.sbt"), "val a = {n}\n"),
        ),
    ],
    "silent_failure": [
        *(
            Example(f"nothing is done: {case}", {_SYNC: _sync(case)}, (f"{_SYNC}:9",))
            for case in ("case _: Exception => ()", "case NonFatal(_) =>", "case _ => ()")
        ),
        *(
            Example(f"silent: {case}", {_SYNC: _sync(case)})
            for case in (
                "case e: Exception => log.warn(e)",
                "case _: Exception => // the next run sends it again",
                "case _: IOException => ()",
                "case e => throw new Broken(e)",
            )
        ),
    ],
    "hollow_test": [
        Example(
            "a function of an object is called and nothing is checked",
            {_PARSED: _PARSER, _SUITE: _test('Parser.parse("1")')},
            (f"{_SUITE}:6",),
            options={"calls_only": True},
        ),
        *(
            Example(f"silent when the outcome is checked: {check}", {_PARSED: _PARSER, _SUITE: _test(check)})
            for check in (
                'assert(Parser.parse("1") == 1)',
                'Parser.parse("1") shouldBe 1',
                'Parser.parse("1") must_== 1',
                'intercept[Broken](Parser.parse("x"))',
            )
        ),
    ],
    "untested_hotspot": [
        hotspot("complex, busy, and no test", _HOT, _ROUTE, _QUIET, reported=True),
        hotspot(
            "silent when a test of the same package uses it",
            _HOT,
            _ROUTE,
            {
                **_QUIET,
                f"{_TEST}AllTest.scala": "package shop\n\nclass AllTest { val step = Route.route(a, b) }\n",
            },
        ),
    ],
    "import_cycle": [
        Example(
            "silent on files that import each other: the compiler takes them together",
            {
                f"{_MAIN}A.scala": "package shop\n\nimport app.B\n\nclass A(b: B)\n",
                "src/main/scala/app/B.scala": "package app\n\nimport shop.A\n\nclass B(a: A)\n",
            },
        )
    ],
}
