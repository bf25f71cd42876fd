"""The detectors for any language, in PHP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crimes.detection.detector import Example
from tests.language_examples.shared import SMALL_LIMITS, changes, hotspot

_COMPOSER = {"composer.json": '{"autoload": {"psr-4": {"Shop\\\\": "src/"}}}'}

_ROUTE = """<?php

namespace Shop;

class Route
{{
    public int $limit = {n};

    public function route($request, array $rules)
    {{
        foreach ($rules as $rule) {{
            if ($rule->active) {{
                foreach ($rule->steps as $step) {{
                    if ($step->allowed() && $request->user || $step->open) {{
                        if ($step->until !== null && $step->until < $request->time) {{
                            continue;
                        }} elseif ($step->once) {{
                            return $step;
                        }} else {{
                            while ($step->parent !== null) {{
                                if ($step->parent->blocked) {{
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

_FLAT = """<?php

function word(int $number): string
{
    return match ($number) {
        1 => 'one',
        2 => 'two',
        default => $number > 9 ? 'many' : 'few',
    };
}
"""

_CORE = """<?php

namespace Shop;

class Core
{
    public static function load(string $key): string
    {
        if ($key !== '') {
            return $key;
        }
        return '';
    }
}
"""

_HOT = "src/Route.php"
_QUIET = {f"src/Quiet/M{n}.php": f"<?php\nnamespace Shop\\Quiet;\nclass M{n} {{}}\n" for n in range(12)}


def _sync(handler: str, caught: str = "\\Exception") -> str:
    return f"""<?php

namespace Shop;

class Sync
{{
    public function push($order): void
    {{
        try {{
            $this->client->send($order);
            $this->client->commit();
        }} catch ({caught} $e) {{
            {handler}
        }}
    }}
}}
"""


def _test(body: str) -> str:
    return f"""<?php

namespace Shop\\Tests;

use PHPUnit\\Framework\\TestCase;
use Shop\\Parser;

class ParserTest extends TestCase
{{
    public function testParsesNumbers(): void
    {{
        {body}
    }}
}}
"""


_PARSER = "<?php\n\nnamespace Shop;\n\nclass Parser\n{\n    public static function parse(string $text): int\n    {\n        return (int) $text;\n    }\n}\n"

EXAMPLES: Mapping[str, Sequence[Example]] = {
    "god_function": [
        Example("deep decisions", {_HOT: _ROUTE.format(n=1)}, (f"{_HOT}:9",), options={"max_cognitive": 20}),
        Example("silent on a flat match", {"src/words.php": _FLAT}),
    ],
    "load_bearing_file": [
        Example(
            "used by its namespace, by `use`, and written out in full",
            {
                **_COMPOSER,
                "src/Core.php": _CORE,
                "src/A.php": "<?php\nnamespace Shop;\nclass A { function a() { return Core::load('a'); } }\n",
                "src/App/B.php": "<?php\nnamespace Shop\\App;\nuse Shop\\Core;\nclass B { function b(Core $c) {} }\n",
                "src/App/C.php": "<?php\nnamespace Shop\\App;\nclass C { function c() { return \\Shop\\Core::load('c'); } }\n",
                "src/App/D.php": "<?php\nnamespace Shop\\App;\nuse Shop\\A as First;\nclass D extends First {}\n",
            },
            ("src/Core.php:1",),
            options=SMALL_LIMITS,
        ),
        Example(
            "silent on an interface: it holds no logic",
            {
                "src/Core.php": "<?php\nnamespace Shop;\ninterface Core\n{\n"
                + "".join(f"    public function f{n}();\n" for n in range(9))
                + "}\n",
                **{
                    f"src/A{n}.php": f"<?php\nnamespace Shop;\nclass A{n} implements Core {{}}\n"
                    for n in range(5)
                },
            },
            options=SMALL_LIMITS,
        ),
    ],
    "hidden_coupling": [
        Example(
            "two files that follow each other",
            {_HOT: "<?php\nclass Route {}\n", "src/Menu.php": "<?php\nclass Menu {}\n"},
            ("src/Menu.php:1",),
            history=changes((_HOT, "src/Menu.php"), "<?php // {n}\n"),
        ),
        Example(
            "silent when one uses the other",
            {_HOT: "<?php\nclass Route {}\n", "src/Menu.php": "<?php\nclass Menu extends Route {}\n"},
            history=changes((_HOT, "src/Menu.php"), "<?php // {n}\n"),
        ),
    ],
    "silent_failure": [
        Example("nothing is done", {"src/Sync.php": _sync("")}, ("src/Sync.php:12",)),
        Example("silent when it is logged", {"src/Sync.php": _sync("$this->logger->error($e);")}),
        Example("silent on a narrow type", {"src/Sync.php": _sync("", "NotFoundException")}),
    ],
    "hollow_test": [
        Example(
            "a method is called and nothing is checked",
            {**_COMPOSER, "src/Parser.php": _PARSER, "tests/ParserTest.php": _test("Parser::parse('1');")},
            ("tests/ParserTest.php:10",),
            options={"calls_only": True},
        ),
        Example(
            "silent when the outcome is checked",
            {
                **_COMPOSER,
                "src/Parser.php": _PARSER,
                "tests/ParserTest.php": _test("$this->assertSame(1, Parser::parse('1'));"),
            },
            options={"calls_only": True},
        ),
        Example(
            "silent when an error is expected",
            {
                **_COMPOSER,
                "src/Parser.php": _PARSER,
                "tests/ParserTest.php": _test(
                    "$this->expectException(Broken::class);\n        Parser::parse('x');"
                ),
            },
            options={"calls_only": True},
        ),
    ],
    "untested_hotspot": [
        hotspot("complex, busy, and no test", _HOT, _ROUTE, _QUIET, reported=True),
        hotspot(
            "silent when a test uses it",
            _HOT,
            _ROUTE,
            {
                **_QUIET,
                "tests/AllTest.php": "<?php\nnamespace Shop\\Tests;\nuse Shop\\Route;\nclass AllTest { function testAll() { new Route(); } }\n",
            },
        ),
    ],
    "import_cycle": [
        Example(
            "silent on classes that use each other: they are loaded when first used",
            {
                "src/A.php": "<?php\nnamespace Shop;\nuse Shop\\B;\nclass A { function f(B $b) {} }\n",
                "src/B.php": "<?php\nnamespace Shop;\nuse Shop\\A;\nclass B { function f(A $a) {} }\n",
            },
        ),
        Example(
            "silent on files that run each other: when they use each other is not known",
            {
                "a.php": "<?php\nrequire_once __DIR__ . '/b.php';\nfunction a() { return b(); }\n",
                "b.php": "<?php\nrequire_once __DIR__ . '/a.php';\nfunction b() { return 1; }\n",
            },
        ),
    ],
}
