"""Ruby: rspec, Rails, or the file by itself, in the folder of the gem."""

from __future__ import annotations

from posixpath import basename, join, relpath

from crimes.model.repository import Repo
from crimes.workflows.briefing.command import (
    MAX_TEST_FILES,
    Command,
    file_arguments,
    folders_upward,
    in_folder,
    is_below,
    nearest_folder,
    read_if_present,
)

_GEM_FILES = ("Gemfile", ".rspec", "Rakefile")
_SPEC_HELPERS = ("spec/spec_helper.rb", ".rspec")


def ruby_command(repo: Repo, tests: tuple[str, ...]) -> Command:
    """The command for the first test, and for others that the same runner accepts."""
    gem = nearest_folder(repo, tests[0], *_GEM_FILES) or ""
    inside = file_arguments(relpath(test, gem or ".") for test in tests if is_below(gem, test))
    bundle = "bundle exec " if nearest_folder(repo, tests[0], "Gemfile") is not None else ""
    if _uses_rspec(repo, tests[0]):
        specs = [test for test in inside if test.endswith("_spec.rb")][:MAX_TEST_FILES]
        return in_folder(gem, f"{bundle}rspec", specs, len(specs))
    if join(gem, "bin/rails") in repo.paths:
        chosen = inside[:MAX_TEST_FILES]
        return in_folder(gem, "bin/rails test", chosen, len(chosen))
    folder = inside[0].partition("/")[0] if "/" in inside[0] else "test"
    return in_folder(gem, f"{bundle}ruby -Ilib -I{folder}", inside[:1], 1)


def _uses_rspec(repo: Repo, test: str) -> bool:
    """Whether a spec belongs to rspec, and not to the specs of minitest: a helper or a manifest names one of them."""
    if not basename(test).endswith("_spec.rb"):
        return False
    for folder in folders_upward(test):
        if any(join(folder, name) in repo.paths for name in _SPEC_HELPERS):
            helper = read_if_present(repo, join(folder, "spec/spec_helper.rb"))
            return b"minitest" not in helper or b"rspec" in helper.lower()
        manifest = read_if_present(repo, join(folder, "Gemfile"))
        if b"rspec" in manifest or b"minitest" in manifest:
            return b"rspec" in manifest
    return True
