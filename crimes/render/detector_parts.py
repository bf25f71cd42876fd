"""All about one detector, part by part: its documentation, settings, measured precision and a real example."""

from __future__ import annotations

from collections.abc import Iterator

from crimes.model.kind import Kind
from crimes.render.blocks import Block, Paragraph, Part, Row, Verbatim, doc_blocks
from crimes.render.precision_text import precision_text
from crimes.workflows.explanation import WHAT_TITLE, DetectorPage, DetectorSettings, OptionValue

_KINDS = {
    Kind.CODE: "finding about code",
    Kind.PLACE: "caution about a file: never counted as new, never fails a gate",
}
_FIRST_SECTIONS = (WHAT_TITLE, "Why it matters", "What to do", "Before", "After")


def detector_parts(page: DetectorPage, place: str = "") -> Iterator[Part]:
    """The parts of the explanation in order; those that have nothing to say are left out."""
    sections = {section.title: section.paragraphs for section in page.sections}
    titles = sorted(sections, key=lambda title: (*_FIRST_SECTIONS, title).index(title))
    for title in titles:
        yield Part(title, tuple(doc_blocks(sections[title])))
    yield Part("Summary", tuple(_summary(page)))
    if page.settings and page.settings.options:
        yield Part("Options", tuple(_options(page.id, page.settings)))
    yield Part("Measured precision", (Paragraph(precision_text(page.precision, page.kind)),))
    yield Part("Example in this repository", tuple(_example(page, place)))
    if page.docs:
        yield Part("Page", (Verbatim(page.docs),))


def _summary(page: DetectorPage) -> Iterator[Block]:
    yield Row(("status", _status(page)))
    yield Row(("kind", _KINDS[page.kind]))
    yield Row(("severity", f"at most {page.severity}"))
    if page.kind is Kind.CODE:
        yield Row(("time to fix", f"a few {page.effort}"))
    languages = "all" if "*" in page.languages else ", ".join(page.languages) or "none"
    yield Row(("languages", languages))


def _status(page: DetectorPage) -> str:
    default = "on by default" if page.enabled_by_default else "off by default"
    if page.settings is None or page.settings.enabled == page.enabled_by_default:
        return default
    return f"turned {'on' if page.settings.enabled else 'off'} in {page.settings.source}; {default}"


def _options(id_: str, settings: DetectorSettings) -> Iterator[Block]:
    for option in settings.options:
        value, default = option_text(option.value), option_text(option.default)
        shown = value if value == default else f"{value} here, default {default}"
        yield Row((option.name, shown, option.help))
    option = settings.options[0]
    yield Paragraph("To change one, in crimes.toml:")
    yield Verbatim(f"[detectors.{id_}]\n{option.name} = {option_text(option.value)}")


def option_text(value: OptionValue) -> str:
    """The value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(option_text, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _example(page: DetectorPage, place: str) -> Iterator[Block]:
    example = page.example
    if example is None:
        scanned = page.settings is not None and page.settings.scanned
        has_sample = any(section.title == "Before" for section in page.sections)  # a plugin may have none
        none = f"The last scan has none{'; Before and After show one' if has_sample else ''}."
        yield Paragraph(
            none if scanned else f"No stored scan of this repository. Run `crimes scan{place}` first."
        )
        return
    symbol = f" {example.symbol}" if example.symbol else ""
    label = "" if page.kind is Kind.PLACE else f"{example.severity}  "
    yield Paragraph(f"{label}{example.file}:{example.line}{symbol}")
    yield Paragraph(example.fact)
    yield Verbatim(f"crimes explain {example.id}{place}")
