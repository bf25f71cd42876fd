"""The detectors for any language, in Rust."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crimes.detection.detector import Example
from tests.language_examples.shared import SMALL_LIMITS, changes, hotspot

_ROUTE = """pub const LIMIT: u32 = {n};

pub fn route(request: &Request, rules: &[Rule]) -> Option<Step> {{
    for rule in rules {{
        if rule.active {{
            for step in &rule.steps {{
                if step.allowed && request.user.is_some() || step.open {{
                    if let Some(until) = step.until && until < request.time {{
                        continue;
                    }} else if step.once {{
                        return Some(step.clone());
                    }} else {{
                        while let Some(parent) = step.parent() {{
                            if parent.blocked {{
                                return None;
                            }}
                        }}
                    }}
                }}
            }}
        }}
    }}
    None
}}
"""

_FLAT = """pub fn word(number: u32) -> &'static str {
    match number {
        1 => "one",
        2 => "two",
        n if n > 9 => "many",
        _ => "few",
    }
}
"""

_CORE = """pub fn load(key: &str) -> Option<String> {
    if key.is_empty() {
        return None;
    }
    Some(key.to_string())
}

pub fn save(key: &str) -> Option<String> {
    load(key)
}
"""

_CARGO = {"Cargo.toml": '[package]\nname = "shop"\nedition = "2021"\n'}


def _sync(handler: str) -> str:
    return f"""pub fn push(client: &Client, order: &Order) {{
    match client.commit(order) {{
        Ok(()) => client.done(),
        {handler}
    }}
}}
"""


def _tested(body: str, attribute: str = "#[test]") -> str:
    return f"""pub fn parse(text: &str) -> u32 {{
    text.len() as u32
}}

#[cfg(test)]
mod tests {{
    use super::*;

