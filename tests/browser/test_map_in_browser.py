"""The map in a real browser: zoom, search, colours, files, links, keys, dark, narrow, without scripts, and hostile repositories."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api")

from playwright.sync_api import Browser, Page, expect  # noqa: E402

from crimes.render.formats import render  # noqa: E402
from tests.kit.browser import CHROMIUM, LEFT_OUT, chromium, opened, write_map  # noqa: E402
from tests.kit.gitrepo import GitRepo  # noqa: E402
from tests.kit.sample_code import tangled  # noqa: E402
from tests.kit.sample_history import build, names  # noqa: E402

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason=LEFT_OUT)
PROJECT = Path(__file__).parents[2]
COLOURS = ["risk", "complexity", "commits", "fixes", "gap", "reach", "owner", "age"]
expect.set_options(timeout=15_000)  # a busy machine is no fault of the page
PHONE = {"width": 390, "height": 844}
PAPER = {"width": 700, "height": 990}  # A4 within its margins


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CRIMES_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The map of a sample repository."""
    folder = tmp_path_factory.mktemp("service")
    return write_map(build("python_service", folder), folder / "map.html")


def state_of(page: Page) -> str:
    return str(page.evaluate("decodeURIComponent(location.hash)"))


def focus_of(page: Page) -> str:
    return str(
        page.evaluate(
            "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
        )
    )


@pytest.mark.parametrize("name", names())
def test_every_sample_can_be_looked_at(browser: Browser, tmp_path: Path, name: str) -> None:
    file = write_map(build(name, tmp_path), tmp_path / "map.html")
    with opened(browser, file) as page:
        expect(page.locator("h1")).to_have_text(name)
        assert page.locator(".trust").bounding_box()["y"] < page.locator("#treemap").bounding_box()["y"]  # type: ignore[index]
        assert page.locator("#treemap rect.file").count() > 5
        for colour in COLOURS:
            page.select_option("#colour", colour)
            assert page.locator("#treemap rect.file:not(.none)").count() > 3
            assert page.locator("#legend .swatch").count() >= 2
        page.locator("#files-table button.path").first.click()
        expect(page.locator("#panel")).to_contain_text("Edit risk")
        assert page.locator("#findings-list details.type").count() > 0


def test_zoom_search_colour_file_and_link_are_in_the_address(browser: Browser, service: Path) -> None:
    with opened(browser, service) as page:
        page.get_by_text("payments", exact=True).first.click(force=True)  # the name of a folder on the map
        assert "folder=src/tollgate/payments" in state_of(page)
        expect(page.locator("#crumbs")).to_contain_text("payments")
        expect(page.locator("#files-table caption")).to_contain_text("in src/tollgate/payments")
        page.locator("#crumbs button").first.click()
        assert "folder" not in state_of(page)
        page.fill("#search", "webhook")
        expect(page.locator("#files-table caption")).to_have_text("1 file")
        assert page.locator("#treemap rect.file:not(.dim)").count() == 1
        page.select_option("#colour", "reach")
        expect(page.locator("#legend")).to_contain_text("files depend on it")
        page.locator("#treemap rect.file:not(.dim)").click()
        expect(page.locator(".panel-title")).to_have_text("webhook.py")
        for part in (
            "Length",
            "Complexity",
            "Recent commits",
            "Past fixes",
            "Churn",
            "Blast radius",
            "Twelve months",
            "Owners",
        ):
            expect(page.locator("#panel")).to_contain_text(part)
        expect(page.locator("#panel pre.code .row.hit").first).to_be_visible()
        expect(page.locator("#panel .command code").first).to_contain_text("crimes ignore")
        address = page.url
        page.locator("#panel .part", has_text="Imports").locator("button.path").first.click()
        expect(page.locator(".panel-title")).not_to_have_text("webhook.py")
        page.go_back()
        expect(page.locator(".panel-title")).to_have_text("webhook.py")
    with opened(browser, service, "#" + address.partition("#")[2]) as page:
        expect(page.locator(".panel-title")).to_have_text("webhook.py")
        assert page.locator("#search").input_value() == "webhook"
        assert page.locator("#colour").input_value() == "reach"


