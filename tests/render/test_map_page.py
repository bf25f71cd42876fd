"""The map page without a browser: what is on it, and what trust keeps off it. `tests/browser` drives it."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from crimes.engine.withholding import without_findings, without_withheld_ranks
from crimes.model.report import Report
from crimes.model.severity import Severity
from crimes.model.trust import Trust
from crimes.render.checkout import Checkout
from crimes.render.formats import render
from tests.kit.reports import TRUST, crime, ranked_files, report


def page_of(made: Report, source: bytes | None = None) -> str:
    return render(made, "html", lambda: Checkout(read=lambda path: source)).decode()


def data_of(page: str) -> Any:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(text)


def shown(page: str) -> str:
    """What stands in the page without its styles, scripts and data."""
    return re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL)


def withholding(*what: str) -> Trust:
    return msgspec.structs.replace(
        TRUST, classification="abstained", withheld=dict.fromkeys(what, "too little was seen")
    )


FILES = ranked_files("src/core.py", "src/shop/cart.py")


def test_trust_comes_before_every_result_and_what_was_not_read_is_there() -> None:
    text = shown(page_of(report(crime(), edit_risk=FILES)))
    assert text.index("Scan trusted") < text.index("Findings") < text.index('id="treemap"')
    assert "1 file not read" in text
    assert "data/big.py" in text
    assert "12 imports unresolved" in text


def test_without_scripts_the_treemap_and_the_tables_are_there() -> None:
    text = shown(page_of(report(crime(), edit_risk=FILES)))
    assert text.count('<rect class="file step-') == 2
    assert "src/shop/cart.py" in text
    assert "run has cognitive complexity 31" in text


def test_a_collapse_lists_no_finding_no_severity_and_no_rank() -> None:
    trust = withholding("findings", "scores", "actions", "edit_risk")
    made = report(crime(severity=Severity.HIGH), edit_risk=FILES, trust=trust)
    made = without_findings(msgspec.structs.replace(made, edit_risk=without_withheld_ranks(FILES, trust)))
    page = page_of(made)
    assert "Scan abstained" in shown(page)
    assert data_of(page)["findings"] == []
    assert not re.search(r"\b(high|medium|low)\b", shown(page).partition("Findings")[2].partition("Trend")[0])
    assert "about 1 in 2" not in page


def test_where_edit_risk_is_withheld_files_are_drawn_by_size_without_a_rank() -> None:
    trust = withholding("edit_risk")
    page = page_of(report(edit_risk=without_withheld_ranks(FILES, trust), trust=trust))
    data = data_of(page)
    rank, risk = data["columns"].index("rank"), data["columns"].index("risk")
    assert [(row[rank], row[risk]) for row in data["files"]] == [(0, None)] * 2
    assert "risk" not in [colouring["key"] for colouring in data["colourings"]]
    assert "No edit risk: too little was seen." in shown(page)


def test_where_advice_is_withheld_the_page_of_a_type_has_none() -> None:
    sections = [section[0] for section in data_of(page_of(report(crime())))["types"]["god_function"]["page"]]
    advice = {"What to do", "Before", "After"}
    assert advice <= {*sections}
    weak = data_of(page_of(report(crime(), trust=withholding("actions"))))["types"]["god_function"]["page"]
    assert not advice & {section[0] for section in weak}


def test_code_is_shown_around_the_line_a_finding_is_about() -> None:
    source = b"\n".join(
        b"\tline %d" % number for number in range(1, 60)
    )  # what all lines are indented by is left out
    (finding,) = data_of(page_of(report(crime(), edit_risk=FILES), source))["findings"]
    first, lines, marked = finding["frame"]
    assert (first, marked) == (8, [10])
    assert lines[:3] == ["line 8", "line 9", "line 10"]


def test_a_finding_outside_of_the_map_keeps_its_path() -> None:
    (finding,) = data_of(page_of(report(crime("docs/guide.md"), edit_risk=FILES)))["findings"]
    assert finding["file"] == "docs/guide.md"


def test_an_empty_repository_has_a_page_that_says_so() -> None:
    text = shown(page_of(report(files=msgspec.structs.replace(report().files, read=0))))
    assert "No source files found." in text
    assert "No findings." in text
