"""Examples that every language writes in its own way: a place that is reported and one beside it that is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from crimes.detection.detector import Example
from tests.language_examples.code import MANIFESTS, line_of

# A function with three flags and a function with one flag; then a caller of both.
_FLAGS: Mapping[str, tuple[str, str, str, str]] = {
    "c": (
        "src/page.c",
        '#include "page.h"\nint render(int page, bool draft, bool cached, bool minify) {\n  return page;\n}\n\nint show(int page, bool draft) {\n  return page;\n}\n',
        "src/site.c",
        '#include "page.h"\n\nint build(int page) {\n  return render(page, true, false, true) + show(page, true);\n}\n',
    ),
    "cpp": (
        "src/page.cpp",
        '#include "page.h"\nint render(int page, bool draft, bool cached, bool minify) {\n  return page;\n}\n\nint show(int page, bool draft) {\n  return page;\n}\n',
        "src/site.cpp",
        '#include "page.h"\n\nint build(int page) {\n  return render(page, true, false, true) + show(page, true);\n}\n',
    ),
    "csharp": (
        "Page.cs",
        "public static class Page {\n  public static int Render(int page, bool draft, bool cached, bool minify) {\n    return page;\n  }\n  public static int Show(int page, bool draft) {\n    return page;\n  }\n}\n",
        "Site.cs",
        "public class Site {\n  int Build(int page) {\n    return Page.Render(page, true, false, true) + Page.Show(page, true);\n  }\n}\n",
    ),
    "go": (
        "page/page.go",
        "package page\n\nfunc Render(page int, draft bool, cached bool, minify bool) int {\n\treturn page\n}\n\nfunc Show(page int, draft bool) int {\n\treturn page\n}\n",
        "site/site.go",
        'package site\n\nimport "example.com/shop/page"\n\nfunc Build(p int) int {\n\treturn page.Render(p, true, false, true) + page.Show(p, true)\n}\n',
    ),
    "java": (
        "src/Page.java",
        "class Page {\n  static int render(int page, boolean draft, boolean cached, boolean minify) {\n    return page;\n  }\n  static int show(int page, boolean draft) {\n    return page;\n  }\n}\n",
        "src/Site.java",
        "class Site {\n  int build(int page) {\n    return Page.render(page, true, false, true) + Page.show(page, true);\n  }\n}\n",
    ),
    "kotlin": (
        "src/Page.kt",
        "package shop\n\nfun render(page: Int, draft: Boolean, cached: Boolean, minify: Boolean): Int {\n  return page\n}\n\nfun show(page: Int, draft: Boolean): Int {\n  return page\n}\n",
        "src/Site.kt",
        "package shop\n\nfun build(page: Int): Int {\n  return render(page, true, false, true) + show(page, true)\n}\n",
    ),
    "php": (
        "src/Page.php",
        "<?php\nnamespace Shop;\nclass Page {\n  static function render($page, bool $draft, bool $cached, bool $minify) {\n    return $page;\n  }\n  static function show($page, bool $draft) {\n    return $page;\n  }\n}\n",
        "src/Site.php",
        "<?php\nnamespace Shop;\nclass Site {\n  function build($page) {\n    return Page::render($page, true, false, true) + Page::show($page, true);\n  }\n}\n",
    ),
    "ruby": (
        "lib/page.rb",
        "class Page\n  def self.render(page, draft = false, cached = true, minify = false)\n    page\n  end\n\n  def self.show(page, draft = false)\n    page\n  end\nend\n",
        "lib/site.rb",
        'require_relative "page"\n\nclass Site\n  def build(page)\n    Page.render(page, true, false, true) + Page.show(page, true)\n  end\nend\n',
    ),
    "rust": (
        "src/page.rs",
        "pub fn render(page: i32, draft: bool, cached: bool, minify: bool) -> i32 {\n    page\n}\n\npub fn show(page: i32, draft: bool) -> i32 {\n    page\n}\n",
        "src/lib.rs",
        "mod page;\n\nuse page::{render, show};\n\npub fn build(page: i32) -> i32 {\n    render(page, true, false, true) + show(page, true)\n}\n",
    ),
    "scala": (
        "src/Page.scala",
        "object Page {\n  def render(page: Int, draft: Boolean, cached: Boolean, minify: Boolean): Int = {\n    page\n  }\n  def show(page: Int, draft: Boolean): Int = {\n    page\n  }\n}\n",
        "src/Site.scala",
        "class Site {\n  def build(page: Int): Int = {\n    Page.render(page, true, false, true) + Page.show(page, true)\n  }\n}\n",
    ),
    "swift": (
        "Sources/Shop/Page.swift",
        "func render(_ page: Int, _ draft: Bool, _ cached: Bool, _ minify: Bool) -> Int {\n  return page\n}\n\nfunc show(_ page: Int, _ draft: Bool) -> Int {\n  return page\n}\n",
        "Sources/Shop/Site.swift",
        "func build(page: Int) -> Int {\n  return render(page, true, false, true) + show(page, true)\n}\n",
    ),
}
_PAGE_HEADER = {
    "src/page.h": "int render(int page, bool draft, bool cached, bool minify);\nint show(int page, bool draft);\n"
}


def flag_arguments(language: str) -> Example:
    path, page, user, site = _FLAGS[language]
    line = line_of(page.lower(), "render")
    header = _PAGE_HEADER if language in ("c", "cpp") else {}
    files = {**header, **MANIFESTS.get(language, {}), path: page, user: site}
    return Example("three flags at once, and one", files, (f"{path}:{line}",), options={"min_sites": 1})


# A file with an import of something private and of something public, and what says which packages there are.


def phantom_import(language: str) -> Example:
    path, text, manifest = {
        "go": (
            "shop.go",
            'package shop\n\nimport (\n\t"example.org/taxes"\n\t"example.org/money"\n)\n\nvar X = taxes.All + money.All\n',
            {"go.mod": "module example.org/shop\n\ngo 1.22\n\nrequire example.org/money v1.0.0\n"},
        ),
        "rust": (
            "src/lib.rs",
            "use taxes::All;\nuse money::Rate;\n\npub fn x(a: All, b: Rate) {}\n",
            {"Cargo.toml": '[package]\nname = "shop"\nedition = "2021"\n\n[dependencies]\nmoney = "1"\n'},
        ),
    }[language]
    line = line_of(text, "taxes")
    return Example(
        "a package no manifest asks for, and one it does", {path: text, **manifest}, (f"{path}:{line}",)
    )


def orphan_file(language: str) -> Example:
    assert language == "ruby", "the excuses name every other language"
    names = ("carts", "orders", "prices", "old_rates")
    body = "".join(f"  send_it({n})\n" for n in range(16))
    files = {f"lib/{name}.rb": f"def {name}_all\n{body}end\n" for name in names}
    main = "".join(f'require_relative "{name}"\n' for name in names[:-1])
    return Example("one that nobody asks for", {**files, "lib/main.rb": main}, ("lib/old_rates.rb:1",))


MAKERS: Sequence[Callable[[str], Example]] = (
    flag_arguments,
    phantom_import,
    orphan_file,
)
