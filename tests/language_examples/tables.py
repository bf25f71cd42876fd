"""Examples that every language writes in its own way: a place that is reported and one beside it that is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crimes.detection.detector import Example


def orphan_file(language: str) -> Example:
    assert language == "ruby", "the excuses name every other language"
    names = ("carts", "orders", "prices", "old_rates")
    body = "".join(f"  send_it({n})\n" for n in range(16))
    files = {f"lib/{name}.rb": f"def {name}_all\n{body}end\n" for name in names}
    main = "".join(f'require_relative "{name}"\n' for name in names[:-1])
    return Example("one that nobody asks for", {**files, "lib/main.rb": main}, ("lib/old_rates.rb:1",))


MAKERS: Sequence[Callable[[str], Example]] = (orphan_file,)