def test_all_of_it_can_be_used_with_keys_alone(browser: Browser, service: Path) -> None:
    with opened(browser, service) as page:
        page.keyboard.press("Tab")
        assert focus_of(page) == "Skip to the map"
        page.keyboard.press("Enter")
        for _ in range(12):
            page.keyboard.press("Tab")
            if focus_of(page).startswith("Folder"):
                break
        assert focus_of(page).startswith("Folder src/tollgate, ")
        ring = page.evaluate("getComputedStyle(document.activeElement.querySelector('.ring')).strokeWidth")
        assert ring == "3.5px"
        page.keyboard.press("Enter")
        assert "folder=src/tollgate" in state_of(page)
        before = focus_of(page)
        page.keyboard.press("ArrowRight")
        assert focus_of(page) != before
        page.keyboard.press("ArrowLeft")
        assert focus_of(page) == before
        for _ in range(20):  # to a file
            if not focus_of(page).startswith("Folder"):
                break
            page.keyboard.press("ArrowRight")
        chosen = focus_of(page)
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "panel"
        page.keyboard.press("Escape")
        assert focus_of(page) == chosen
        assert "file=" not in state_of(page)
        page.keyboard.press("Escape")
        assert focus_of(page).startswith("Folder src/tollgate, ")
        assert "folder=" not in state_of(page)


def test_findings_sort_filter_and_show_the_page_of_their_type(browser: Browser, service: Path) -> None:
    with opened(browser, service) as page:
        groups = page.locator("#findings-list details.type")
        everything = groups.count()
        page.fill("#findings-search", "god_function")
        expect(groups).to_have_count(1)
        groups.locator(".about summary").click()
        expect(groups).to_contain_text("Why it matters")
        expect(groups).to_contain_text("What to do")
        groups.locator(".details-row summary").first.click()
        expect(groups.locator("pre.code .row.hit")).to_be_visible()
        expect(groups.locator(".command code")).to_contain_text("crimes ignore 40c7524")
        page.fill("#findings-search", "nothing like this")
        expect(page.locator("#findings-list")).to_contain_text("No finding matches.")
        page.fill("#findings-search", "")
        page.select_option("#findings-severity", "medium")
        assert 0 < groups.count() < everything
        page.locator("#files-table th button", has_text="Lines").click()
        lines = [
            int(cell.replace(",", ""))
            for cell in page.locator("#files-table tbody td:nth-child(4)").all_text_contents()
        ]
        assert lines == sorted(lines, reverse=True)


def test_the_heading_that_sorts_keeps_the_focus(browser: Browser, service: Path) -> None:
    """Each press draws the table anew: whoever uses keys alone has to be able to press it again."""
    with opened(browser, service) as page:
        for table in ("#files-table", "#findings-list details.type"):
            heading = page.locator(f"{table} thead").first.locator("th").nth(1)
            heading.locator("button").focus()
            page.keyboard.press("Enter")
            first = heading.get_attribute("aria-sort")
            assert first in ("ascending", "descending")
            page.keyboard.press("Enter")
            assert heading.get_attribute("aria-sort") in {"ascending", "descending"} - {first}
            assert heading.evaluate("node => node.contains(document.activeElement)")


def test_the_files_need_no_scrolling_sideways_on_a_laptop(browser: Browser, service: Path) -> None:
    with opened(browser, service, viewport={"width": 1024, "height": 800}) as page:
        beyond = page.evaluate(
            "((room) => room.scrollWidth - room.clientWidth)(document.querySelector('#files-table .scroll'))"
        )
        assert beyond == 0


def test_a_file_begins_at_the_top_of_its_panel(browser: Browser, service: Path) -> None:
    with opened(browser, service, viewport={"width": 1280, "height": 600}) as page:
        cells = page.locator("#treemap rect.file")
        cells.nth(0).click(force=True)
        page.evaluate("document.querySelector('#panel').scrollTop = 200")
        assert page.evaluate("document.querySelector('#panel').scrollTop") > 0
        page.select_option("#colour", "age")
        assert page.evaluate("document.querySelector('#panel').scrollTop") > 0, "it is the same file"
        cells.nth(5).click(force=True)
        assert page.evaluate("document.querySelector('#panel').scrollTop") == 0


