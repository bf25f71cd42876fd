"""The generators of the references: what they take from an app, and what the site makes of links and folders."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Literal

import typer

from crimes.cli.app import app_for
from docs.generators.commands import commands_page
from docs.generators.markdown import cell, code
from docs.generators.site_hooks import on_config, on_page_markdown
from tests.kit.paths import ROOT


def example_app() -> typer.Typer:
    app, group = typer.Typer(), typer.Typer(help="Several of them.")

    @app.command(rich_help_panel="First")
    def look(
        path: Annotated[str, typer.Argument(help="where to look")],
        depth: Annotated[int, typer.Option("--depth", "-d", min=1, help="how far")] = 3,
        size: Annotated[Literal["small", "large"], typer.Option(help="how much")] = "small",
        fast: Annotated[bool, typer.Option("--fast/--slow", help="in a hurry")] = True,
        inner: Annotated[bool, typer.Option("--inner", hidden=True, help="for tests")] = False,
    ) -> None:
        """Look at something."""

    @app.command(hidden=True)
    def see(path: str) -> None:
        """The old name of `look`."""

    @app.command(hidden=True)
    def undocumented() -> None: ...

    @group.command()
    def save() -> None:
        """Save it."""

    app.add_typer(group, name="group", rich_help_panel="Second")
    return app


def test_commands_are_listed_by_panel_with_options_defaults_and_help() -> None:
    page = commands_page(example_app())
    assert page.index("## First") < page.index("### `crimes look`") < page.index("## Second")
    assert "| Where to look. |" in page
    assert "| `--depth N`, `-d` | `3` | How far. At least 1. |" in page
    assert "| <code>--size small&#124;large</code> | `small` | How much. |" in page
    assert "| `--fast`, `--slow` | `--fast` | In a hurry. |" in page
    assert "#### `crimes group save`" in page


def test_hidden_options_are_left_out_and_hidden_commands_only_named() -> None:
    page = commands_page(example_app())
    assert "--inner" not in page
    assert "- `crimes see`: The old name of `look`." in page.partition("## More")[2]
    assert "undocumented" not in page


def test_the_reference_has_every_command_and_option_of_the_real_app() -> None:
    page = (ROOT / "docs/commands.md").read_text("utf-8")
    app = typer.main.get_command(app_for(()))
    for name, command in app.commands.items():  # type: ignore[attr-defined]
        assert f"`crimes {name}`" in page or not command.help
        for parameter in () if command.hidden else command.params:
            if not getattr(parameter, "hidden", False):
                options = [option for option in parameter.opts if option.startswith("-")]
                assert all(f"`{option}" in page or f">{option}" in page for option in options), (
                    name,
                    options,
                )


def test_a_bar_does_not_end_a_cell() -> None:
    assert code("a|b") == "<code>a&#124;b</code>"
    assert cell("joined with `|`, or\n  a | b") == "joined with <code>&#124;</code>, or a &#124; b"


def test_links_out_of_docs_lead_to_the_repository() -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="detectors/a.md"))
    text = "[a](../precision.md) [b](../../CONTRIBUTING.md) [c](b.md)"
    assert on_page_markdown(text, page=page) == (
        "[a](../precision.md) [b](https://github.com/crimes-cli/crimes/blob/main/CONTRIBUTING.md) [c](b.md)"
    )


def test_a_folder_in_the_navigation_stands_for_its_pages(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    for name in ("b.md", "README.md", "a.md"):
        (tmp_path / "more" / name).touch()
    config = {"docs_dir": str(tmp_path), "nav": ["x.md", {"More": "more/"}]}
    assert on_config(config)["nav"] == ["x.md", {"More": ["more/README.md", "more/a.md", "more/b.md"]}]


def test_the_navigation_has_every_page() -> None:
    listed = (ROOT / "mkdocs.yml").read_text("utf-8")
    index = (ROOT / "docs/README.md").read_text("utf-8")
    for path in (ROOT / "docs").glob("*.md"):
        assert f"- {path.name}\n" in listed
        assert path.name == "README.md" or f"({path.name}" in index
