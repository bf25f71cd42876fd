"""The skeleton of every page: one file that asks for nothing, and can run nothing but what we wrote.

    page("Title", body, styles=("map.css",), scripts=("map.js",), data={...}) -> bytes

`body` is made with `elements.tag`. Styles and scripts are names of files in `assets/`; `base.css` (the look) and `base.js` (address, theme, DOM
helpers) come first. Scripts share one function scope, in their order, and find `data` with `pageData()`. A Content-Security-Policy in the page
allows the two blocks by their hash and nothing else: no request, no inline handler, no style attribute, no form, no frame.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files

import msgspec

from crimes.model.sanitize import safe
from crimes.render.html.elements import Html, shortened, tag

_ASSETS = "assets"
_BASE_STYLE, _BASE_SCRIPT = "base.css", "base.js"
# In JSON these stand only inside of strings, so that an escape means the same.
_ESCAPES = {char: f"\\u{ord(char):04x}" for char in ("&", "<", ">", "\u2028", "\u2029")}


def page(
    title: str, body: Html, *, styles: Sequence[str] = (), scripts: Sequence[str] = (), data: object = None
) -> bytes:
    """The page with its styles, scripts and data. Works from disk, and without scripts as far as `body` goes."""
    style = "\n".join(asset(name) for name in (_BASE_STYLE, *styles))
    code = "\n".join(asset(name) for name in (_BASE_SCRIPT, *scripts))
    script = f'(() => {{\n"use strict";\n{code}}})();\n'
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        _policy(script, style),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="robots", content="noindex"),
        tag("title", title),
        Html(f"<style>{style}</style>"),
    )
    block = Html(f'<script type="application/json" id="data">{data_text(data)}</script>')
    whole = tag("html", head, tag("body", body, block, Html(f"<script>{script}</script>")), lang="en")
    return f"<!doctype html>\n{whole}\n".encode()


def data_text(data: object) -> str:
    """The data as JSON that can stand in a script element: nothing in it ends the element, or acts on a reader."""
    encoded = msgspec.json.encode(_cleaned(msgspec.to_builtins(data))).decode()
    for char, escape in _ESCAPES.items():
        encoded = encoded.replace(char, escape)
    return encoded


def asset(name: str) -> str:
    """A style or script of ours."""
    return files(__package__).joinpath(_ASSETS, name).read_text(encoding="utf-8")


def _cleaned(value: object) -> object:
    """The value with every string, keys included, made harmless and not too long."""
    match value:
        case str():
            return safe(shortened(value))
        case dict():
            return {_cleaned(key): _cleaned(item) for key, item in value.items()}
        case list() | tuple():
            return [_cleaned(item) for item in value]
        case _:
            return value


def _policy(script: str, style: str) -> Html:
    rules = (
        "default-src 'none'",
        f"script-src {_hash(script)}",
        f"style-src {_hash(style)}",
        "base-uri 'none'",
        "form-action 'none'",
    )
    # Our own words: escaped quotes would be right as well, and harder to read in the file.
    return Html(f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(rules)}"/>')


def _hash(block: str) -> str:
    digest = hashlib.sha256(block.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
