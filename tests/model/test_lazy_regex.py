"""Patterns that are compiled when they are first asked."""

from __future__ import annotations

import importlib
import pkgutil
import re

import crimes
import crimes_detectors
from crimes.model.lazy_regex import _Regex, regex


def test_lazy_regex_behaves_like_the_compiled_one() -> None:
    put_off, compiled = regex(r"(a+)B", re.IGNORECASE), re.compile(r"(a+)B", re.IGNORECASE)
    assert put_off.pattern == compiled.pattern
    assert put_off.findall("xaabab") == compiled.findall("xaabab") == ["aa", "a"]
    assert put_off.sub("-", "xaab") == "x-"
    assert put_off.flags == compiled.flags
    assert regex(rb"\d").findall(b"a1b2") == [b"1", b"2"]


def test_every_regex_of_the_package_compiles() -> None:
    """A fault in one would show only in a repository that holds what it is for."""
    seen = 0
    for package in (crimes, crimes_detectors):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                for value in vars(importlib.import_module(module.name)).values():
                    if isinstance(value, _Regex):
                        re.compile(value.pattern, value.own_flags)
                        seen += 1
    assert seen > 300