    {attribute}
    fn numbers() {{
        {body}
    }}
}}
"""


_QUIET = {f"src/quiet{n}.rs": f"pub const N{n}: u32 = {n};\n" for n in range(12)}
_MODULES = "mod route;\n" + "".join(f"mod quiet{n};\n" for n in range(12))

EXAMPLES: Mapping[str, Sequence[Example]] = {
    "god_function": [
        Example(
            "deep decisions",
            {"src/route.rs": _ROUTE.format(n=1)},
            ("src/route.rs:3",),
            options={"max_cognitive": 20},
        ),
        Example("silent on a flat match", {"src/words.rs": _FLAT}),
        Example(
            "silent on tests beside the code",
            {"src/route.rs": "#[cfg(test)]\nmod tests {\n" + _ROUTE.format(n=1) + "}\n"},
        ),
    ],
    "load_bearing_file": [
        Example(
            "used by path, by a declaration and through the crate's root",
            {
                **_CARGO,
                "src/lib.rs": "mod a;\nmod b;\nmod c;\nmod core;\npub use core::save;\npub use c::C;\n",
                "src/core.rs": _CORE,
                "src/a.rs": 'pub fn a() { crate::core::load("a"); }\n',
                "src/b.rs": "use crate::save;\npub fn b() { crate::a::a() }\n",
                "src/c.rs": "pub struct C;\nfn c() { super::b::b() }\n",
            },
            ("src/core.rs:1",),
            options=SMALL_LIMITS,
        ),
        Example(
            "silent on types: they hold no logic",
            {
                **_CARGO,
                "src/lib.rs": "mod core;\n" + "".join(f"mod a{n};\n" for n in range(5)),
                "src/core.rs": "pub struct Core {\n"
                + "".join(f"    pub f{n}: u32,\n" for n in range(9))
                + "}\n",
                **{f"src/a{n}.rs": "use crate::core::Core;\npub struct A(Core);\n" for n in range(5)},
            },
            options=SMALL_LIMITS,
        ),
    ],
    "hidden_coupling": [
        Example(
            "two modules that follow each other",
            {**_CARGO, "src/menu.rs": "pub const N: u32 = 9;\n", "src/route.rs": "pub const N: u32 = 9;\n"},
            ("src/menu.rs:1",),
            history=changes(("src/menu.rs", "src/route.rs"), "pub const N: u32 = {n};\n"),
        ),
        Example(
            "silent when a path connects them",
            {
                **_CARGO,
                "src/lib.rs": "mod menu;\nmod route;\n",
                "src/menu.rs": "pub fn n() -> u32 { super::route::N }\n",
                "src/route.rs": "pub const N: u32 = 9;\n",
            },
            history=changes(("src/menu.rs", "src/route.rs"), "pub const N: u32 = {n};\n"),
        ),
        Example(
            "silent on a module and those below it",
            {
                **_CARGO,
                "src/lib.rs": "mod route;\n",
                "src/route.rs": "pub mod step;\n",
                "src/route/step.rs": "pub struct Step;\n",
            },
            history=changes(("src/route.rs", "src/route/step.rs"), "pub const N: u32 = {n};\n"),
        ),
    ],
    "silent_failure": [
        Example("nothing is done", {"src/sync.rs": _sync("Err(_) => {}")}, ("src/sync.rs:4",)),
        Example(
            "only success is looked at, and the loop goes on",
            {
                "src/sync.rs": "pub fn push(client: &Client, orders: &[Order]) {\n    for order in orders {\n"
                "        if let Err(_) = client.commit(order) {\n            continue;\n        }\n"
                "        client.done();\n    }\n}\n"
            },
            ("src/sync.rs:3",),
        ),
        Example(
            "a result of this repository is thrown away",
            {
                **_CARGO,
                "src/lib.rs": "mod store;\nmod sync;\n",
                "src/store.rs": "pub fn save(order: &str) -> Result<(), String> {\n    Err(order.into())\n}\n",
                "src/sync.rs": "use crate::store::save;\n\npub fn push(order: &str) {\n    let _ = save(order);\n}\n",
            },
            ("src/sync.rs:4",),
        ),
        Example("silent when it is logged", {"src/sync.rs": _sync('Err(e) => warn!("{e}"),')}),
        Example("silent when it is handed on", {"src/sync.rs": _sync("Err(e) => return Err(e.into()),")}),
        Example(
            "silent with a reason",
            {"src/sync.rs": _sync("// The next run sends it again.\n        Err(_) => {}")},
        ),
        Example("silent on a narrow error", {"src/sync.rs": _sync("Err(Error::Closed) => {}")}),
    ],
    "hollow_test": [
        Example(
            "a function beside is called and nothing is checked",
            {"src/lib.rs": _tested('parse("1");')},
            ("src/lib.rs:10",),
            options={"calls_only": True},
        ),
        Example(
            "an integration test that checks nothing",
            {
                **_CARGO,
                "src/lib.rs": "pub fn parse(text: &str) -> u32 {\n    text.len() as u32\n}\n",
                "tests/all.rs": 'use shop::parse;\n\n#[test]\nfn numbers() {\n    parse("1");\n}\n',
            },
            ("tests/all.rs:4",),
            options={"calls_only": True},
        ),
        Example("silent when the outcome is checked", {"src/lib.rs": _tested('assert_eq!(parse("1"), 1);')}),
        Example("silent when a failure is unwrapped", {"src/lib.rs": _tested('parse("1").unwrap();')}),
        Example(
            "silent when a panic is expected",
            {"src/lib.rs": _tested('parse("1");', "#[test]\n    #[should_panic]")},
            options={"calls_only": True},
        ),
    ],
    "untested_hotspot": [
        hotspot(
            "complex, busy, and no test",
            "src/route.rs",
            _ROUTE,
            {**_CARGO, **_QUIET, "src/lib.rs": _MODULES},
            reported=True,
        ),
        Example(
            "silent when its tests stand in the file",
            {
                **_CARGO,
                **_QUIET,
                "src/lib.rs": _MODULES,
                "src/route.rs": _ROUTE.format(n=99)
                + "\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn limit() {\n        assert_eq!(super::LIMIT, 99);\n    }\n}\n",
            },
            history=changes(("src/route.rs",), _ROUTE, "Reword the rules"),
        ),
        hotspot(
            "silent when an integration test uses it through the crate's root",
            "src/route.rs",
            _ROUTE,
            {
                **_CARGO,
                **_QUIET,
                "src/lib.rs": _MODULES + "pub use route::route;\n",
                "tests/all.rs": "use shop::route;\n\n#[test]\nfn none() {\n    assert!(route(&[]).is_none());\n}\n",
            },
        ),
    ],
    "import_cycle": [
        Example(
            "silent on modules that use each other: the compiler takes them together",
            {
                **_CARGO,
                "src/lib.rs": "mod a;\nmod b;\n",
                "src/a.rs": "use crate::b::B;\npub struct A(B);\n",
                "src/b.rs": "use crate::a::A;\npub struct B(Box<A>);\n",
            },
        )
    ],
}
