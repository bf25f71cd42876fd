"""Markdown: documents for people and instructions for agents. It has no grammar and no imports."""

from __future__ import annotations

from crimes.languages.markdown.read import read_markdown
from crimes.languages.spec import Language
from crimes.model import Role

MARKDOWN = Language(
    id="markdown",
    name="Markdown",
    extensions=(".md", ".mdc", ".markdown"),
    family="markdown",
    read=read_markdown,
    file_names=(".clinerules", ".cursorrules", ".windsurfrules"),
    role_of_path=lambda path: Role.DOCS,
)
