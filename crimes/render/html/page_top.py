"""What a page about a report begins and ends with: the repository, how far the scan can be trusted, its totals, the sections."""

from __future__ import annotations

from collections.abc import Mapping

from crimes.model.report import Report
from crimes.model.trust import TRUSTED
from crimes.model.wording import count
from crimes.render.html.elements import Html, tag
from crimes.render.summary import gaps_in_short, scope_of
from crimes.render.trust_text import MEANING, TRUST_STYLE, endings, trust_remarks


def section_head(key: str, title: str, remark: str = "") -> Html:
    note = (tag("p", remark, class_="muted small"),) if remark else ()
    return tag("div", tag("h2", title, id=f"{key}-title"), *note, class_="head")


def navigation(titles: Mapping[str, str]) -> Html:
    links = [tag("a", title, href=f"#{key}") for key, title in titles.items()]
    theme = tag("button", "Theme: system", id="theme", type="button", class_="plain scripted-only")
    return tag(
        "nav",
        tag("div", *links, tag("span", theme, class_="end"), class_="wide"),
        class_="sections",
        aria_label="Sections",
    )


def page_top(report: Report) -> Html:
    history = report.history
    commit = f"commit {history.head[:9]}, " if history.head else ""
    moment = (
        f"{commit}history up to {history.reference_time[:10]}" if history.reference_time else "no history"
    )
    line = tag(
        "div",
        tag(
            "div",
            tag("p", "Map of a repository", class_="eyebrow"),
            tag("h1", report.repository, class_="path-title"),
        ),
        tag("p", moment, class_="muted small"),
        class_="line",
    )
    return tag("header", line, _trust(report), _figures(report), class_="top wide")


def _trust(report: Report) -> Html:
    """How far to trust the scan, before anything that rests on it."""
    trust = report.trust
    word, _, reason = trust.label.partition(": ")
    reason = reason or MEANING[TRUSTED]
    first = f"{reason[:1].upper()}{reason[1:]}."
    remarks = [
        *trust_remarks(trust),
        *scope_of(report),
        *gaps_in_short(report, hints=False),
        *endings(report),
    ]
    return tag(
        "div",
        tag("span", f"Scan {word}", class_="word"),
        tag("p", first),
        *(tag("p", remark, class_="muted small") for remark in remarks),
        class_=f"trust {TRUST_STYLE.get(word, 'bad')}",
        role="note",
        aria_label="How far this scan can be trusted",
    )


def _figures(report: Report) -> Html:
    summary, files = report.summary, report.files
    figures: list[tuple[str, str, str]] = [
        ("Files read", f"{files.read:,}", ""),
        ("Lines of code", f"{files.logic_lines:,}", ""),
    ]
    if report.trust.finished:
        levels = [
            f"{number:,} {name}" for name in ("high", "medium", "low") if (number := getattr(summary, name))
        ]
        figures.append(("Findings", f"{summary.findings:,}", ", ".join(levels)))
    ranking = report.edit_risk
    if ranking.files and not ranking.history_limited:
        figures.append(
            ("Fixed in 180 days", f"{ranking.fixed_180d:,}", f"of {count(ranking.ranked, 'file')}")
        )
    languages = sorted(files.by_language.items(), key=lambda item: (-item[1], item[0]))
    if languages:
        more = f" and {len(languages) - 3} more" if len(languages) > 3 else ""
        figures.append(
            ("Languages", str(len(languages)), ", ".join(name for name, _ in languages[:3]) + more)
        )
    items = [
        tag("div", tag("dt", name), tag("dd", value, " " if note else "", tag("small", note)))
        for name, value, note in figures
    ]
    return tag("dl", *items, class_="figures")


def footer(report: Report) -> Html:
    tool = f"Made by {report.tool.name} {report.tool.version}. This file makes no requests and sends nothing."
    return tag("footer", tag("div", tool, class_="wide"))
