"""Settings for coding agents in the repository allow everything, skip the question, or start a server of whatever version is newest.

## Why it matters

Committed settings hold for everybody who opens the repository with an agent. One that may run any command without asking turns a
sentence in an issue, a web page or a dependency into a command on a developer's machine. A server that is fetched without a
version is code nobody reviewed, and it can be other code tomorrow.

## What to do

Allow the commands that are needed, one by one, and let the rest be asked about; keep wider permissions in settings that are not
committed. Name the version of every server that is fetched: `npx -y some-server@1.4.2`, `uvx some-server==1.4.2`.

## What counts

Settings of Claude Code, Codex, Cursor, Gemini, opencode, Roo, VS Code and Zed: a permission for every shell command or for a shell
itself, a mode that asks nothing, a sandbox that is turned off; and servers that `npx`, `bunx`, `uvx`, `pipx`, a package manager's
`dlx` or `docker run` fetch without a version, or as `latest`.

## What is accepted

Permissions for single commands; packages that a manifest of the repository declares, because its lockfile holds their version; servers
that run from the repository or are reached by an address; images without a registry, which are built here; settings inside tests,
examples and templates. A comment beside the setting lowers the severity.
"""

from __future__ import annotations

import json
import posixpath
import re
import shlex
import tomllib
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
    regex,
)

