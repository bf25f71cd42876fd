"""JavaScript and TypeScript: the set-up of a runner, in the nearest package above a test, that includes the test."""

from __future__ import annotations

from posixpath import join

from crimes.model.repository import Repo
from crimes.workflows.briefing.command import (
    MAX_TEST_FILES,
    Command,
    file_arguments,
    folders_upward,
    in_folder,
    is_below,
    parse_json,
    read_if_present,
    text_in,
)
from crimes.workflows.briefing.runners.node_setups import CALLS, Setup, setups_in

_LOCKFILES = {
    "pnpm-lock.yaml": "pnpm exec",
    "yarn.lock": "yarn",
    "bun.lock": "bunx",
    "bun.lockb": "bunx",
    "package-lock.json": "npx",
}
_MANAGERS = {"pnpm": "pnpm exec", "yarn": "yarn", "bun": "bunx", "npm": "npx"}
_SCRIPT_CALLS = {"pnpm exec": "pnpm run", "yarn": "yarn", "bunx": "bun run", "npx": "npm run"}


class NodeRunners:
    """The runners of the JavaScript tests of a repository; manifests are read once."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._setups: dict[str, list[Setup]] = {}

    def command(self, tests: tuple[str, ...]) -> Command:
        """The command for the first of these tests that some set-up includes, and for others of that set-up."""
        with_setup = [(test, setup) for test in tests if (setup := self._setup_of(test))]
        if not with_setup:
            return Command(note=self._why_none(tests[0]))
        setup = with_setup[0][1]
        chosen = [test for test, own in with_setup if own == setup][:MAX_TEST_FILES]
        names = file_arguments(_from_folder(setup, test) for test in chosen)
        if setup.runner == "jest":
            names = ["--runTestsByPath", *names]  # plain names are regular expressions
        start = CALLS[setup.runner]
        if not start.startswith(("node ", "bun ")):
            start = f"{package_manager(self._repo, setup.folder)} {start}"
        start = " ".join((*setup.environment, start))
        return in_folder(setup.folder, start, (*setup.options, *names), len(chosen))

    def _setup_of(self, test: str) -> Setup | None:
        """The nearest set-up that includes a test; or one above it that divides into projects, which holds them together."""
        accepting = [
            setup
            for folder in folders_upward(test)
            for setup in self._setups_in(folder)
            if setup.accepts(_from_folder(setup, test))
        ]
        nearest = accepting[0] if accepting else None
        if (
            nearest and nearest.projects and not nearest.globs
        ):  # what its projects include is not known: a script may say
            named = (setup for setup in accepting if setup.folder == nearest.folder and setup.globs)
            nearest = next(named, nearest)
        above = [
            setup for setup in accepting if setup.projects and nearest and setup.runner == nearest.runner
        ]
        return next((setup for setup in above if setup.folder == above[-1].folder), nearest)

    def _why_none(self, test: str) -> str:
        setups = [setup for folder in folders_upward(test) for setup in self._setups_in(folder)]
        if setups:
            return f"no configuration of {setups[0].runner} includes `{test}`"
        return "no manifest names a test runner that is known here"

    def _setups_in(self, folder: str) -> list[Setup]:
        if folder not in self._setups:
            self._setups[folder] = setups_in(self._repo, folder)
        return self._setups[folder]


def _from_folder(setup: Setup, test: str) -> str:
    return test.removeprefix(f"{setup.folder}/") if setup.folder and is_below(setup.folder, test) else test


def package_manager(repo: Repo, folder: str) -> str:
    """How a package of this folder starts the tools it depends on: by the lock file, or what the manifest names."""
    for parent in folders_upward(join(folder, "package.json")):
        for name, call in _LOCKFILES.items():
            if join(parent, name) in repo.paths:
                return call
        manifest = parse_json(read_if_present(repo, join(parent, "package.json")))
        named = text_in(manifest, "packageManager").partition("@")[0]
        if named in _MANAGERS:
            return _MANAGERS[named]
    return "npx"


def script_call(repo: Repo, folder: str) -> str:
    """How a package of this folder runs its scripts: `npm run`."""
    return _SCRIPT_CALLS[package_manager(repo, folder)]
