"""The detectors for any language, in Java."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crimes.detection.detector import Example
from tests.language_examples.shared import SMALL_LIMITS, changes, hotspot

_MAIN, _TEST = "src/main/java/shop/", "src/test/java/shop/"

_ROUTE = """package shop;

class Route {{
  static int limit = {n};

  Step route(Request request, List<Rule> rules) {{
    for (Rule rule : rules) {{
      if (rule.active) {{
        for (Step step : rule.steps) {{
          if (step.isAllowed() && request.user != null || step.open) {{
            if (step.until != null && step.until < request.time) {{
              continue;
            }} else if (step.once) {{
              return step;
            }} else {{
              while (step.parent != null) {{
                if (step.parent.blocked) {{
                  return null;
                }}
              }}
            }}
          }}
        }}
      }}
    }}
    return null;
  }}
}}
"""

_FLAT = """package shop;

class Words {
  String word(int number) {
    switch (number) {
      case 1:
        return "one";
      case 2:
        return "two";
      default:
        return number > 9 ? "many" : "few";
    }
  }
}
"""

_CORE = """package shop;

public class Core {
  public static String load(String key) {
    if (key != null) {
      return key;
    }
    return "";
  }

  public static String save(String key) {
    return load(key);
  }
}
"""


def _sync(handler: str) -> str:
    return f"""package shop;

class Sync {{
  void push(Order order) {{
    try {{
      client.send(order);
      client.commit();
    }} catch (Exception e) {{
      {handler}
    }}
  }}
}}
"""


def _waiting(handler: str) -> str:
    return f"""class Wait {{
  void until(Job job) {{
    while (!job.isDone()) {{
      try {{
        Thread.sleep(100);
      }} catch (InterruptedException e) {{
        {handler}
      }}
    }}
  }}
}}
"""


def _test(body: str, annotation: str = "@Test") -> str:
    return f"""package shop;

import org.junit.jupiter.api.Test;

class ParserTest {{
  {annotation}
  void parsesNumbers() {{
    {body}
  }}
}}
"""


_PARSER = """package shop;

class Parser {
  Parser(String text) {
    this.text = text;
  }

  static int parse(String text) {
    return Integer.parseInt(text);
  }
}
"""

_QUIET = {f"src/main/java/quiet/M{n}.java": f"package quiet;\nclass M{n} {{}}\n" for n in range(12)}
_HOT = f"{_MAIN}Route.java"

EXAMPLES: Mapping[str, Sequence[Example]] = {
    "god_function": [
        Example("deep decisions", {_HOT: _ROUTE.format(n=1)}, (f"{_HOT}:6",), options={"max_cognitive": 20}),
        Example("silent on a flat switch", {f"{_MAIN}Words.java": _FLAT}),
    ],
    "load_bearing_file": [
        Example(
            "neighbours use it without an import, others import it",
            {
                f"{_MAIN}Core.java": _CORE,
                f"{_MAIN}A.java": 'package shop;\npublic class A { String a = Core.load("a"); }\n',
                "src/main/java/app/B.java": "package app;\nimport shop.Core;\nclass B { Core c; }\n",
                "src/main/java/app/C.java": "package app;\nimport static shop.Core.save;\nclass C {}\n",
                "src/main/java/app/D.java": "package app;\nimport shop.*;\nclass D { A a; }\n",
            },
            (f"{_MAIN}Core.java:1",),
            options=SMALL_LIMITS,
        ),
        Example(
            "silent on an interface: it holds no logic",
            {
                f"{_MAIN}Core.java": "package shop;\ninterface Core {\n" + "  void f();\n" * 9 + "}\n",
                **{f"{_MAIN}A{n}.java": f"package shop;\nclass A{n} {{ Core c; }}\n" for n in range(5)},
            },
            options=SMALL_LIMITS,
        ),
    ],
    "hidden_coupling": [
        Example(
            "two files that follow each other in different packages",
            {
                _HOT: "package shop;\nclass Route {}\n",
                "src/main/java/app/Menu.java": "package app;\nclass Menu {}\n",
            },
            ("src/main/java/app/Menu.java:1",),
            history=changes((_HOT, "src/main/java/app/Menu.java"), "// {n}\n"),
        ),
        Example(
            "silent when one uses the other as a neighbour",
            {
                f"{_MAIN}Menu.java": "package shop;\nclass Menu { Route route; }\n",
                _HOT: "package shop;\nclass Route {}\n",
            },
            history=changes((_HOT, f"{_MAIN}Menu.java"), "// {n}\n"),
        ),
    ],
    "silent_failure": [
        Example("nothing is done", {f"{_MAIN}Sync.java": _sync("")}, (f"{_MAIN}Sync.java:8",)),
        Example(
            "a loop that no interruption ends",
            {f"{_MAIN}Wait.java": _waiting("")},
            (f"{_MAIN}Wait.java:6",),
        ),
        Example(
            "silent when the interrupted state is restored",
            {f"{_MAIN}Wait.java": _waiting("Thread.currentThread().interrupt();")},
        ),
        Example("silent when it is logged", {f"{_MAIN}Sync.java": _sync("log.warn(e);")}),
        Example("silent with a reason", {f"{_MAIN}Sync.java": _sync("// the next run sends it again")}),
        Example(
            "silent on a narrow type",
            {f"{_MAIN}Sync.java": _sync("").replace("Exception e", "IOException | TimeoutException e")},
        ),
    ],
    "hollow_test": [
        Example(
            "a static method is called and nothing is checked",
            {f"{_MAIN}Parser.java": _PARSER, f"{_TEST}ParserTest.java": _test('Parser.parse("1");')},
            (f"{_TEST}ParserTest.java:6",),
            options={"calls_only": True},
        ),
        Example(
            "an empty test among others",
            {
                f"{_TEST}ParserTest.java": _test("").removesuffix("}\n")
                + "".join(
                    f"  @Test\n  void parses{n}() {{\n    assertEquals({n}, f());\n  }}\n" for n in (1, 2)
                )
                + "}\n"
            },
            (f"{_TEST}ParserTest.java:6",),
            options={"calls_only": True},
        ),
        Example(
            "silent when the outcome is checked",
            {
                f"{_MAIN}Parser.java": _PARSER,
                f"{_TEST}ParserTest.java": _test('assertThat(Parser.parse("1")).isEqualTo(1);'),
            },
            options={"calls_only": True},
        ),
        Example(
            "silent when the annotation expects an error",
            {
                f"{_MAIN}Parser.java": _PARSER,
                f"{_TEST}ParserTest.java": _test('Parser.parse("x");', "@Test(expected = Broken.class)"),
            },
            options={"calls_only": True},
        ),
    ],
    "untested_hotspot": [
        hotspot("complex, busy, and no test", _HOT, _ROUTE, _QUIET, reported=True),
        hotspot(
            "silent when a test of the same package uses it",
            _HOT,
            _ROUTE,
            {**_QUIET, f"{_TEST}AllTest.java": "package shop;\nclass AllTest { Route route; }\n"},
        ),
    ],
    "import_cycle": [
        Example(
            "silent on files that import each other: the compiler takes them together",
            {
                f"{_MAIN}A.java": "package shop;\nimport app.B;\npublic class A { B b; }\n",
                "src/main/java/app/B.java": "package app;\nimport shop.A;\npublic class B { A a; }\n",
            },
        )
    ],
}
