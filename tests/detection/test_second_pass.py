"""Evidence that detectors defer: without it a finding in doubt is hidden, with it the finding is reported."""

from __future__ import annotations

from pathlib import Path

from crimes.detection.detector import Commit, Example
from crimes.detection.registry import catalogue
from crimes.model.report import Crime
from tests.kit.examples import run

BODY = """\
    total, skipped, seen = 0, [], set()
    for row in rows:
        if row.closed or row.key in seen:
            skipped.append(row.key)
            continue
        seen.add(row.key)
        price = row.price * row.amount
        if row.discount:
            price = price - price * row.discount / 100
        elif row.voucher:
            price = max(0, price - row.voucher.value)
        if row.currency != base:
            rate = rates.get(row.currency)
            if rate is None:
                raise LookupError(row.currency)
            price = price * rate
        while price > limit:
            total = total + limit
            price = price - limit
        try:
            tax = taxes[row.country]
        except KeyError:
            tax = taxes["default"]
        if row.is_gift:
            tax = 0
        price = price + price * tax
        if row.shipping and not row.is_digital:
            price = price + row.shipping
        if price < 0:
            log.warning("negative price %s", row.key)
            price = 0
        total = total + price
    if skipped:
        log.info("skipped %s", ", ".join(skipped))
    return total, len(seen)
"""
COPIES = {
    f"{name}.py": f"def {verb}(rows, base, limit, rates, taxes, log):\n{BODY}"
    for name, verb in (("ledger", "sum_up"), ("checkout", "price_of_cart"))
}


def crime(detector: str, files: dict[str, str], folder: Path, *history: Commit) -> tuple[Crime, bool]:
    """The one finding of a detector, and whether it is reported."""
    report = run(catalogue()[detector], Example("made by hand", files, history=history), folder)
    (only,) = (*report.findings, *report.hidden)
    return only, bool(report.findings)


def test_copy_that_no_commit_edited_is_in_doubt_until_its_files_change_together(tmp_path: Path) -> None:
    begin = Commit("Begin", COPIES, days_ago=200)
    apart = [
        Commit(f"Note {n}", {f"{name}.py": text + f"\n\nNOTE = {n}\n"}, days_ago=90 - n)
        for n in range(3)
        for name, text in (("ledger", COPIES["ledger.py"]),)
    ]
    found, reported = crime("cloned_logic", {"notes.txt": "x"}, tmp_path / "apart", begin, *apart)
    assert not reported
    assert found.confidence_trace.endswith("a second pass found no more evidence")
    together = [
        Commit(
            f"Note {n}",
            {path: text + f"\n\nNOTE_{path[:3].upper()} = {n}\n" for path, text in COPIES.items()},
            days_ago=90 - n,
        )
        for n in range(3)
    ]
    found, reported = crime("cloned_logic", {"notes.txt": "x"}, tmp_path / "together", begin, *together)
    assert reported
    assert found.confidence_signals[-1].source == "files change together"
    assert "before a second pass" in found.confidence_trace


TANGLED = "def route(rows, a, b):\n" + "".join(
    f"    for row{n} in rows:\n        if row{n} and a > {n}:\n            if b or row{n} < {n}:\n"
    f"                while a:\n                    if row{n} == b:\n                        a = a - {n}\n"
    for n in range(9)
)


def edited_history(code: str) -> tuple[Commit, ...]:
    """A commit that adds the code, and five that change it without a word of a fix."""
    versions = [code.replace(f"if row{n}", f"if not row{n}") for n in (3, 4, 5, 6, 7)]
    return tuple(
        Commit(f"Ask another way, step {n}", {"router.py": text}, days_ago=900 - 120 * n)
        for n, text in enumerate((*versions, code))
    )


def test_quiet_tangle_is_in_doubt_until_a_comment_admits_it(tmp_path: Path) -> None:
    found, reported = crime("god_function", {"notes.txt": "x"}, tmp_path / "quiet", *edited_history(TANGLED))
    assert not reported
    admitted = TANGLED.replace(
        "        if row3", "        # FIXME: this breaks for rows without a price\n        if row3"
    )
    found, reported = crime(
        "god_function", {"notes.txt": "x"}, tmp_path / "admitted", *edited_history(admitted)
    )
    assert reported
    assert (
        found.confidence_signals[-1].reason
        == 'a comment at line 21 admits it: "FIXME: this breaks for rows without a price"'
    )


def test_placeholder_in_a_path_is_no_admission(tmp_path: Path) -> None:
    text = TANGLED.replace(
        "        if row3", "        # /PREFIX/XXX resolves to /prefix/xxx\n        if row3"
    )
    assert not crime("god_function", {"notes.txt": "x"}, tmp_path, *edited_history(text))[1]


def test_few_common_commits_are_in_doubt_until_older_ones_confirm_them(tmp_path: Path) -> None:
    def both(n: int, days_ago: int) -> Commit:
        files = {f"shop/{name}.py": f"def {name}(x):\n    return x + {n}\n" for name in ("alpha", "omega")}
        return Commit(f"Change {n}", files, days_ago=days_ago)

    recent = [both(n, 200 - n) for n in range(4)]
    begin = Commit("Begin", {"shop/__init__.py": ""}, days_ago=900)
    found, reported = crime("hidden_coupling", {"notes.txt": "x"}, tmp_path / "recent", begin, *recent)
    assert not reported
    older = [both(n, 700 - n) for n in range(10, 14)]
    found, reported = crime("hidden_coupling", {"notes.txt": "x"}, tmp_path / "older", begin, *older, *recent)
    assert reported
    assert found.confidence_signals[-1].reason == (
        "8 of the newest 8 commits to shop/alpha.py changed shop/omega.py as well"
    )
