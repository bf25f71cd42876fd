"""What findings say: facts with their moment, advice that fits the code, evidence as values."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from crimes.detection.detector import Commit, Example
from crimes.detection.registry import catalogue
from crimes.model.report import Crime
from tests.kit.examples import run


def only_finding(id_: str, folder: Path, example: Example) -> Crime:
    [crime] = run(catalogue()[id_], example, folder / "repo").findings
    return crime


def finding_in(id_: str, folder: Path, files: Mapping[str, str]) -> Crime:
    return only_finding(id_, folder, Example("", files, ("any",)))


def finding_of(id_: str, title_part: str, folder: Path) -> Crime:
    examples = catalogue()[id_].examples
    return only_finding(id_, folder, next(example for example in examples if title_part in example.title))


PRICES = "from shop.cart import total, MAX\n\nLIMIT = total\n\ndef price_of(item):\n    return item.price\n\ndef rounded(value):\n    return MAX\n"
CART = "from shop.price import price_of\n\nMAX = 3\n\n{use}"
LATE = "Move `price_of` to a file that imports neither, or import it inside the function that needs it."
QUOTED = "Import `price_of` under `TYPE_CHECKING` and quote it in annotations: nothing else here needs it."
MOVED = "Move `price_of` to a file that imports neither."


@pytest.mark.parametrize(
    ("use", "fix"),
    [
        pytest.param("def total(cart):\n    return price_of(cart)\n", LATE, id="in a function"),
        pytest.param(
            "@deco(1)\ndef total(\n    cart,\n):\n    return price_of(cart)\n", LATE, id="in a body"
        ),
        pytest.param("total = lambda cart: price_of(cart)\n", LATE, id="in a lambda"),
        pytest.param("total = price_of\n", MOVED, id="at module level"),
        pytest.param("class Cart:\n    total = price_of\n\ntotal = 1\n", MOVED, id="in a class body"),
        pytest.param("@price_of\ndef total(cart):\n    return cart\n", MOVED, id="as a decorator"),
        pytest.param("def total(\n    cart=price_of(1),\n):\n    return cart\n", MOVED, id="as a default"),
        pytest.param("def total(cart: price_of):\n    return cart\n", QUOTED, id="as a type"),
        pytest.param(
            "def total(cart: price_of):\n    return price_of(cart)\n", MOVED, id="as a type and in a body"
        ),
        pytest.param(
            "class Cart:\n    price_of: int\n\ndef total(price_of=1):\n    return price_of\n",
            LATE,
            id="as a field and a parameter",
        ),
        pytest.param("for price_of in ():\n    total = 1\n", LATE, id="as a target"),
    ],
)
def test_import_cycle_moves_an_import_into_a_function_only_where_load_does_not_need_it(
    use: str, fix: str, tmp_path: Path
) -> None:
    files = {"shop/__init__.py": "", "shop/price.py": PRICES, "shop/cart.py": CART.format(use=use)}
    crime = finding_in("import_cycle", tmp_path, files)
    assert crime.file == "shop/cart.py"
    assert crime.fix == fix


def test_import_cycle_moves_no_name_that_has_a_file_of_its_own(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/cart.py": "from shop.price import price_of, rounded\n\ntotal = price_of\n",
        "shop/price.py": "from shop.cart import total\n\nprice_of = total\n\ndef rounded(value):\n    return value\n",
    }
    crime = finding_in("import_cycle", tmp_path, files)
    assert crime.fact == (
        "2 files form an import cycle: shop/price.py → shop/cart.py → shop/price.py, "
        "and `shop/price.py` uses `total` from `shop/cart.py` while it is loaded."
    )
    assert crime.fix == "Merge `shop/price.py` and `shop/cart.py`: the one needs the other to load."


def test_import_cycle_calls_a_name_used_only_where_it_is_used_on_load(tmp_path: Path) -> None:
    late = CART.format(use="def total(cart):\n    return price_of(cart)\n")
    prices = PRICES.replace("LIMIT = total\n\n", "")
    files = {"shop/__init__.py": "", "shop/price.py": prices, "shop/cart.py": late}
    crime = finding_in("import_cycle", tmp_path, files)
    assert crime.fact.endswith("and `shop/cart.py` needs `price_of` from `shop/price.py` while it is loaded.")


def test_import_cycle_names_all_imports_that_have_to_go(tmp_path: Path) -> None:
    files = {
        "a.py": "import b\nimport c\n\nstart = b.run()\n",
        "b.py": "import a\n\ndef run():\n    return a.start\n",
        "c.py": "import a\n\ndef run():\n    return a.start\n",
    }
    crime = finding_in("import_cycle", tmp_path, files)
    assert crime.fact == (
        "3 files import each other, for example b.py → a.py → b.py, and `a.py` uses `b.py` while it is loaded."
    )
    assert crime.fix.endswith(" Cut the import of `c.py` in `a.py` as well: then no cycle is left.")
    assert crime.evidence["cuts_that_break_all"].value == 2


def test_import_cycle_that_no_three_cuts_break_names_the_file_to_split(tmp_path: Path) -> None:
    spokes = [f"part{n}" for n in range(5)]
    imports = "".join(f"from shop.{name} import {name}\n" for name in spokes) + "LIMIT = 3\n"
    files = {f"shop/{name}.py": f"import shop.hub\n\n{name} = shop.hub\n" for name in spokes}
    crime = finding_in("import_cycle", tmp_path, {"shop/__init__.py": "", "shop/hub.py": imports, **files})
    assert crime.fix == (
        "To break every cycle, at least 5 imports have to go. Start with `shop/hub.py`: "
        "move what the other files import from it to a new file that imports none of them. Then no cycle is left."
    )


def test_import_cycle_splits_no_file_that_only_passes_names_on(tmp_path: Path) -> None:
    parts = [f"part{n}" for n in range(5)]
    files = {
        f"src/{name}.ts": f"import {{ {other} }} from './index';\nexport const {name} = [{other}];\n"
        for name, other in zip(parts, parts[1:] + parts[:1], strict=True)
    }
    files |= {"src/index.ts": "".join(f"export {{ {name} }} from './{name}';\n" for name in parts)}
    crime = finding_in("import_cycle", tmp_path, files)
    assert crime.fix == (
        "To break every cycle, at least 5 imports have to go. Start with `src/index.ts`, which only passes on names: "
        "let these files import each name from the file that defines it."
    )


def test_stale_instruction_groups_what_lies_below_one_missing_folder(tmp_path: Path) -> None:
    files = {
        "AGENTS.md": "Read [start](manual/start.md) and [tax](manual/deep/tax.md).\n",
        "README.md": "Read [start](manual/start.md).\n",
        "src/app.py": "print(1)\n",
    }
    crime = finding_in("stale_instruction", tmp_path, files)
    assert crime.fact == (
        "`AGENTS.md` links to 2 paths in `manual/`, which does not exist (3 mentions in 2 documents)."
    )
    assert [(place.file, place.lines.start) for place in crime.related] == [
        ("AGENTS.md", 1),
        ("README.md", 1),
    ]


def test_fixes_name_their_year_and_are_quoted_without_decoration(tmp_path: Path) -> None:
    example = next(example for example in catalogue()["repeat_offender"].examples if example.finds)
    last = Commit(
        "fix(total): round the discount of every gift that a customer sends back before it was paid (#1234)",
        {"shop/total.py": example.files["shop/total.py"] + "\n"},
        days_ago=1,
    )
    decorated = Example("", example.files, example.finds, history=(*example.history, last))
    crime = only_finding("repeat_offender", tmp_path, decorated)
    assert crime.fact == (
        "6 of the 8 commits to this file in the year before 2025-06-01 are fixes, while most files of its size have none; "
        "the latest are “round the discount of every gift that a customer sends back…” and “Fix rounding of case 4”."
    )
    newest = crime.evidence["fixes"].items[0]
    assert (newest["date"], newest["subject"]) == ("2025-05-31", last.message)
    shown = f"{str(newest['sha'])[:7]} round the discount of every gift that a customer sends back…"
    assert shown in crime.evidence["fixes"].value  # type: ignore[operator]


def test_hotspot_names_the_moment_of_its_counts_and_no_empty_ones(tmp_path: Path) -> None:
    busy = finding_of("untested_hotspot", "a complex Python file", tmp_path / "busy")
    assert "; it has 7 commits in the 90 days before 2025-06-01, and `route` has" in busy.fact
    fixed = finding_of("untested_hotspot", "without tests", tmp_path / "fixed")
    assert fixed.fact.startswith(
        "This repository has no tests; this file has 8 commits in the 90 days and 7 fixes in the year before 2025-06-01, and"
    )
    last = fixed.evidence["last_fixes"]
    assert last.value == tuple(item["subject"] for item in last.items)
    assert [set(item) for item in last.items] == [{"sha", "date", "subject"}] * 3


def test_load_bearing_file_names_what_must_stay_compatible(tmp_path: Path) -> None:
    crime = finding_of("load_bearing_file", "", tmp_path)
    assert crime.fix == (
        "Add rather than change, keep `load` and `save` compatible, and run the tests of the files that import it."
    )
    names = crime.evidence["most_imported_names"]
    assert names.value == tuple(f"{item['name']} ({item['importers']})" for item in names.items)
    assert names.items


def test_package_that_another_one_brings_along_is_to_be_declared(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["flask"]\n',
        "uv.lock": '[[package]]\nname = "flask"\n\n[[package]]\nname = "fastrates"\n',
        "shop/page.py": "import fastrates\n\nprint(fastrates)\n",
    }
    crime = finding_in("phantom_import", tmp_path, files)
    assert crime.fact == "1 file imports `fastrates`, but pyproject.toml does not declare it."
    assert crime.why.startswith("It is installed only because another package depends on it (uv.lock)")
    assert crime.fix == "Declare `fastrates` in pyproject.toml."


def test_drifted_dependencies_are_values_too(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[tool.poetry.dependencies]\nrich = "^14"\ntyper = "^0.15"\n',
        "poetry.lock": '[[package]]\nname = "rich"\nversion = "13.9.0"\n',
    }
    crime = finding_in("manifest_drift", tmp_path, files)
    assert crime.fact == (
        "poetry.lock does not match pyproject.toml in 2 dependencies: "
        "rich is locked at 13.9.0, but ^14 is required; typer (^0.15) is not locked."
    )
    assert crime.evidence["drifted"].items == (
        {"name": "rich", "required": "^14", "locked": "13.9.0"},
        {"name": "typer", "required": "^0.15", "locked": ""},
    )


def test_stale_mention_offers_the_closest_name(tmp_path: Path) -> None:
    files = {
        "AGENTS.md": "Read `billing/tax.py` first, then `billing/tax.py` again.\n",
        "pricing/tax.py": "RATE = 1\n",
        "billing/rates.py": "RATE = 1\n",
    }
    crime = finding_in("stale_instruction", tmp_path, files)
    assert crime.fact == "`AGENTS.md` names `billing/tax.py`, which does not exist (2 mentions)."
    assert (
        crime.fix == "Change it to `pricing/tax.py` if that is what is meant; otherwise remove the mention."
    )


def test_discarded_error_is_not_told_to_catch_a_type(tmp_path: Path) -> None:
    code = (
        "package shop\n\nfunc save(order string) error {\n\treturn store(order)\n}\n\n"
        "func finish(order string) {\n\t_ = save(order)\n}\n"
    )
    crime = finding_in("silent_failure", tmp_path, {"go.mod": "module shop\n", "shop/order.go": code})
    assert crime.fact == "The error of `save` is discarded: a failed write goes unnoticed."
    assert crime.fix == "Check the error and return or log it, or state in a comment why it may be ignored."


_C_BRANCH = (
    "    if (x > {n}) {{\n        for (int i = 0; i < x; i++) {{\n            if (i % 2 && x) {{\n                while (i < y) {{\n"
    "                    if (y == {n}) {{ y++; }} else {{ x--; }}\n                }}\n            }}\n        }}\n    }}\n"
)


def test_god_function_names_a_function_that_a_macro_defines(tmp_path: Path) -> None:
    body = "".join(_C_BRANCH.format(n=n) for n in range(6))
    crime = finding_in(
        "god_function",
        tmp_path,
        {"src/command.c": f"COMMAND_CALLBACK(buffer)\n{{\n{body}    return 1;\n}}\n"},
    )
    assert crime.symbol == "COMMAND_CALLBACK(buffer)"
    assert crime.fact.startswith("`COMMAND_CALLBACK(buffer)` has a cognitive complexity of")


@pytest.mark.parametrize(
    ("path", "head", "arm"),
    [
        (
            "src/step.rs",
            "fn step(x: i32, y: i32) {{\n    match x {{\n{}    }}\n}}\n",
            "{n} => {{",
        ),
        (
            "src/Step.kt",
            "fun step(x: Int, y: Int) {{\n    when (x) {{\n{}    }}\n}}\n",
            "{n} -> {{",
        ),
    ],
)
def test_god_function_does_not_call_an_arm_by_a_word_that_its_language_lacks(
    path: str, head: str, arm: str, tmp_path: Path
) -> None:
    inner = _C_BRANCH.replace("for (int i = 0; i < x; i++)", "while (i < x)")
    arms = "".join(arm.format(n=n) + "\n" + inner.format(n=n) * 2 + "}\n" for n in range(3))
    crime = finding_in("god_function", tmp_path, {path: head.format(arms)})
    assert crime.fix.startswith("Extract the body of the arm at line 3 into ")


@pytest.mark.parametrize(
    ("path", "code", "fix"),
    [
        (
            "a.py",
            "ok = x == 'a\u200bb'\n",
            "Remove the hidden characters, or write them as escapes such as `\\u200b`.",
        ),
        (
            "a.php",
            "<?php\n$ok = $x == 'a\u200bb';\nrun($ok);\n",
            "Remove the hidden characters, or write them as escapes such as `\\u{200b}` in double quotes.",
        ),
    ],
)
def test_hidden_text_names_an_escape_that_the_language_knows(
    path: str, code: str, fix: str, tmp_path: Path
) -> None:
    assert finding_in("hidden_text", tmp_path, {path: code}).fix == fix


def test_manifest_drift_of_a_workspace_counts_all_differences_of_a_member(tmp_path: Path) -> None:
    examples = catalogue()["manifest_drift"].examples
    example = next(example for example in examples if "member of a workspace" in example.title)
    second = run(catalogue()["manifest_drift"], example, tmp_path / "repo").findings[1]
    assert "does not match packages/b/package.json in 2 dependencies:" in second.fact
    assert second.why.startswith("Installs use what is locked")


def test_repeat_offender_quotes_a_subject_once(tmp_path: Path) -> None:
    example = next(example for example in catalogue()["repeat_offender"].examples if "five" in example.title)
    history = tuple(
        Commit("Fix rounding", commit.files, commit.days_ago) if "case" in commit.message else commit
        for commit in example.history
    )
    same = Example("", example.files, example.finds, history=history)
    assert only_finding("repeat_offender", tmp_path, same).fact.endswith("; the latest is “Fix rounding”.")
