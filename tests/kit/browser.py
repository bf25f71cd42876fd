"""A real browser for tests of pages: the Chromium of the machine, without a network, and whatever a page does that it should not."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Dialog, Page, Request, sync_playwright

from crimes.cli.checkout import checkout_of
from crimes.render.formats import render
from crimes.workflows.repository_map import scan_map
from crimes.workflows.scan_options import ScanOptions
from crimes.workflows.session import Session

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
LEFT_OUT = "left out: no Chromium on this machine"
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser, running."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: Browser, file: Path, address: str = "", **options: Any) -> Iterator[Page]:
    """The page of a file. At the end it has asked for nothing but itself, opened no dialog, and caused no error."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    context.set_default_timeout(15_000)
    page = context.new_page()
    faults: list[str] = []

    def refuse(dialog: Dialog) -> None:
        faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def note(request: Request) -> None:
        if not request.url.startswith(file.as_uri()):
            faults.append(f"request: {request.url}")

    page.on("console", lambda message: faults.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: faults.append(f"error: {error}"))
    page.on("dialog", refuse)
    page.on("request", note)
    page.on("popup", lambda popup: faults.append(f"popup: {popup.url}"))
    page.goto(file.as_uri() + address)
    try:
        yield page
        assert faults == []
    finally:
        context.close()


def write_map(root: Path, target: Path) -> Path:
    """The map of a repository, made as `crimes map` makes it."""
    session = Session(root, ScanOptions(cache=False))
    report = session.report()
    page = render(report, "html", lambda: checkout_of(root), repository_map=lambda: scan_map(session, report))
    target.write_bytes(page)
    return target


if __name__ == "__main__":  # the last line of `make test`
    print(f"Tests in a browser: {f'run with {CHROMIUM}' if CHROMIUM else LEFT_OUT}")