SETTINGS = regex(
    r"(^|/)(\.claude/settings(\.local)?\.json|\.?mcp\.json|mcp_config\.json|\.codex/config\.toml|\.gemini/settings\.json"
    r"|\.cursor/cli(-config)?\.json|(\.opencode/)?opencode\.jsonc?|\.vscode/settings\.json|\.zed/settings\.json|\.roo/mcp\.json)$"
)
ENDINGS = (".json", ".jsonc", ".toml")
FOREIGN = regex(
    r"(^|/)(_*(tests?|testdata|examples?|samples?|demos?|starters?|vendor(ed)?|third[-_]?party|node_modules|archived?|docs?)_*"
    r"|[^/]*(template|boilerplate|fixture|\{\{)[^/]*)/",
    re.IGNORECASE,
)
LARGEST = 200_000  # characters; nobody writes more settings than that
ANY_COMMAND = regex(
    r"\*+|(?:Bash|Shell|run_shell_command|PowerShell)(?:\(\s*(?:[*:]|:\*|\s)*\s*\))?", re.IGNORECASE
)
A_SHELL = regex(
    r"(?:Bash|Shell|run_shell_command)\(\s*(?:sudo|su|bash|sh|zsh|eval|powershell|pwsh|cmd)(?:\.exe)?(?: -\w+)?(?:\s*:?\s*\**)?\s*\)"
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
STARTERS = frozenset({"tsx", "ts-node", "nodemon", "node", "python", "python3"})  # what they run is here
HERE = regex(r"[./~$]|file:|[A-Za-z]:\\")
FLAGS_OF_RUNNERS = frozenset({"--python", "--with", "--index-url", "--registry", "--cache", "-p", "-c"})
FLAGS_OF_DOCKER = frozenset(
    (
        "-e",
        "--env",
        "--env-file",
        "-v",
        "--volume",
        "--mount",
        "--name",
        "-p",
        "--publish",
        "--network",
        "-w",
        "--workdir",
        "-u",
    )
) | {
    "--user",
    "--entrypoint",
    "--platform",
    "--add-host",
    "-m",
    "--memory",
    "--cpus",
    "-l",
    "--label",
    "--pull",
}
VERSION = regex(r"(?:@|==|~=|>=)\s*[v^~]?\d|@[0-9a-f]{7,40}$|@sha256:|@\$\{")
COMMENT = regex(r"(?:^|\s)(?://|#)\s*\w+(?:\W+\w+){2,}")
JSON_NOISE = regex(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
TRAILING_COMMA = regex(r",(\s*[}\]])")
MOST_SHOWN = 5
Packages = Callable[[], frozenset[str]]  # asked for when a server needs to know


class Charge(Struct, frozen=True):
    """One thing that settings permit. `spot` is what stands in the file where they do."""

    kind: str
    what: str
    spot: str
    severity: Severity


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    names = scan[NAMES]
    packages = cache(lambda: declared(names))
    for path in sorted(scan.repo.paths):
        if path.endswith(ENDINGS) and SETTINGS.search(path) and not FOREIGN.search(path):
            text = names.text(path)[:LARGEST]
            settings = parsed(path, text)
            charges = [*permissions(settings), *servers(settings, packages)]
            for kind in dict.fromkeys(charge.kind for charge in charges):
                yield report(path, text, [charge for charge in charges if charge.kind == kind])


def parsed(path: str, text: str) -> Mapping[str, Any]:
    """The settings; empty where they cannot be read. JSON may hold comments and commas before a bracket."""
    try:
        if path.endswith(".toml"):
            return tomllib.loads(text)
        plain = TRAILING_COMMA.sub(r"\1", JSON_NOISE.sub(lambda match: match[1] or " ", text))
        found = json.loads(plain.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def at(settings: object, dotted: str) -> object:
    """A value by its keys, which may also be written as one key with dots."""
    if isinstance(settings, dict) and dotted in settings:
        return settings[dotted]
    for key in dotted.split("."):
        settings = settings.get(key) if isinstance(settings, dict) else None
    return settings


def permissions(settings: Mapping[str, Any]) -> Iterator[Charge]:
    """What the settings let an agent do without a question."""
    high, medium = Severity.HIGH, Severity.MEDIUM
    for name in ("permissions.allow", "tools.allowed"):
        allowed = at(settings, name)
        for entry in (one for one in allowed if isinstance(one, str)) if isinstance(allowed, list) else ():
            if ANY_COMMAND.fullmatch(entry.strip()):
                yield Charge("everything", f"`{entry}` allows every command", entry, high)
            elif A_SHELL.fullmatch(entry.strip()):
                yield Charge("shell", f"`{entry}` allows a shell, which runs any command", entry, medium)
    for name, value, what, severity in (
        ("permissions.defaultMode", "bypassPermissions", "no permission is asked for", high),
        ("skipDangerousModePermissionPrompt", True, "the warning before that mode is skipped", high),
        ("enableAllProjectMcpServers", True, "every server the repository names is started unasked", medium),
        ("sandbox_mode", "danger-full-access", "commands run outside any sandbox", high),
        ("approval_policy", "never", "no command is asked about", medium),
        ("general.defaultApprovalMode", "yolo", "no command is asked about", high),
        ("chat.tools.autoApprove", True, "every tool runs unasked", high),
        ("chat.tools.global.autoApprove", True, "every tool runs unasked", high),
        ("agent.always_allow_tool_actions", True, "every tool runs unasked", high),
        ("agent.tool_permissions.default", "allow", "every tool runs unasked", high),
        ("permission", "allow", "every tool runs unasked", medium),
        ("permission.*", "allow", "every tool runs unasked", medium),
        ("permission.bash", "allow", "every command runs unasked", medium),
        ("permission.bash.*", "allow", "every command that no other rule names runs unasked", medium),
    ):
        if at(settings, name) == value and (not name.startswith("permission.bash.") or not guarded(settings)):
            shown = json.dumps(value) if isinstance(value, bool) else value
            yield Charge("everything", f"`{name} = {shown}`: {what}", last_key(name), severity)


def guarded(settings: Mapping[str, Any]) -> bool:
    """Whether some commands are asked about or refused."""
    rules = at(settings, "permission.bash")
    return isinstance(rules, dict) and any(rule in ("ask", "deny") for rule in rules.values())


def last_key(name: str) -> str:
    return name if name.startswith("chat.") else name.removesuffix(".*").rpartition(".")[2]


def servers(settings: Mapping[str, Any], packages: Packages) -> Iterator[Charge]:
    """Servers that are fetched without a version."""
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
                yield Charge(
                    "trusted", f"`{name}` is trusted: none of its tools is asked about", name, Severity.MEDIUM
                )
            package = unpinned(words(server), packages)
            if package:
                yield Charge("unpinned", f"`{name}` runs `{package}`", package, Severity.MEDIUM)


def words(server: Mapping[str, Any]) -> list[str]:
    """The command line of a server; what a shell is handed is taken apart."""
    command = server.get("command")
    holder = command if isinstance(command, dict) else server  # Zed has another level
    program, arguments = holder.get("path", command), holder.get("args")
    line = [
        *(program if isinstance(program, list) else [program]),
        *(arguments if isinstance(arguments, list) else []),
    ]
    found = [word for word in line if isinstance(word, str)]
    while found and program_of(found[0]) in SHELLS:
        found = found[1:]
        while found and (found[0].startswith("-") or found[0].lower() == "/c" or re.match(r"\w+=", found[0])):
            found = found[1:]
        if len(found) == 1 and " " in found[0]:
            try:
                found = shlex.split(found[0])
            except ValueError:
                return []
    return found


def program_of(word: str) -> str:
    return re.split(r"[\\/]", word)[-1].removesuffix(".cmd").removesuffix(".exe")


def unpinned(line: list[str], packages: Packages) -> str:
    """The package or image that this command fetches without a version; else empty."""
    program = program_of(line[0]) if line else ""
    if program == "docker" and "run" in line[1:3]:
        image = operand(line[line.index("run") + 1 :], FLAGS_OF_DOCKER)
        tag = image.rpartition("/")[2].partition(":")[2]
        return image if "/" in image and tag in ("", "latest") and "@" not in image else ""
    before = RUNNERS.get(program, ())
    if program not in RUNNERS or tuple(line[1 : 1 + len(before)]) != before:
        return ""
    arguments = line[1 + len(before) :]
    package = stated(arguments) or operand(arguments, FLAGS_OF_RUNNERS)
    bare = re.sub(r"(?<=.)@[^/]*$|\[.*|[=<>~!].*", "", package)
    if not package or VERSION.search(package) or HERE.match(package) or bare in STARTERS:
        return ""
    return "" if program in NODE and package == bare and bare in packages() else package


def stated(arguments: list[str]) -> str:
    """The package that an option names; the first operand is then one of its programs."""
    for word, following in pairwise([*arguments, ""]):
        if word in ("--from", "--package", "--spec"):
            return following
        if word.startswith(("--from=", "--package=", "--spec=")):
            return word.partition("=")[2]
    return ""


def operand(arguments: list[str], with_value: frozenset[str]) -> str:
    """The first argument that is neither an option nor the value of one."""
    words = iter(arguments)
    for word in words:
        if word in with_value:
            next(words, None)
        elif not word.startswith("-"):
            return word
    return ""


def declared(names: Names) -> frozenset[str]:
    """Packages that any package.json of the repository declares."""
    found: set[str] = set()
    for path in names.repo.paths:
        if posixpath.basename(path) == "package.json":
            manifest = parsed(path, names.text(path))
            for group in ("dependencies", "devDependencies", "optionalDependencies"):
                wanted = manifest.get(group)
                found.update(wanted if isinstance(wanted, dict) else ())
            found.add(str(manifest.get("name", "")))
    return frozenset(found)


TEXTS = {
    "everything": ("An agent may do anything here unasked", "so a sentence it reads somewhere can become a command on this machine", "Allow the commands that are needed one by one"),
    "shell": ("An agent may start a shell unasked", "so the other rules hold nothing back", "Allow the commands that are needed one by one"),
    "trusted": ("A server's tools run unasked", "so whatever it answers can act", "Let its tools be asked about"),
    "unpinned": ("A server is fetched without a version", "so code that nobody here has seen runs beside the agent, and can be other code tomorrow", "Name the version"),
}  # fmt: skip


def report(path: str, text: str, charges: list[Charge]) -> Finding:
    what, why, do = TEXTS[charges[0].kind]
    severity = (
        Severity.HIGH if any(charge.severity is Severity.HIGH for charge in charges) else Severity.MEDIUM
    )
    lines = text.split("\n")
    number = next((n for n, line in enumerate(lines, 1) if f'"{charges[0].spot}"' in line), 0) or next(
        (n for n, line in enumerate(lines, 1) if charges[0].spot in line), 1
    )
    stated = any(COMMENT.search(line) for line in lines[max(0, number - 2) : number])
    if stated:
        severity = Severity.MEDIUM if severity is Severity.HIGH else Severity.LOW
    said = tuple(charge.what for charge in charges)
    more = f" and {len(said) - 2} more" if len(said) > 2 else ""
    return Finding(
        Place(path, number, number),
        severity,
        f"{what}: {'; '.join(said[:2])}{more}, {why}. {do}.",
        (Signal("settings", Category.SYNTAX, 85, f"the settings say so: {said[0]}"),),
        evidence={"settings": Measure(said[:MOST_SHOWN]), "count": Measure(len(said))},
        discriminator=charges[0].kind,
        notes=("A comment beside it states a reason: severity lowered one step.",) if stated else (),
    )


DETECTOR = Detector(
    id="agent_permission_sprawl",
    title="Agent settings that allow too much",
    category="agents",
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
            "servers of whatever version is newest",
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
            "a server whose tools are never asked about",
            {
                ".gemini/settings.json": '{"mcpServers": {"docs": {"httpUrl": "https://docs.example.org/mcp", "trust": true}}}\n'
            },
            (".gemini/settings.json:1",),
        ),
        Example(
            "a comment beside it lowers the severity",
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
