"""The detectors for any language, in Swift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crimes.detection.detector import Example
from tests.language_examples.shared import SMALL_LIMITS, changes, hotspot

_PACKAGE = {
    "Package.swift": 'let package = Package(name: "Shop", targets: [.target(name: "Shop"), .target(name: "App"), '
    '.testTarget(name: "ShopTests")])\n'
}

_ROUTE = """struct Route {{
    let limit = {n}

    func route(_ request: Request, rules: [Rule]) -> Step? {{
        for rule in rules {{
            if rule.active {{
                for step in rule.steps {{
                    if step.allowed() && request.user || step.open {{
                        if let until = step.until, until < request.time {{
                            continue
                        }} else if step.once {{
                            return step
                        }} else {{
                            while step.parent != nil {{
                                if step.parent.blocked {{
                                    return nil
                                }}
                            }}
                        }}
                    }}
                }}
            }}
        }}
        return nil
    }}
}}
"""

_FLAT = """func word(_ number: Int) -> String {
    switch number {
    case 1: return "one"
    case 2: return "two"
    default: return number > 9 ? "many" : "few"
    }
}
"""

_CORE = """public struct Core {
    public static func load(_ key: String) -> String {
        if !key.isEmpty {
            return key
        }
        return ""
    }
}
"""

_HOT = "Sources/Shop/Route.swift"
_MENU = "Sources/Shop/Menu.swift"
_SYNC = "Sources/Shop/Sync.swift"
_TESTS = "Tests/ShopTests/ParserTests.swift"
_QUIET = {f"Sources/Shop/Quiet/M{n}.swift": f"struct M{n} {{}}\n" for n in range(12)}


def _sync(handler: str, caught: str = "") -> dict[str, str]:
    return {
        _SYNC: f"""final class Sync {{
    func push(_ order: Order) {{
        do {{
            try client.send(order)
            try client.commit()
        }} catch {caught}{{
            {handler}
        }}
    }}
}}
"""
    }


def _dropped(line: str) -> dict[str, str]:
    return {
        _SYNC: f"""func save(_ order: Order) throws {{
    try store.write(order)
}}

func close() throws {{}}

func push(_ order: Order) {{
    {line}
    print(order)
}}
"""
    }


def _test(body: str, head: str = "func testParsesNumbers() throws") -> dict[str, str]:
    return {
        **_PACKAGE,
        "Sources/Shop/Parser.swift": "struct Parser {\n    static func parse(_ text: String) throws -> Int {\n"
        "        return Int(text) ?? 0\n    }\n}\n",
        _TESTS: f"""import XCTest
@testable import Shop

final class ParserTests: XCTestCase {{
    {head} {{
        {body}
    }}
}}
""",
    }


EXAMPLES: Mapping[str, Sequence[Example]] = {
    "god_function": [
        Example("deep decisions", {_HOT: _ROUTE.format(n=1)}, (f"{_HOT}:4",), options={"max_cognitive": 20}),
        Example("silent on a flat switch", {"Sources/Shop/Words.swift": _FLAT}),
    ],
    "load_bearing_file": [
        Example(
            "used in its module, from another, and through a type that uses it",
            {
                **_PACKAGE,
                "Sources/Shop/Core.swift": _CORE,
                "Sources/Shop/A.swift": 'public class A { func a() { Core.load("a") } }\n',
                "Sources/App/B.swift": "import Shop\nstruct B { var core: Core? }\n",
                "Sources/App/C.swift": "import Shop\nextension Shop.Core { func c() {} }\n",
                "Sources/App/D.swift": "import Shop\nclass D: A {}\n",
            },
            ("Sources/Shop/Core.swift:1",),
            options=SMALL_LIMITS,
        ),
        Example(
            "silent on a protocol: it holds no logic",
            {
                "Sources/Shop/Core.swift": "protocol Core {\n"
                + "".join(f"    func f{n}()\n" for n in range(9))
                + "}\n",
                **{f"Sources/Shop/A{n}.swift": f"class A{n}: Core {{}}\n" for n in range(5)},
            },
            options=SMALL_LIMITS,
        ),
    ],
    "hidden_coupling": [
        Example(
            "two files that follow each other",
            {_HOT: "struct Route {}\n", _MENU: "struct Menu {}\n"},
            (f"{_MENU}:1",),
            history=changes((_HOT, _MENU), "// {n}\n"),
        ),
        Example(
            "silent when one uses the other",
            {_HOT: "struct Route {}\n", _MENU: "struct Menu { let route: Route }\n"},
            history=changes((_HOT, _MENU), "// {n}\n"),
        ),
    ],
    "silent_failure": [
        Example("nothing is done", _sync(""), (f"{_SYNC}:6",)),
        Example("the error is named and left alone", _sync("return", "let error "), (f"{_SYNC}:6",)),
        Example("silent when it is logged", _sync("logger.error(error)")),
        Example("silent on a narrow type", _sync("", "is CancellationError ")),
        Example("`try?` and no look", _dropped("try? save(order)"), (f"{_SYNC}:8",)),
        Example("`_ = try?`", _dropped("_ = try? save(order)"), (f"{_SYNC}:8",)),
        Example("silent on cleanup", _dropped("try? close()")),
        Example("silent when the result is used", _dropped("let saved = try? save(order)")),
        Example("silent on what is not ours", _dropped("try? FileManager.default.copy(a, b)")),
        Example(
            "silent on a guard that converts",
            {
                _SYNC: "func push(_ data: Data) -> Row? {\n"
                "    guard let row = try? JSONDecoder().decode(Row.self, from: data) else { return nil }\n"
                "    return row\n}\n"
            },
        ),
    ],
    "hollow_test": [
        Example(
            "a function is called and nothing is checked",
            _test('_ = try Parser.parse("1")'),
            (f"{_TESTS}:5",),
            options={"calls_only": True},
        ),
        Example(
            "the same with Swift Testing",
            _test('_ = try Parser.parse("1")', '@Test("parses numbers") func numbers() throws'),
            (f"{_TESTS}:5",),
            options={"calls_only": True},
        ),
        Example(
            "silent where an error is the outcome: no handler catches a failure that is written down",
            _test('do { _ = try Parser.parse("1"); XCTFail("no error") } catch {}'),
            options={"calls_only": True},
        ),
        Example("silent on XCTAssert", _test('XCTAssertEqual(try Parser.parse("1"), 1)')),
        Example("silent on #expect", _test('#expect(try Parser.parse("1") == 1)')),
        Example("silent on #require", _test('try #require(Parser.parse("1"))')),
        Example("silent on a matcher", _test('expect(try Parser.parse("1")).to(equal(1))')),
        Example(
            "silent on a test that is switched off",
            _test('_ = try Parser.parse("1")', '@Test("parses", .disabled("broken")) func numbers() throws'),
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
                **_PACKAGE,
                **_QUIET,
                "Tests/ShopTests/AllTests.swift": "@testable import Shop\nclass AllTests: XCTestCase {\n"
                "    func testAll() { XCTAssertNotNil(Route()) }\n}\n",
            },
        ),
    ],
    "import_cycle": [
        Example(
            "silent on types that use each other: the compiler takes them together",
            {
                "Sources/Shop/A.swift": "class A { var b: B? }\n",
                "Sources/Shop/B.swift": "class B { var a: A? }\n",
            },
        )
    ],
}
