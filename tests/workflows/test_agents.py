"""What `crimes init --agents` writes, that it overwrites nothing, and that --remove undoes exactly that."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crimes import __version__
from crimes.model.errors import UsageError
from crimes.workflows.setup.agents.files import additions, apply, removals
from crimes.workflows.setup.agents.json_text import Malformed, with_entry, without_entry
from crimes.workflows.setup.agents.texts import BEGIN, BLOCK, END, SETTINGS, SKILL, SKILLS, Agent
from tests.kit.command import run_at_terminal, run_crimes
from tests.kit.paths import ROOT

ENTRY = SETTINGS[0].entry
CLAUDE_SKILL, OTHER_SKILL = SKILLS
KEYS = ("hooks", "PreToolUse")


def files_in(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def install(root: Path) -> None:
    list(apply(root, additions(root)))


def uninstall(root: Path) -> None:
    list(apply(root, removals(root)))


def test_an_empty_repository_gets_everything_and_is_empty_again_afterwards(tmp_path: Path) -> None:
    install(tmp_path)
    assert set(files_in(tmp_path)) == {*SKILLS, "AGENTS.md", *(setting.file for setting in SETTINGS)}
    for setting in SETTINGS:
        written: Any = json.loads((tmp_path / setting.file).read_text())
        for key in setting.keys:
            written = written[key]
        assert written == ([setting.entry] if setting.in_list else setting.entry)
    before = files_in(tmp_path)
    assert additions(tmp_path) == {}
    install(tmp_path)
    assert files_in(tmp_path) == before
    uninstall(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert removals(tmp_path) == {}


@pytest.mark.parametrize("text", ["# Rules\n", "# Rules", "# Rules\n\n\n", "", "\r\nrules\r\n"])
def test_uninstall_restores_agents_md_exactly(tmp_path: Path, text: str) -> None:
    place = tmp_path / "AGENTS.md"
    place.write_bytes(text.encode())
    install(tmp_path)
    now = place.read_bytes().decode()
    assert now.startswith(text)
    assert now.count(BEGIN) == 1
    place.write_bytes(now.replace("`crimes plan", "`crimes old-plan").encode())
    install(tmp_path)  # an older block is brought up to date
    assert place.read_bytes().decode() == now
    uninstall(tmp_path)
    assert place.read_bytes().decode() == text


def test_text_after_our_block_is_kept(tmp_path: Path) -> None:
    install(tmp_path)
    place = tmp_path / "AGENTS.md"
    place.write_text(place.read_text() + "More.\n")
    uninstall(tmp_path)
    assert place.read_text() == "More.\n"


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"permissions": {"allow": ["Bash(ls)"]}}',
        '{\n    "hooks": {}\n}\n',
        '{\n\t"hooks": {"PreToolUse": []}\n}',
        '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}], "Stop": []}, "model": "x"}\n',
        '{"a": "\\"hooks\\": {", "hooks": {"PreToolUse": [1]}}',
    ],
)
def test_uninstall_restores_example_settings_exactly(tmp_path: Path, text: str) -> None:
    place = tmp_path / ".claude" / "settings.json"
    place.parent.mkdir()
    place.write_text(text)
    install(tmp_path)
    now = json.loads(place.read_text())
    assert now["hooks"]["PreToolUse"][0] == ENTRY
    before = json.loads(text)
    assert now["hooks"]["PreToolUse"][1:] == before.get("hooks", {}).get("PreToolUse", [])
    assert {key: value for key, value in now.items() if key != "hooks"} == {
        key: value for key, value in before.items() if key != "hooks"
    }
    uninstall(tmp_path)
    assert place.read_text() == text


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"hooks": []}', '{"hooks": {"PreToolUse": {}}}', "// x\n{}"]
)
def test_malformed_settings_are_refused_and_nothing_is_written(tmp_path: Path, text: str) -> None:
    place = tmp_path / ".claude" / "settings.json"
    place.parent.mkdir()
    place.write_text(text)
    with pytest.raises(UsageError, match=r"cannot edit .*settings\.json: .*nothing was written"):
        install(tmp_path)
    assert files_in(tmp_path) == {".claude/settings.json": text.encode()}


def test_foreign_skill_and_links_out_of_the_repository_are_refused(tmp_path: Path) -> None:
    inside = tmp_path / "repo"
    (inside / CLAUDE_SKILL).parent.mkdir(parents=True)
    (inside / CLAUDE_SKILL).write_text("---\nname: other\n---\n")
    with pytest.raises(UsageError, match="already exists with other content"):
        install(inside)
    (inside / CLAUDE_SKILL).unlink()
    (tmp_path / "outside.md").write_text("x\n")
    (inside / "AGENTS.md").symlink_to("../outside.md")
    with pytest.raises(UsageError, match="is a link out of the repository"):
        install(inside)
    assert (tmp_path / "outside.md").read_text() == "x\n"


def test_edited_skill_is_neither_overwritten_nor_removed(tmp_path: Path) -> None:
    install(tmp_path)
    changed = SKILL + "\nRun it in the container.\n"
    (tmp_path / CLAUDE_SKILL).write_text(changed)
    with pytest.raises(UsageError, match="already exists with other content"):
        install(tmp_path)
    uninstall(tmp_path)
    assert (tmp_path / CLAUDE_SKILL).read_text() == changed


def test_uninstall_works_after_settings_were_reformatted(tmp_path: Path) -> None:
    place = tmp_path / ".claude" / "settings.json"
    place.parent.mkdir()
    place.write_text('{"model": "x"}')
    install(tmp_path)
    place.write_text(json.dumps(json.loads(place.read_text())))
    uninstall(tmp_path)
    assert json.loads(place.read_text()) == {"hooks": {"Stop": [], "PreToolUse": []}, "model": "x"}


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
hooks = st.dictionaries(st.sampled_from(["PreToolUse", "Stop"]), st.lists(values, max_size=2), max_size=2)


@given(
    st.dictionaries(st.text(max_size=6).filter(lambda key: key != "hooks"), values, max_size=3),
    st.none() | hooks,
    st.sampled_from([None, 0, 2, 4, "\t"]),
)
def test_uninstall_restores_any_settings_exactly(
    others: dict[str, Any], inner: dict[str, Any] | None, indent: int | str | None
) -> None:
    text = json.dumps({**others, **({} if inner is None else {"hooks": inner})}, indent=indent)
    merged = with_entry(text, KEYS, ENTRY)
    assert ENTRY in json.loads(merged)["hooks"]["PreToolUse"]
    assert with_entry(merged, KEYS, ENTRY) == merged
    assert without_entry(merged, KEYS, ENTRY) == text


def test_a_list_that_is_no_list_is_malformed() -> None:
    with pytest.raises(Malformed, match="hooks is not an object"):
        with_entry('{"hooks": 1}', KEYS, ENTRY)


# The texts themselves, and the plugin of this repository.


def test_the_block_has_six_lines_and_the_skill_follows_its_standard() -> None:
    lines = BLOCK.splitlines()
    assert (len(lines), lines[0], lines[-1]) == (6, BEGIN, END)
    _, head, body = SKILL.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    assert fields["name"] == "crimes"
    assert 0 < len(fields["description"]) <= 1_024
    assert len(body.splitlines()) < 500


def test_commands_named_in_the_texts_exist() -> None:
    import re

    named = set(re.findall(r"`crimes ([a-z]+)", SKILL + BLOCK))
    assert named == {"context", "plan", "check", "explain", "scan"}
    for command in sorted(named):
        subprocess.run(
            [sys.executable, "-m", "crimes", command, "--help"], check=True, capture_output=True, cwd=ROOT
        )


def test_plugin_holds_the_same_texts() -> None:
    plugin = ROOT / "plugin"
    assert (plugin / "skills" / "crimes" / "SKILL.md").read_text("utf-8") == SKILL
    hooks = json.loads((plugin / "hooks" / "hooks.json").read_text())["hooks"]
    assert hooks == {setting.keys[1]: [setting.entry] for setting in SETTINGS[:2]}
    about = json.loads((plugin / ".claude-plugin" / "plugin.json").read_text())
    assert (about["name"], about["version"]) == ("crimes", __version__)
    assert json.loads((plugin / ".mcp.json").read_text())["mcpServers"]["crimes"]["args"] == ["mcp"]
    listed = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_text())["plugins"]
    assert [(ROOT / entry["source"]).resolve() for entry in listed] == [plugin]


def test_only_the_chosen_agents_are_set_up_and_the_block_goes_with_the_last(tmp_path: Path) -> None:
    list(apply(tmp_path, additions(tmp_path, [Agent.CLAUDE, Agent.CURSOR])))
    expected = {setting.file for setting in SETTINGS if setting.agent in (Agent.CLAUDE, Agent.CURSOR)}
    assert set(files_in(tmp_path)) == {*expected, *SKILLS, "AGENTS.md"}
    list(apply(tmp_path, removals(tmp_path, [Agent.CURSOR])))
    left = {setting.file for setting in SETTINGS if setting.agent is Agent.CLAUDE}
    assert set(files_in(tmp_path)) == {*left, CLAUDE_SKILL, "AGENTS.md"}
    list(apply(tmp_path, removals(tmp_path, [Agent.CLAUDE])))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text", ["{}", '{"mcpServers": {}}', '{"mcpServers": {"other": {"command": "x"}}}\n']
)
def test_the_server_is_registered_beside_others_and_removed_exactly(tmp_path: Path, text: str) -> None:
    place = tmp_path / ".mcp.json"
    place.write_text(text)
    install(tmp_path)
    servers = json.loads(place.read_text())["mcpServers"]
    assert servers == {
        "crimes": {"command": "crimes", "args": ["mcp"]},
        **json.loads(text).get("mcpServers", {}),
    }
    uninstall(tmp_path)
    assert place.read_text() == text


def test_a_server_of_our_name_that_somebody_changed_is_left_alone(tmp_path: Path) -> None:
    text = '{"mcpServers": {"crimes": {"command": "uvx", "args": ["crimes-cli", "mcp"]}}}'
    (tmp_path / ".mcp.json").write_text(text)
    with pytest.raises(UsageError, match=r"cannot edit \.mcp\.json: mcpServers\.crimes is already set"):
        install(tmp_path)
    assert files_in(tmp_path) == {".mcp.json": text.encode()}


def run_init(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return run_crimes(root, "init", "--root", root, *options)


def test_init_agents_installs_scans_and_removes(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("x = 1\n")
    first = run_init(tmp_path, "--agents").stderr
    assert "wrote AGENTS.md" in first
    assert "scanned 3 files: briefings are ready" in first
    assert "scanned" not in run_init(tmp_path, "--agents").stderr
    assert (tmp_path / CLAUDE_SKILL).is_file()
    assert run_init(tmp_path, "--remove").returncode == 2
    assert "removed AGENTS.md" in run_init(tmp_path, "--agents", "--remove").stderr
    assert [path.name for path in tmp_path.iterdir()] == ["app.py"]


def test_init_agents_for_named_agents_only(tmp_path: Path) -> None:
    done = run_init(tmp_path, "--agents", "--for", "codex, Codex")
    assert done.returncode == 0
    assert "for Codex, add the server with `codex mcp add crimes -- crimes mcp`" in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {".agents", ".codex", "AGENTS.md"}
    unknown = run_init(tmp_path, "--agents", "--for", "clippy")
    assert unknown.returncode == 2
    assert "'clippy' is not an agent crimes can set up; choose from claude, codex" in unknown.stderr
    assert "--for needs --agents" in run_init(tmp_path, "--for", "codex").stderr
    assert "name at least one agent" in run_init(tmp_path, "--agents", "--for", ",").stderr


def test_a_person_at_a_terminal_is_asked_and_offered_the_agents_in_use(tmp_path: Path) -> None:
    (tmp_path / ".cursor").mkdir()
    (tmp_path / "crimes.toml").touch()
    question = "Which agents (claude, codex, cursor, copilot)? [cursor]:"
    run_at_terminal(tmp_path, ["init", "--agents"], (question, ""))
    assert {path.name for path in tmp_path.iterdir()} == {".agents", ".cursor", "AGENTS.md", "crimes.toml"}
