"""Examples that every language writes in its own way: a place that is reported and one beside it that is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crimes.detection.detector import Example
from tests.language_examples.code import line_of

# A function with three flags and a function with one flag; then a caller of both.
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
    phantom_import,
    orphan_file,
)
