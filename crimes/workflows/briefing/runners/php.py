"""PHP: phpunit, its bridge of Symfony, or pest, from where they are configured."""

from __future__ import annotations

import shlex
from posixpath import join, relpath

from crimes.model.lazy_regex import regex
from crimes.model.repository import Repo
from crimes.workflows.briefing.command import (
    Command,
    file_arguments,
    folders_upward,
    in_folder,
    parse_json,
    read_if_present,
    text_in,
)

_CONFIGS = ("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")
_SUFFIX = regex(rb"""suffix\s*=\s*["']([^"']{1,60})["']""")
_DEFAULT_SUFFIX = "Test.php"


def php_command(repo: Repo, tests: tuple[str, ...]) -> Command:
    """One file, since older versions of phpunit accept no more: the first whose name a suite would collect."""
    for folder in folders_upward(tests[0]):
        manifest = read_if_present(repo, join(folder, "composer.json"))
        config = b"".join(read_if_present(repo, join(folder, name)) for name in _CONFIGS)
        if b"phpunit" not in manifest + config:
            continue
        pest = b"pestphp/pest" in manifest
        script = "simple-phpunit" if b"phpunit-bridge" in manifest else "phpunit"
        suites = config.partition(b"<testsuite")[2].rpartition(b"</testsuite")[0]  # sources have suffixes too
        suffixes = (
            _DEFAULT_SUFFIX,
            *(suffix.decode("utf-8", "replace") for suffix in _SUFFIX.findall(suites)),
        )
        collected = [test for test in tests if pest or test.endswith(suffixes)]
        if not collected:
            return Command(note=f"phpunit collects files named `*{_DEFAULT_SUFFIX}`, not `{tests[0]}`")
        start = shlex.quote(join(_composer_bin(manifest), "pest" if pest else script))
        return in_folder(folder, start, file_arguments([relpath(collected[0], folder or ".")]), 1)
    return Command(note="no manifest names a test runner that is known here")


def _composer_bin(manifest: bytes) -> str:
    """Where Composer puts the scripts of packages."""
    return text_in(parse_json(manifest), "config", "bin-dir") or "vendor/bin"
