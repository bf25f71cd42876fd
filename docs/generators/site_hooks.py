"""Hooks of the site: a folder in `nav` stands for its pages, and links that lead out of docs/ go to the repository."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

REPOSITORY = "https://github.com/crimes-cli/crimes/blob/main"
_LINK = re.compile(r"\]\((\.\./[^)\s]+)\)")


def on_config(config: Any) -> Any:
    """The configuration with each folder in `nav` replaced by its pages; mkdocs calls this first."""
    config["nav"] = _with_pages(config["nav"], Path(config["docs_dir"]))
    return config


def _with_pages(entry: Any, folder: Path) -> Any:
    if isinstance(entry, list):
        return [_with_pages(item, folder) for item in entry]
    if isinstance(entry, dict):
        return {title: _with_pages(item, folder) for title, item in entry.items()}
    if not entry.endswith("/"):
        return entry
    pages = sorted(folder.glob(f"{entry}*.md"), key=lambda page: (page.name != "README.md", page.name))
    return [page.relative_to(folder).as_posix() for page in pages]


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """The text of a page with links out of docs/ rewritten; mkdocs calls this for every page."""
    folder = posixpath.dirname(posixpath.join("docs", page.file.src_uri))
    return _LINK.sub(lambda match: f"]({_address(folder, match[1])})", markdown)


def _address(folder: str, target: str) -> str:
    path = posixpath.normpath(posixpath.join(folder, target))
    return target if path.startswith("docs/") else f"{REPOSITORY}/{path}"
