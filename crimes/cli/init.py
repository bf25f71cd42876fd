"""`crimes init`: settings that fit the repository, and a workflow for its CI."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crimes.cli.options import RootOption
from crimes.cli.output import notice, session_for
from crimes.model.errors import EnvironmentFault, Unavailable, UsageError
from crimes.model.wording import count
from crimes.workflows.setup.workflow import Host

if TYPE_CHECKING:
    from crimes.engine.scan import Scan
    from crimes.model.repository import Repo
    from crimes.workflows.session import Session
    from crimes.workflows.setup.agents.texts import Agent

_DEFAULT_BRANCH = "main"  # where git names none


def init(
    ci: Annotated[
        Host | None,
        typer.Option("--ci", metavar="HOST", help="Write a workflow too, for this host: github or gitlab."),
    ] = None,
    sarif: Annotated[
        bool,
        typer.Option(
            "--sarif", help="With --ci github: upload the default branch's findings to code scanning."
        ),
    ] = False,
    agents: Annotated[
        bool,
        typer.Option(
            "--agents",
            help="Only set up coding agents: a skill, a block in AGENTS.md, hooks, the MCP server, and a first scan.",
        ),
    ] = False,
    for_: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="NAMES",
            help="With --agents: which, separated by commas: claude, codex, cursor, copilot. Asked at a terminal; all otherwise.",
        ),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="With --agents: remove it again.")] = False,
    root: RootOption = None,
) -> None:
    """Write settings, a CI workflow or agent hooks."""
    if sarif and ci is not Host.GITHUB:
        raise UsageError("--sarif uploads to GitHub code scanning; use it with --ci github")
    if agents or remove or for_ is not None:
        if not agents:
            option = "--remove" if remove else "--for"
            raise UsageError(f"{option} needs --agents")
        _set_up_agents(session_for(root), for_, remove)
        return
    from crimes.config.loader import load_config

    session = session_for(root)
    top = session.root
    source = load_config(top, None).source
    written = 0
    if source:
        notice(f"{source} already has settings; left unchanged")
    else:
        written += _write_new_file(top, "crimes.toml", _settings_for(session.scan()))
    if ci is not None:
        written += _write_workflow(top, ci, sarif)
    if not written:
        raise UsageError("nothing was written: everything already exists")


def _set_up_agents(session: Session, names: str | None, remove: bool) -> None:
    from crimes.workflows.setup.agents.files import additions, apply, removals
    from crimes.workflows.setup.agents.texts import Agent

    root = session.root
    chosen = _chosen_agents(root, names, remove)
    changes = removals(root, chosen) if remove else additions(root, chosen)
    done = list(apply(root, changes))  # all of it, before a reader of the notices can leave
    for text in done:
        notice(text)
    if not changes:
        notice("nothing to remove" if remove else "everything is already set up")
    if remove:
        return
    if Agent.CODEX in chosen:  # it keeps its servers outside of the repository
        notice("for Codex, add the server with `codex mcp add crimes -- crimes mcp`")
    if not session.is_current():
        report = session.report()
        session.wait_until_briefed()
        notice(f"scanned {count(report.files.read, 'file')}: briefings are ready")


def _chosen_agents(root: Path, names: str | None, remove: bool) -> tuple[Agent, ...]:
    """The agents that were named, or that a person at a terminal names; all where nobody can be asked."""
    from crimes.workflows.setup.agents.files import detected
    from crimes.workflows.setup.agents.texts import Agent

    if names is None and not remove and sys.stdin.isatty() and sys.stderr.isatty():
        proposed = ",".join(detected(root) or Agent)
        names = typer.prompt(f"Which agents ({', '.join(Agent)})?", default=proposed, err=True)
    if names is None:
        return tuple(Agent)
    chosen = []
    for name in filter(None, (word.strip().lower() for word in names.split(","))):
        if name not in list(Agent):
            raise UsageError(f"'{name}' is not an agent crimes can set up; choose from {', '.join(Agent)}")
        chosen.append(Agent(name))
    if not chosen:
        raise UsageError(f"name at least one agent: {', '.join(Agent)}")
    return tuple(dict.fromkeys(chosen))


def _settings_for(scan: Scan) -> str:
    from msgspec.structs import replace

    from crimes.languages.linking.link import link
    from crimes.workflows.setup.settings import settings
    from crimes.workflows.setup.survey import survey

    repo, tree, config = scan.context.repo, scan.tree, scan.context.config
    facts = {path: file.facts for path, file in repo.files.items()}

    def relink(roots: tuple[str, ...]) -> Repo:
        return link(tree.root, tree.files, facts, tree.paths, replace(config, roots=roots), tree.read)

    return settings(survey(repo, relink), scan.report.imports)


def _write_workflow(root: Path, host: Host, sarif: bool) -> bool:
    """Write the workflow at the first place that is free."""
    from crimes.system.git import find
    from crimes.workflows.setup.workflow import PATHS, workflow

    try:
        top = find(root).top
    except Unavailable as reason:
        raise UsageError(f"cannot set up --ci {host} in {root}: {reason}") from reason
    text = workflow(host, _default_branch(root), sarif=sarif)
    for number, place in enumerate(PATHS[host]):
        if _write_new_file(top, place, text):
            if number:
                notice(f"to run it, add this to {PATHS[host][0]}:  include: [{{local: {place}}}]")
            return True
    return False


def _default_branch(root: Path) -> str:
    """The branch the remote calls its own, else the one we are on."""
    from crimes.system.git import find, run

    for name in ("refs/remotes/origin/HEAD", "HEAD"):
        try:
            branch = run(find(root), "symbolic-ref", "--short", "--quiet", name).decode("utf-8", "replace")
        except Unavailable:
            continue
        return branch.strip().removeprefix("origin/") or _DEFAULT_BRANCH
    return _DEFAULT_BRANCH


def _write_new_file(top: Path, name: str, text: str) -> bool:
    """Write a new file below `top`, through no link that leads out of it. False where there is one already."""
    from crimes.system.durable import write_durably
    from crimes.system.safe_files import is_inside

    target = top / name
    if not is_inside(top.resolve(), os.path.realpath(target.parent)):
        raise EnvironmentFault(f"cannot write {name}: its folder is outside the repository")
    try:
        write_durably(target, text.encode(), new=True)
    except FileExistsError:
        notice(f"{name} already exists; left unchanged")
        return False
    except OSError as error:
        raise EnvironmentFault(f"cannot write {name}: {error.strerror}") from error
    notice(f"wrote {target}")
    return True
