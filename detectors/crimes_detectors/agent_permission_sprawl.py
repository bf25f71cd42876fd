"""Committed agent settings allow any command, turn off approval, or start a server without a pinned version.

It reads the settings of Claude Code, Codex, Cursor, Gemini, opencode, Roo, VS Code and Zed. It reports a permission for every shell
command or for a shell itself, a mode that never asks, a sandbox that is switched off, and servers that `npx`, `bunx`, `uvx`, `pipx`,
a package manager's `dlx` or `docker run` fetch without a version or as `latest`.

## Why it matters

Committed settings apply to everyone who opens the repository with an agent, and an agent that never asks can act on any text it reads.
A sentence in an issue, a web page or a dependency then becomes a command on a developer's machine. A server that is fetched without a
version is code nobody reviewed, and it may be different code tomorrow.

## What to do

Allow the commands the project needs one by one, and pin the version of every server that is fetched. Keep wider permissions in
settings that are not committed.

## Before

```jsonc
// .claude/settings.json
{
  "permissions": {
    "allow": ["Bash(*)"],
    "defaultMode": "bypassPermissions"
  }
}
// .mcp.json
{
  "mcpServers": {
    "files": {"command": "npx", "args": ["-y", "@acme/files-server"]}
  }
}
```

## After

```jsonc
// .claude/settings.json
{
  "permissions": {
    "allow": ["Bash(make test)", "Bash(git log:*)"],
    "defaultMode": "acceptEdits"
  }
}
// .mcp.json
{
  "mcpServers": {
    "files": {"command": "npx", "args": ["-y", "@acme/files-server@2.1.0"]}
  }
}
```

## What it does not report

- Permissions for single commands.
- Packages that a manifest of the repository declares: the lockfile pins their version.
- Servers that run from the repository or are reached by an address.
- Images without a registry: they are built locally.
- Settings inside tests, examples and templates.
- A comment next to the setting lowers the severity.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

from msgspec import Struct

from crimes.api import (
    NAMES,
    Category,
    Detector,
    Effort,
    Example,
    Finding,
    Measure,
    Names,
    NoOptions,
    Pass,
    Place,
    Severity,
    Signal,
    parse_toml,
    regex,
    split_command,
)

SETTINGS = regex(
    r"(^|/)(\.claude/settings(\.local)?\.json|\.?mcp\.json|mcp_config\.json|\.codex/config\.toml|\.gemini/settings\.json"
    r"|\.cursor/cli(-config)?\.json|(\.opencode/)?opencode\.jsonc?|\.vscode/settings\.json|\.zed/settings\.json|\.roo/mcp\.json)$"
)
EXTENSIONS = (".json", ".jsonc", ".toml")
FOREIGN = regex(
    r"(^|/)(_*(tests?|testdata|examples?|samples?|demos?|starters?|vendor(ed)?|third[-_]?party|node_modules|archived?|docs?)_*"
    r"|[^/]*(template|boilerplate|fixture|\{\{)[^/]*)/",
    re.IGNORECASE,
    within=1000,
)
MAX_SETTINGS_CHARS = 200_000  # nobody writes more settings than that
ANY_COMMAND = regex(r"\*+|(?:Bash|Shell|run_shell_command|PowerShell)(?:\([*:\s]*+\))?", re.IGNORECASE)
SHELL_COMMAND = regex(
    r"(?:Bash|Shell|run_shell_command)\(\s*(?:sudo|su|bash|sh|zsh|eval|powershell|pwsh|cmd)(?:\.exe)?(?: -\w++)?\s*+:?\s*+\**+\s*+\)"
)
SERVERS = ("mcpServers", "servers", "mcp_servers", "mcp", "context_servers")
SHELLS = frozenset({"cmd", "bash", "sh", "zsh", "env", "exec"})
RUNNERS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("npx", "bunx", "uvx"), ()),
    **dict.fromkeys(("pnpm", "yarn"), ("dlx",)),
    "bun": ("x",),
    "npm": ("exec",),
    "pipx": ("run",),
    "uv": ("tool", "run"),
}
NODE = frozenset({"npx", "bunx", "pnpm", "yarn", "bun", "npm"})
STARTERS = frozenset({"tsx", "ts-node", "nodemon", "node", "python", "python3"})  # they run local code
LOCAL_PATH = regex(r"[./~$]|file:|[A-Za-z]:\\")
RUNNER_FLAGS = frozenset({"--python", "--with", "--index-url", "--registry", "--cache", "-p", "-c"})
DOCKER_FLAGS = frozenset({
    "-e", "--env", "--env-file", "-v", "--volume", "--mount", "--name", "-p", "--publish",
    "--network", "-w", "--workdir", "-u", "--user", "--entrypoint", "--platform", "--add-host",
    "-m", "--memory", "--cpus", "-l", "--label", "--pull",
})  # fmt: skip
VERSION = regex(r"(?:@|==|~=|>=)\s*[v^~]?\d|@[0-9a-f]{7,40}$|@sha256:|@\$\{")
COMMENT = regex(r"(?:^|\s)(?://|#)\s*\w+(?:\W+\w+){2,}")
JSON_NOISE = regex(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
TRAILING_COMMA = regex(r",(\s*[}\]])")
MAX_SHOWN = 5
Packages = Callable[[], frozenset[str]]  # computed only when a server needs it


class Charge(Struct, frozen=True):
    """Something the settings permit; `spot` is the text to look for in the file, `item` the same as `what` in values."""

    kind: str
    what: str
    spot: str
    severity: Severity
    item: Mapping[str, str]


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    names = scan[NAMES]
    packages = cache(lambda: declared_packages(names))
    for path in sorted(scan.repo.paths):
        if path.endswith(EXTENSIONS) and SETTINGS.search(path) and not FOREIGN.search(path):
            text = names.text(path)[:MAX_SETTINGS_CHARS]
            settings = parse_settings(path, text)
            charges = [*permission_charges(settings), *server_charges(settings, packages)]
            for kind in dict.fromkeys(charge.kind for charge in charges):
                yield report(path, text, [charge for charge in charges if charge.kind == kind])


def parse_settings(path: str, text: str) -> Mapping[str, Any]:
    """The settings; empty if they cannot be parsed. JSON may hold comments and trailing commas."""
    try:
        if path.endswith(".toml"):
            return parse_toml(text)
        plain = TRAILING_COMMA.sub(r"\1", JSON_NOISE.sub(lambda match: match[1] or " ", text))
        settings = json.loads(plain.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    return settings if isinstance(settings, dict) else {}


def value_at(settings: object, dotted: str) -> object:
    """A value by its keys, which may also be written as one key with dots."""
    if isinstance(settings, dict) and dotted in settings:
        return settings[dotted]
    for key in dotted.split("."):
        settings = settings.get(key) if isinstance(settings, dict) else None
    return settings


def permission_charges(settings: Mapping[str, Any]) -> Iterator[Charge]:
    """What the settings let an agent do without asking."""
    high, medium = Severity.HIGH, Severity.MEDIUM
    for name in ("permissions.allow", "tools.allowed"):
        allowed = value_at(settings, name)
        for entry in (item for item in allowed if isinstance(item, str)) if isinstance(allowed, list) else ():
            if ANY_COMMAND.fullmatch(entry.strip()):
                item = {"setting": name, "value": entry}
                yield Charge("everything", f"`{entry}` allows every command", entry, high, item)
            elif SHELL_COMMAND.fullmatch(entry.strip()):
                item = {"setting": name, "value": entry}
                yield Charge(
                    "shell", f"`{entry}` allows a shell, which runs any command", entry, medium, item
                )
    for name, value, what, severity in (
        ("permissions.defaultMode", "bypassPermissions", "skips every permission prompt", high),
        ("skipDangerousModePermissionPrompt", True, "skips the warning before bypass mode", high),
        (
            "enableAllProjectMcpServers",
            True,
            "starts every server the repository names without asking",
            medium,
        ),
        ("sandbox_mode", "danger-full-access", "runs commands outside any sandbox", high),
        ("approval_policy", "never", "runs commands without asking", medium),
        ("general.defaultApprovalMode", "yolo", "runs commands without asking", high),
        ("chat.tools.autoApprove", True, "runs every tool without asking", high),
        ("chat.tools.global.autoApprove", True, "runs every tool without asking", high),
        ("agent.always_allow_tool_actions", True, "runs every tool without asking", high),
        ("agent.tool_permissions.default", "allow", "runs every tool without asking", high),
        ("permission", "allow", "runs every tool without asking", medium),
        ("permission.*", "allow", "runs every tool without asking", medium),
        ("permission.bash", "allow", "runs every command without asking", medium),
        (
            "permission.bash.*",
            "allow",
            "runs every command without asking unless another rule names it",
            medium,
        ),
    ):
        if value_at(settings, name) == value and (
            not name.startswith("permission.bash.") or not asks_about_some_commands(settings)
        ):
            shown = json.dumps(value) if isinstance(value, bool) else value
            item = {"setting": name, "value": str(shown)}
            yield Charge("everything", f"`{name} = {shown}` {what}", last_key(name), severity, item)


def asks_about_some_commands(settings: Mapping[str, Any]) -> bool:
    """Whether a rule asks about some commands, or refuses them."""
    rules = value_at(settings, "permission.bash")
    return isinstance(rules, dict) and any(rule in ("ask", "deny") for rule in rules.values())


def last_key(name: str) -> str:
    return name if name.startswith("chat.") else name.removesuffix(".*").rpartition(".")[2]


def server_charges(settings: Mapping[str, Any], packages: Packages) -> Iterator[Charge]:
    """Servers that are trusted, or fetched without a version."""
    for key in SERVERS:
        group = settings.get(key)
        for name, server in group.items() if isinstance(group, dict) else ():
            if (
                not isinstance(server, dict)
                or server.get("disabled") is True
                or server.get("enabled") is False
            ):
                continue
            if server.get("trust") is True:
                what = f"`{name}` is marked as trusted"
                yield Charge("trusted", what, name, Severity.MEDIUM, {"server": name})
            package = unpinned_package(command_line(server), packages)
            if package:
                item = {"server": name, "package": package}
                yield Charge("unpinned", f"`{name}` runs `{package}`", package, Severity.MEDIUM, item)


def command_line(server: Mapping[str, Any]) -> list[str]:
    """The command line of a server, without the shell around it."""
    command = server.get("command")
    holder = command if isinstance(command, dict) else server  # Zed has another level
    program, arguments = holder.get("path", command), holder.get("args")
    line = [
        *(program if isinstance(program, list) else [program]),
        *(arguments if isinstance(arguments, list) else []),
    ]
    words = [word for word in line if isinstance(word, str)]
    while words and program_name(words[0]) in SHELLS:
        words = words[1:]
        while words and (words[0].startswith("-") or words[0].lower() == "/c" or re.match(r"\w+=", words[0])):
            words = words[1:]
        if len(words) == 1 and " " in words[0]:
            try:
                words = split_command(words[0])
            except ValueError:
                return []
    return words


def program_name(word: str) -> str:
    return re.split(r"[\\/]", word)[-1].removesuffix(".cmd").removesuffix(".exe")


def unpinned_package(line: list[str], packages: Packages) -> str:
    """The package or image that this command fetches without a version; empty if there is none."""
    program = program_name(line[0]) if line else ""
    if program == "docker" and "run" in line[1:3]:
        image = first_operand(line[line.index("run") + 1 :], DOCKER_FLAGS)
        tag = image.rpartition("/")[2].partition(":")[2]
        return image if "/" in image and tag in ("", "latest") and "@" not in image else ""
    before = RUNNERS.get(program, ())
    if program not in RUNNERS or tuple(line[1 : 1 + len(before)]) != before:
        return ""
    arguments = line[1 + len(before) :]
    package = package_option(arguments) or first_operand(arguments, RUNNER_FLAGS)
    bare = re.sub(r"(?<=.)@[^/]*$|\[.*|[=<>~!].*", "", package)
    if not package or VERSION.search(package) or LOCAL_PATH.match(package) or bare in STARTERS:
        return ""
    return "" if program in NODE and package == bare and bare in packages() else package


def package_option(arguments: list[str]) -> str:
    """The package that an option names; the first operand is then one of its programs."""
    for word, following in pairwise([*arguments, ""]):
        if word in ("--from", "--package", "--spec"):
            return following
        if word.startswith(("--from=", "--package=", "--spec=")):
            return word.partition("=")[2]
    return ""


def first_operand(arguments: list[str], with_value: frozenset[str]) -> str:
    """The first argument that is neither an option nor the value of one."""
    rest = iter(arguments)
    for word in rest:
        if word in with_value:
            next(rest, None)
        elif not word.startswith("-"):
            return word
    return ""


def declared_packages(names: Names) -> frozenset[str]:
    """Packages that any package.json of the repository declares."""
    packages: set[str] = set()
    for path in names.repo.paths:
        if posixpath.basename(path) == "package.json":
            manifest = parse_settings(path, names.text(path))
            for group in ("dependencies", "devDependencies", "optionalDependencies"):
                dependencies = manifest.get(group)
                packages.update(dependencies if isinstance(dependencies, dict) else ())
            packages.add(str(manifest.get("name", "")))
    return frozenset(packages)


class Wording(Struct, frozen=True):
    """What a finding of one kind says; `singular` and `plural` begin the fact."""

    singular: str
    plural: str
    why: str
    fix: str


WORDINGS = {
    "everything": Wording(
        "1 setting lifts the limits on agents",
        "{} settings lift the limits on agents",
        "Any text the agent reads, such as an issue or a web page, can become a command on a developer's machine.",
        "Remove the blanket permission, and allow the commands the project needs one by one.",
    ),
    "shell": Wording(
        "1 permission lets an agent start a shell without asking",
        "{} permissions let an agent start a shell without asking",
        "A shell runs any command, so the other rules restrict nothing.",
        "Allow the commands the project needs one by one, and let the agent ask about the rest.",
    ),
    "trusted": Wording(
        "1 server runs its tools without asking",
        "{} servers run their tools without asking",
        "Whatever such a server answers can trigger further actions without a human in between.",
        "Remove the trust, so that the agent asks before it runs a tool of the server.",
    ),
    "unpinned": Wording(
        "1 server is fetched without a pinned version",
        "{} servers are fetched without a pinned version",
        "Code nobody reviewed runs next to the agent, and it may be different code tomorrow.",
        "Pin the version, as in `npx -y some-server@1.4.2`, `uvx some-server==1.4.2` or `acme/server:1.4`.",
    ),
}


def report(path: str, text: str, charges: list[Charge]) -> Finding:
    wording = WORDINGS[charges[0].kind]
    severity = (
        Severity.HIGH if any(charge.severity is Severity.HIGH for charge in charges) else Severity.MEDIUM
    )
    lines = text.split("\n")
    number = next((n for n, line in enumerate(lines, 1) if f'"{charges[0].spot}"' in line), 0) or next(
        (n for n, line in enumerate(lines, 1) if charges[0].spot in line), 1
    )
    explained = any(COMMENT.search(line) for line in lines[max(0, number - 2) : number])
    if explained:
        severity = Severity.MEDIUM if severity is Severity.HIGH else Severity.LOW
    permitted = tuple(charge.what for charge in charges)
    more = len(permitted) - 2
    listed = f"{', '.join(permitted[:2])} and {more} more" if more > 0 else " and ".join(permitted)
    opening = wording.singular if len(permitted) == 1 else wording.plural.format(len(permitted))
    return Finding(
        Place(path, number, number),
        severity,
        f"{opening}: {listed}.",
        (Signal("settings", Category.SYNTAX, 85, f"written in the settings: {permitted[0]}"),),
        evidence={
            "settings": Measure(
                permitted[:MAX_SHOWN], items=tuple(charge.item for charge in charges[:MAX_SHOWN])
            ),
            "count": Measure(len(permitted)),
        },
        discriminator=charges[0].kind,
        notes=("A comment next to it gives a reason: severity lowered one step.",) if explained else (),
        why=wording.why,
        fix=wording.fix,
    )


DETECTOR = Detector(
    id="agent_permission_sprawl",
    title="Agent settings that allow too much",
    category="security",
    doc=__doc__,
    languages=(),
    max_severity=Severity.HIGH,
    effort=Effort.MINUTES,
    needs=(NAMES,),
    detect=detect,
    examples=(
        Example(
            "every command, and a mode that asks nothing",
            {
                ".claude/settings.json": '{\n  "permissions": {\n    "allow": ["Read", "Bash(*)"],\n'
                '    "defaultMode": "bypassPermissions"\n  }\n}\n',
            },
            (".claude/settings.json:3",),
            severity=Severity.HIGH,
        ),
        Example(
            "a sandbox that is turned off",
            {
                ".codex/config.toml": 'model = "o3"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
            },
            (".codex/config.toml:3",),
            severity=Severity.HIGH,
        ),
        Example(
            "servers without a pinned version",
            {
                ".mcp.json": '{\n  "mcpServers": {\n    "files": {\n      "command": "npx",\n      "args": ["-y", "some-files-server"]\n'
                '    },\n    "search": {"command": "uvx", "args": ["search-server@latest"]}\n  }\n}\n',
                ".gemini/settings.json": '{"mcpServers": {"files": {"command": "/bin/bash",'
                ' "args": ["-l", "-c", "exec npx -y some-files-server"]}}}\n',
                ".vscode/mcp.json": '{\n  // started by the editor\n  "servers": {\n    "db": {"command": "docker",\n'
                '      "args": ["run", "-i", "--rm", "-e", "TOKEN", "acme/db-server"]},\n  }\n}\n',
            },
            (".gemini/settings.json:1", ".mcp.json:5", ".vscode/mcp.json:5"),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a shell is any command",
            {".claude/settings.json": '{"permissions": {"allow": ["Bash(npm test)",\n  "Bash(bash:*)"]}}\n'},
            (".claude/settings.json:2",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a server whose tools run without asking",
            {
                ".gemini/settings.json": '{"mcpServers": {"docs": {"httpUrl": "https://docs.example.org/mcp", "trust": true}}}\n'
            },
            (".gemini/settings.json:1",),
        ),
        Example(
            "a comment next to it lowers the severity",
            {
                ".codex/config.toml": "# The container is the sandbox here: nothing else is mounted.\n"
                'sandbox_mode = "danger-full-access"\n'
            },
            (".codex/config.toml:2",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "silent on single commands",
            {
                ".claude/settings.json": '{"permissions": {"allow": ["Bash(make test)", "Bash(git log:*)", "Edit"], "deny": ["Bash(*)"],'
                ' "defaultMode": "acceptEdits"}}\n',
                ".codex/config.toml": 'approval_policy = "on-request"\nsandbox_mode = "workspace-write"\n',
            },
        ),
        Example(
            "silent on servers with a version",
            {
                ".mcp.json": '{"mcpServers": {"files": {"command": "npx", "args": ["-y", "@acme/files-server@2.1.0"]},'
                ' "db": {"command": "docker", "args": ["run", "acme/db-server:1.4"]},'
                ' "search": {"command": "uvx", "args": ["--from", "search-server==0.3.1", "serve"]}}}\n',
            },
        ),
        Example(
            "silent on a package that the repository declares",
            {
                "package.json": '{"devDependencies": {"some-files-server": "^1.2.0"}}\n',
                ".mcp.json": '{"mcpServers": {"files": {"command": "npx", "args": ["some-files-server"]}}}\n',
            },
        ),
        Example(
            "silent on servers that run from the repository, or elsewhere",
            {
                ".mcp.json": '{"mcpServers": {"own": {"command": "uv", "args": ["run", "server.py"]},'
                ' "tool": {"command": "npx", "args": ["tsx", "src/server.ts"]}, "local": {"command": "docker", "args": ["run", "db-server"]},'
                ' "far": {"type": "http", "url": "https://example.org/mcp"}}}\n',
            },
        ),
        Example(
            "silent inside tests and examples",
            {
                "examples/app/.mcp.json": '{"mcpServers": {"files": {"command": "npx", "args": ["-y", "some-files-server"]}}}\n'
            },
        ),
        Example(
            "silent on settings that cannot be read",
            {".claude/settings.json": '{"permissions": {"allow": ["Bash(*)"]\n'},
        ),
    ),
)
