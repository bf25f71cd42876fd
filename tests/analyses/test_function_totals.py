"""What the functions of a file come to."""

from __future__ import annotations

from crimes.analyses.function_totals import TOTALS, Totals
from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.model.facts import Role
from crimes.model.repository import File
from tests.kit.built_repo import context

WITH_TESTS = b"""fn hard(a: i32, b: i32) -> i32 {
    if a > b {
        if b > 1 {
            return 1;
        }
    }
    0
}

fn easy() -> i32 {
    2
}

#[cfg(test)]
mod tests {
    fn harder(a: i32) -> i32 {
        if a > 1 { if a > 2 { if a > 3 { return 4; } } }
        a
    }
}
"""
ONLY_TESTS = WITH_TESTS[WITH_TESTS.index(b"#[cfg") :]


def test_test_functions_in_source_files_do_not_count() -> None:
    files = {"src/a.rs": WITH_TESTS, "src/b.rs": ONLY_TESTS, "src/c.rs": b"const A: i32 = 1;\n"}
    made = context(
        File(path, Role.SOURCE, read_facts(by_id["rust"], content)) for path, content in files.items()
    )
    assert made[TOTALS] == {
        "src/a.rs": Totals(cognitive=3, hardest=3, logic=11, longest=8),
        "src/b.rs": Totals(),
    }