def test_dark_light_and_the_switch(browser: Browser, service: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    with opened(browser, service, color_scheme="light") as page:
        light = page.evaluate(ground)
    with opened(browser, service, color_scheme="dark") as page:
        dark = page.evaluate(ground)
        assert dark != light
        page.click("#theme")
        assert page.evaluate(ground) == light
        assert "theme=light" in state_of(page)
        page.click("#theme")
        assert page.evaluate(ground) == dark


def test_a_phone_shows_it_without_scrolling_sideways(browser: Browser, service: Path) -> None:
    with opened(browser, service, viewport=PHONE, has_touch=True) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        box, panel = page.locator("#treemap").bounding_box(), page.locator("#panel").bounding_box()
        assert box is not None
        assert panel is not None
        assert box["width"] > 340
        assert panel["y"] > box["y"] + box["height"] - 1
        nodes = page.evaluate(
            "[...document.querySelectorAll('#graph .node rect')].map((n) => n.getBoundingClientRect().toJSON())"
        )
        first = min(nodes, key=lambda node: (node["top"], node["left"]))
        assert first["left"] >= 0, "the top of the graph is in sight"
        assert first["right"] <= PHONE["width"]
        page.locator("#treemap rect.file").first.tap(force=True)
        expect(page.locator("#panel")).to_contain_text("Risk profile")
        expect(page.locator(".panel-title")).to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        page.get_by_label("Close the file").tap()
        expect(page.locator("#treemap .cell").first).to_be_in_viewport()


def test_without_scripts_the_map_and_the_tables_remain(browser: Browser, service: Path) -> None:
    with opened(browser, service, java_script_enabled=False) as page:
        assert page.locator("#treemap rect.file").count() > 20
        expect(page.locator("#files-table tbody tr").first).to_be_visible()
        expect(page.locator("#findings-list tbody tr").first).to_be_visible()
        expect(page.locator("#graph .node").first).to_be_visible()
        expect(page.locator("#colour")).to_be_hidden()
        expect(page.locator("#panel")).to_be_hidden()


def test_paper_has_the_map_and_no_controls(browser: Browser, service: Path) -> None:
    with opened(browser, service, color_scheme="dark") as page:
        page.emulate_media(media="print")
        expect(page.locator("nav.sections")).to_be_hidden()
        expect(page.locator("#colour")).to_be_hidden()
        expect(page.locator("#treemap")).to_be_visible()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert len(page.pdf()) > 10_000


def test_no_table_is_cut_at_the_edge_of_the_paper(browser: Browser, service: Path) -> None:
    with opened(browser, service, viewport=PAPER) as page:
        page.emulate_media(media="print")
        tables = page.evaluate(
            "[...document.querySelectorAll('table')].map((t) => t.getBoundingClientRect().right)"
        )
        assert len(tables) > 3
        assert max(tables) <= PAPER["width"]
        heights = page.evaluate(
            "[...document.querySelectorAll('#files-table tbody tr')].map((r) => r.clientHeight)"
        )
        assert max(heights) < 60, "no name is squeezed into a column of two letters"
        page.evaluate(
            "document.querySelector('#treemap').setAttribute('height', 1500)"
        )  # as on a large screen
        drawn, shown = page.evaluate(
            "((map) => [map.viewBox.baseVal, map.getBoundingClientRect()].map((box) => box.width / box.height))(document.querySelector('#treemap'))"
        )
        assert abs(shown / drawn - 1) < 0.02, "no empty strips above and below the map"


def test_readers_get_names_captions_and_tables_behind_the_pictures(browser: Browser, service: Path) -> None:
    with opened(browser, service) as page:
        unnamed = "[...document.querySelectorAll('#treemap .cell, #graph .node, svg[role=img]')].filter((n) => !n.getAttribute('aria-label')).length"
        assert page.evaluate(unnamed) == 0
        assert page.locator("table").count() == page.locator("table > caption").count()
        assert page.evaluate(
            "[...document.querySelectorAll('select, input')].every((n) => n.labels.length === 1)"
        )
        page.locator("#imports summary").click()
        rows = page.locator("#imports tbody tr").count()
        assert rows == page.locator("#graph .node").count() > 3
        expect(page.locator("#announcement")).to_contain_text("item")
        page.locator("#graph .node").first.focus()
        assert page.locator("#graph .edge.near").count() > 0
        page.keyboard.press("Enter")
        assert "folder=" in state_of(page)


HOSTILE_FILE = '<img src=x onerror="window.PWNED=1">.py'
HOSTILE_TEXT = "</script><script>window.PWNED=1</script><b>\u202egnp"


def hostile_repository(path: Path) -> GitRepo:
    made = GitRepo(path / "<script>window.PWNED=1<" / "s&cript>")
    author = f"{'A' * 10_000} <a@example.org>"
    code = tangled("a") + f'    """{HOSTILE_TEXT}"""\n    return "</script><svg onload=alert(1)>"\n'
    files = {
        f"src/{HOSTILE_FILE}": code,
        "src/'\">x/\u202ebidi.py": tangled("b"),
        f"{'n' * 240}.py": "x = 1\n",
        "src/__init__.py": "",
    }
    made.commit(files, "Begin", days_ago=200)
    for days in (90, 60, 30, 20, 10):
        made.commit(
            {f"src/{HOSTILE_FILE}": f"{code}# {days}\n"},
            f"Fix {HOSTILE_TEXT} {'s' * 10_000}",
            days_ago=days,
            author=author,
        )
    made.commit({".github/CODEOWNERS": "* @<img/src=x/onerror=alert(1)>\n"}, "Owners", days_ago=5)
    return made


def test_a_hostile_repository_runs_nothing_and_breaks_nothing(browser: Browser, tmp_path: Path) -> None:
    file = write_map(hostile_repository(tmp_path).path, tmp_path / "map.html")
    with opened(browser, file) as page:
        assert (
            page.locator("script, style, img, iframe, object").count() == 3
        )  # the style, the data and the script of the page
        page.fill("#search", "onerror")
        page.locator("#files-table button.path").first.click()
        expect(page.locator(".panel-title")).to_have_text(HOSTILE_FILE)
        expect(page.locator("#panel")).to_contain_text("</script><script>window.PWNED=1</script>")
        expect(page.locator("#panel")).to_contain_text("\\u202egnp")
        for colour in COLOURS:
            page.select_option("#colour", colour)
        page.locator("#panel details").first.click()
        assert page.evaluate("window.PWNED") is None
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    with opened(
        browser, file, "#file=<img src=x onerror=alert(1)>&folder=__proto__&q=</script>&colour=constructor"
    ) as page:
        expect(page.locator("#panel")).to_contain_text("No file matches")
        assert page.evaluate("window.PWNED") is None


def test_a_page_of_a_saved_report_says_what_it_lacks(browser: Browser, tmp_path: Path) -> None:
    from crimes.render.checkout import Checkout
    from crimes.workflows.session import Session

    report = Session(build("mixed", tmp_path)).report()
    file = tmp_path / "saved.html"
    file.write_bytes(render(report, "html", Checkout))
    with opened(browser, file) as page:
        expect(page.locator("#map")).to_contain_text("made from a report alone")
        page.locator("#files-table button.path").first.click()
        expect(page.locator("#panel")).to_contain_text("Recent commits")
        expect(page.locator("#role-field")).to_be_hidden()


def test_a_real_repository_can_be_looked_at(browser: Browser, tmp_path: Path) -> None:
    file = write_map(PROJECT, tmp_path / "map.html")
    assert file.stat().st_size < 2_000_000
    with opened(browser, file) as page:
        assert page.locator("#treemap rect.file").count() > 200
        page.locator("#graph .node").nth(3).click()
        assert "folder=" in state_of(page)
        page.locator("#crumbs button").first.click()
        page.select_option("#role", "all")
        tests = page.locator("#files-table caption").text_content() or ""
        assert int(re.sub(r"\D", "", tests)) > 500
        page.fill("#search", "treemap.py")
        page.locator("#files-table button.path").first.click()
        expect(page.locator(".panel-title")).to_contain_text("treemap.py")
        expect(page.locator("#panel")).to_contain_text("Used by")
        page.select_option("#role", "test")
        expect(page.locator("#files-table")).to_contain_text("tests/render/test_treemap.py")
        expect(page.locator("#unread")).to_contain_text("Files that no detector reads")
