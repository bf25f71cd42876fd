"""The detectors for any language, in C#."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crimes.detection.detector import Example
from tests.language_examples.shared import SMALL_LIMITS, changes, hotspot

_ROUTE = """namespace Shop;

public class Route
{{
    public static int Limit = {n};

    public Step Find(Request request, List<Rule> rules)
    {{
        foreach (var rule in rules)
        {{
            if (rule.Active)
            {{
                foreach (var step in rule.Steps)
                {{
                    if (step.Allowed() && request.User != null || step.Open)
                    {{
                        if (step.Until != null && step.Until < request.Time)
                        {{
                            continue;
                        }}
                        else if (step.Once)
                        {{
                            return step;
                        }}
                        else
                        {{
                            while (step.Parent != null)
                            {{
                                if (step.Parent.Blocked)
                                {{
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

_FLAT = """namespace Shop;

public static class Words
{
    public static string Word(int number) => number switch
    {
        1 => "one",
        2 => "two",
        _ => number > 9 ? "many" : "few",
    };
}
"""

_CORE = """namespace Shop;

public static class Core
{
    public static string Load(string key)
    {
        if (key != null)
        {
            return key;
        }
        return "";
    }
}
"""

_HOT = "Shop/Route.cs"
_QUIET = {f"Quiet/M{n}.cs": f"namespace Quiet;\nclass M{n} {{ }}\n" for n in range(12)}


def _sync(handler: str, caught: str = "(Exception e)") -> str:
    return f"""namespace Shop;

public class Sync
{{
    public void Push(Order order)
    {{
        try
        {{
            _client.Send(order);
            _client.Commit();
        }}
        catch {caught}
        {{
            {handler}
        }}
    }}
}}
"""


def _test(body: str, attribute: str = "[Fact]") -> str:
    return f"""using Xunit;

namespace Shop.Tests;

public class ParserTests
{{
    {attribute}
    public void Parses_numbers()
    {{
        {body}
    }}
}}
"""


_PARSER = "namespace Shop;\n\npublic static class Parser\n{\n    public static int Parse(string text)\n    {\n        return int.Parse(text);\n    }\n}\n"

EXAMPLES: Mapping[str, Sequence[Example]] = {
    "god_function": [
        Example("deep decisions", {_HOT: _ROUTE.format(n=1)}, (f"{_HOT}:7",), options={"max_cognitive": 20}),
        Example("silent on a flat switch", {"Shop/Words.cs": _FLAT}),
    ],
    "load_bearing_file": [
        Example(
            "used by its namespace, by those below it, and by `using`",
            {
                "Shop/Core.cs": _CORE,
                "Shop/A.cs": 'namespace Shop;\npublic class A { public string F() { return Core.Load("a"); } }\n',
                "Shop/Deep/B.cs": 'namespace Shop.Deep\n{\n    class B { string F() { return Core.Load("b"); } }\n}\n',
                "App/C.cs": 'using Shop;\nnamespace App;\nclass C { string F() { return Core.Load("c"); } }\n',
                "App/D.cs": "using Shop;\nnamespace App;\nclass D { A a; }\n",
            },
            ("Shop/Core.cs:1",),
            options=SMALL_LIMITS,
        ),
        Example(
            "silent on an interface: it holds no logic",
            {
                "Shop/ICore.cs": "namespace Shop;\npublic interface ICore\n{\n"
                + "".join(f"    void F{n}();\n" for n in range(9))
                + "}\n",
                **{f"Shop/A{n}.cs": f"namespace Shop;\nclass A{n} : ICore {{ }}\n" for n in range(5)},
            },
            options=SMALL_LIMITS,
        ),
    ],
    "hidden_coupling": [
        Example(
            "two files that follow each other",
            {_HOT: "namespace Shop;\nclass Route { }\n", "App/Menu.cs": "namespace App;\nclass Menu { }\n"},
            ("App/Menu.cs:1",),
            history=changes((_HOT, "App/Menu.cs"), "// {n}\n"),
        ),
        Example(
            "silent when one uses the other",
            {
                _HOT: "namespace Shop;\nclass Route { }\n",
                "Shop/Menu.cs": "namespace Shop;\nclass Menu : Route { }\n",
            },
            history=changes((_HOT, "Shop/Menu.cs"), "// {n}\n"),
        ),
    ],
    "silent_failure": [
        Example("nothing is done", {"Shop/Sync.cs": _sync("")}, ("Shop/Sync.cs:12",)),
        Example(
            "everything is caught without a name",
            {"Shop/Sync.cs": _sync("return;", "")},
            ("Shop/Sync.cs:12",),
        ),
        Example("silent when it is logged", {"Shop/Sync.cs": _sync("_log.LogError(e);")}),
        Example("silent on a narrow type", {"Shop/Sync.cs": _sync("", "(OperationCanceledException)")}),
    ],
    "hollow_test": [
        Example(
            "a method is called and nothing is checked",
            {"Shop/Parser.cs": _PARSER, "Shop.Tests/ParserTests.cs": _test('Parser.Parse("1");')},
            ("Shop.Tests/ParserTests.cs:7",),
            options={"calls_only": True},
        ),
        Example(
            "silent when the outcome is checked",
            {
                "Shop/Parser.cs": _PARSER,
                "Shop.Tests/ParserTests.cs": _test('Assert.Equal(1, Parser.Parse("1"));'),
            },
            options={"calls_only": True},
        ),
        Example(
            "silent with a fluent check",
            {
                "Shop/Parser.cs": _PARSER,
                "Shop.Tests/ParserTests.cs": _test('Parser.Parse("1").Should().Be(1);', "[Test]"),
            },
            options={"calls_only": True},
        ),
    ],
    "untested_hotspot": [
        hotspot("complex, busy, and no test", _HOT, _ROUTE, _QUIET, reported=True),
        hotspot(
            "silent when a test of a namespace below uses it",
            _HOT,
            _ROUTE,
            {**_QUIET, "Shop.Tests/AllTests.cs": "namespace Shop.Tests;\nclass AllTests { Route route; }\n"},
        ),
    ],
    "import_cycle": [
        Example(
            "silent on files that use each other: the compiler takes them together",
            {
                "Shop/A.cs": "using App;\nnamespace Shop;\npublic class A { B b; }\n",
                "App/B.cs": "using Shop;\nnamespace App;\npublic class B { A a; }\n",
            },
        )
    ],
}
