"""The set-ups of JavaScript runners in a package: what its scripts and configurations start, and which files each includes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import basename, join, normpath

from msgspec import Struct

from crimes.model.lazy_regex import regex
from crimes.model.repository import Repo
from crimes.model.safe_parsing import split_command
from crimes.workflows.briefing.command import parse_json, read_if_present, table_in, texts_in, value_in
from crimes.workflows.briefing.runners.globs import includes
from crimes.workflows.briefing.runners.object_literal import object_after, objects_with, strings

# In the order of preference, where a package has several and no script says which.
CALLS = {
    "vitest": "vitest run",
    "jest": "jest",
    "mocha": "mocha",
    "ava": "ava",
    "node --test": "node --test",
    "bun test": "bun test",
}
_DEFAULT_INCLUDES = {
    "vitest": ("**/*.{test,spec}.?(c|m)[jt]s?(x)",),
    "jest": ("**/__tests__/**/*.?([mc])[jt]s?(x)", "**/?(*.)+(spec|test).?([mc])[jt]s?(x)"),
}
_DEFAULT_CONFIGS = {
    "vitest": ("vitest.config", "vite.config"),
    "jest": ("jest.config",),
}
_CONFIG_ENDINGS = (".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json")
_OBJECT_STARTS = (r"export default", r"module\.exports\s*=", r"\bconfig\b[^=\n]*=", r"^")
# Options of a script that its tests need; those with a value take the next word too.
_OPTIONS_WITH_VALUE = {
    "vitest": {"--config", "-c", "--root", "-r", "--dir", "--project", "--environment"},
    "jest": {"--config", "-c", "--env", "--rootDir", "--selectProjects", "--preset"},
    "mocha": {"--require", "-r", "--import", "--loader", "--config", "--ui", "-u", "--extension", "--timeout", "-t", "--file", "-n",
              "--node-option", "--package", "--opts"},
    "ava": {"--config"},
    "node --test": {"--import", "--require", "-r", "--loader", "--experimental-loader", "--conditions", "-C"},
    "bun test": {"--preload", "--jsx-import-source"},
}  # fmt: skip
_PLAIN_OPTIONS = {
    "vitest": {"--globals"},
    "jest": {"-i", "--runInBand"},
    "mocha": {"--check-leaks", "--exit", "--recursive"},
    "node --test": {
        "--experimental-strip-types",
        "--experimental-vm-modules",
        "--experimental-test-module-mocks",
    },
}
_VALUE_SKIPPED = {
    "--reporter",
    "-R",
    "--coverage.provider",
    "--test-reporter",
    "--testTimeout",
    "--maxWorkers",
    "-w",
    "--retry",
}
_PART = regex(r"(?:(?<!\s)\s++)?(?:&&|\|\||;|\|)\s*+")
_MAX_TAIL_CHARS = 80
_TAIL = regex(r"(?:\\\.|[\w-])+\$$", within=300)
_ASSIGNMENT = regex(r"[A-Z_][A-Z0-9_]*=\S*")

_Files = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]  # globs, endings, globs that exclude


class Setup(Struct, frozen=True):
    """One way to start a runner in a folder, and the files it includes there; without patterns, any."""

    runner: str
    folder: str
    options: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()  # from the folder
    endings: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()  # globs
    projects: bool = False  # splits into projects, which may be packages below it

    def accepts(self, name: str) -> bool:
        """Whether a file, named from the folder, is one it runs."""
        if any(includes(pattern, name) for pattern in self.excluded):
            return False
        if not self.globs and not self.endings:
            return True
        return name.endswith(self.endings or ("/",)) or any(includes(glob, name) for glob in self.globs)


class _Call(Struct, frozen=True):
    """A runner as a script calls it: options that matter, and the files it names."""

    runner: str
    options: tuple[str, ...]
    environment: tuple[str, ...]
    files: tuple[str, ...]
    script: str


def setups_in(repo: Repo, folder: str) -> list[Setup]:
    """The set-ups of the package in a folder, the usual one first; none without a manifest or a runner."""
    manifest = parse_json(read_if_present(repo, join(folder, "package.json")))
    scripts = table_in(manifest, "scripts")
    calls = [call for name, text in scripts.items() for call in _calls(name, str(text))]
    calls.sort(key=lambda call: (call.script != "test", not call.script.startswith("test")))
    depends = {*table_in(manifest, "devDependencies"), *table_in(manifest, "dependencies")}
    named = [_Call(runner, (), (), (), "") for runner in CALLS if runner in depends]
    setups = []
    for call in (*calls, *named):
        plain = Setup(call.runner, folder, call.options, call.environment)
        made = _with_files(repo, plain, call.files, manifest)
        if made not in setups:
            setups.append(made)
    return setups


def _calls(script: str, text: str) -> Iterator[_Call]:
    """The calls of runners in a script."""
    for part in _PART.split(text):
        try:
            words = split_command(part)
        except ValueError:
            continue
        environment = tuple(word for word in words if _ASSIGNMENT.fullmatch(word))
        for index, word in enumerate(words):
            runner = _runner_at(words, index)
            if runner:
                if "--experimental-vm-modules" in words[:index]:
                    environment = (*environment, "NODE_OPTIONS=--experimental-vm-modules")
                yield _read_call(script, runner, words[index + 1 :], environment)
                break
            if word in ("run", "run-s", "run-p", "npm-run-all", "install", "eslint", "prettier", "tsc"):
                break


def _runner_at(words: Sequence[str], index: int) -> str:
    """The runner that a word of a script starts; empty for none."""
    word = words[index]
    name = basename(word).removesuffix(".js").removesuffix(".mjs").lstrip("_")
    if name in ("vitest", "jest", "mocha", "ava") and not word.startswith("-"):
        return name
    if name == "node" and "--test" in words[index + 1 :]:
        return "node --test"
    return "bun test" if word == "bun" and words[index + 1 : index + 2] == ["test"] else ""


def _read_call(script: str, runner: str, words: Sequence[str], environment: tuple[str, ...]) -> _Call:
    options: list[str] = []
    files: list[str] = []
    waiting = iter(words)
    for word in waiting:
        name, equals, _ = word.partition("=")
        if name in _OPTIONS_WITH_VALUE[runner]:
            options += [word] if equals else [word, next(waiting, "")]
        elif word in _PLAIN_OPTIONS.get(runner, ()):
            options.append(word)
        elif name in _VALUE_SKIPPED and not equals:
            next(waiting, "")
        elif not word.startswith("-") and word not in ("run", "test", "watch"):
            files.append(word)
    return _Call(runner, tuple(options), environment, tuple(files), script)


def _with_files(repo: Repo, setup: Setup, files: tuple[str, ...], manifest: object) -> Setup:
    """The set-up with the files it includes, from its configuration or from the script."""
    if setup.runner in ("mocha", "node --test", "bun test"):
        globs = tuple(_as_glob(name) for name in files)
        return Setup(setup.runner, setup.folder, setup.options, setup.environment, globs)
    if setup.runner not in _DEFAULT_CONFIGS:
        return setup
    config = _option(setup.options, "--config", "-c")
    path = normpath(join(setup.folder, config)) if config else _default_config(repo, setup)
    text = read_if_present(repo, path).decode("utf-8", "replace")
    files_of = _vitest_files(text) if setup.runner == "vitest" else _jest_files(text, path, manifest)
    splits = setup.runner == "vitest" and _has_projects(repo, setup.folder, text)
    return Setup(setup.runner, setup.folder, setup.options, setup.environment, *files_of, projects=splits)


def _default_config(repo: Repo, setup: Setup) -> str:
    names = (
        join(setup.folder, name + ending)
        for name in _DEFAULT_CONFIGS[setup.runner]
        for ending in _CONFIG_ENDINGS
    )
    return next((name for name in names if name in repo.paths), "")


def _option(options: Sequence[str], *names: str) -> str:
    for index, word in enumerate(options):
        name, equals, value = word.partition("=")
        if name in names:
            return value if equals else next(iter(options[index + 1 :]), "")
    return ""


def _has_projects(repo: Repo, folder: str, text: str) -> bool:
    """Whether a configuration, or a file beside it, divides the tests into projects."""
    names = (join(folder, f"vitest.workspace{ending}") for ending in _CONFIG_ENDINGS)
    test = next(objects_with(text, "test"), {})
    return bool({"projects", "workspace"} & test.keys()) or any(name in repo.paths for name in names)


def _vitest_files(text: str) -> _Files:
    """What a configuration includes and excludes; nothing where it splits into projects, moves the root, or computes it."""
    test = next(objects_with(text, "test"), {})
    if {"projects", "workspace", "dir", "root"} & test.keys():
        return (), (), ()
    written = strings(test.get("include", ""))
    globs = () if "include" in test and not written else written or _DEFAULT_INCLUDES["vitest"]
    return globs, (), strings(test.get("exclude", ""))


def _jest_files(text: str, path: str, manifest: object) -> _Files:
    """What a configuration includes; nothing where it splits into projects, builds on another, or computes it."""
    options = _jest_options(text, path, manifest)
    if {"projects", "preset", "roots", "rootDir"} & options.keys():
        return (), (), ()
    globs = tuple(glob.removeprefix("<rootDir>/") for glob in _jest_texts(options, "testMatch"))
    endings = tuple(_literal_ending(pattern) for pattern in _jest_texts(options, "testRegex"))
    if not {"testMatch", "testRegex"} & options.keys():
        globs = _DEFAULT_INCLUDES["jest"]
    return globs, () if "" in endings else endings, ()


def _literal_ending(pattern: str) -> str:
    """The end that every name has which a regular expression matches; empty without one."""
    tail = _TAIL.search(pattern[-_MAX_TAIL_CHARS:])
    return tail[0].rstrip("$").replace("\\", "") if tail else ""


def _jest_options(text: str, path: str, manifest: object) -> dict[str, object]:
    own = value_in(parse_json(text.encode()) if path.endswith(".json") else manifest, *_jest_keys(path))
    if not path or path.endswith(".json"):
        return dict(own) if isinstance(own, dict) else {}
    return dict(object_after(text, *_OBJECT_STARTS))


def _jest_keys(path: str) -> tuple[str, ...]:
    """A manifest has the options below a key; a file of their own has nothing else."""
    return () if path else ("jest",)


def _jest_texts(options: dict[str, object], key: str) -> tuple[str, ...]:
    value = options.get(key)
    if isinstance(value, str) and value[:1] in ("'", '"', "`", "["):
        return tuple(text.replace("\\\\", "\\") for text in strings(value))
    return (value,) if isinstance(value, str) else texts_in(options, key)


def _as_glob(name: str) -> str:
    """A file or pattern of a script; a folder means all that is directly in it."""
    name = name.removeprefix("./")
    if "*" in name or "." in basename(name):
        return name
    return f"{name.rstrip('/')}/**"
