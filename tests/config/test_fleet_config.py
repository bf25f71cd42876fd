"""fleet.toml: what it may hold, and that every fault in it is named at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.config.fleet import FleetFile, Limits, load_fleet, parse_list
from crimes.model.errors import ConfigError, UsageError
from crimes.workflows.fleet.members import members_of
from crimes.workflows.fleet.setup import fleet_text


def load(folder: Path, text: str) -> FleetFile:
    (folder / "fleet.toml").write_text(text)
    return load_fleet(folder / "fleet.toml", {})


def make_checkouts(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name / ".git").mkdir(parents=True)


def test_groups_hand_on_branch_tags_and_settings_unless_a_repository_has_its_own(tmp_path: Path) -> None:
    make_checkouts(tmp_path, "src/a", "src/deep/b", "pay/c")
    fleet = load(
        tmp_path,
        """
folders = ["src"]
store = "results"
[limits]
seconds = 60
[groups.pay]
folders = ["pay"]
repositories = ["https://git.example.org/acme/ledger.git"]
branch = "main"
tags = { team = "pay", tier = "1" }
settings = { exclude = ["vendor/"] }
[[repositories]]
folder = "src/a"
group = "pay"
branch = "release"
tags = { team = "edge" }
""",
    )
    assert fleet.limits == Limits(seconds=60)
    members = {member.name: member for member in members_of(fleet, tmp_path)}
    assert sorted(members) == ["a", "acme/ledger", "c", "deep/b"]
    assert members["a"].branch == "release"
    assert members["a"].tags == {"team": "edge", "tier": "1"}
    assert members["a"].settings == {"exclude": ["vendor/"]}
    assert members["acme/ledger"].branch == "main"
    assert members["c"].group == "pay"
    assert members["deep/b"].tags == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('foldrs = ["a"]', "foldrs: unknown key; did you mean folders?"),
        ("[limits]\nsecond = 3", "limits.second: unknown key; did you mean seconds?"),
        ("[limits]\nmemory_mb = 10", "limits.memory_mb: expected at least 256, found 10"),
        ('[[repositories]]\nname = "a"', "repositories[1]: expected either `folder` or `address`"),
        (
            '[groups.pay]\n[[repositories]]\nfolder = "a"\ngroup = "play"',
            "repositories[1].group: unknown group 'play'; did you mean pay?",
        ),
        ('[groups.a]\nfolders = ["x"]\nbranch = "-x"', "groups.a.branch: '-x' is not the name of a branch"),
        (
            '[groups.a]\nfolders = ["x"]\ntags = { team = 1 }',
            "groups.a.tags.team: expected a string, found 1",
        ),
        (
            '[[repositories]]\nfolder = "a"\nsettings = { exclud = [] }',
            "repositories[1].settings.exclud: unknown key; did you mean exclude?",
        ),
        ("", "names no repository"),
    ],
)
def test_faults_are_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(ConfigError) as fault:
        load(tmp_path, text)
    assert problem in str(fault.value)


def test_a_password_is_refused_and_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as fault:
        load(tmp_path, 'repositories = ["https://me:secret@git.example.org/x.git", "ext::sh -c id"]')
    assert "git's own configuration" in str(fault.value)
    assert "transport that is not allowed" in str(fault.value)
    assert "secret" not in str(fault.value)


def test_a_list_names_folders_and_addresses(tmp_path: Path) -> None:
    fleet = parse_list("# all of them\na/x\n\nb/x\ngit@git.example.org:acme/y.git\n", "stdin")
    names = [member.name for member in members_of(fleet, Path("/srv"))]
    assert names == ["acme/y", "srv/a/x", "srv/b/x"], "those that share a name are called after their path"
    with pytest.raises(ConfigError, match="line 2"):
        parse_list("a\nhttps://tok@git.example.org/x\n", "stdin")
    with pytest.raises(UsageError, match="no repository found"):
        members_of(parse_list("", "stdin"), tmp_path)


def test_a_new_file_holds_the_checkouts_of_a_folder(tmp_path: Path) -> None:
    make_checkouts(tmp_path, "src/a", "src/pay/b", "src/pay/c")
    text = fleet_text(tmp_path / "src", tmp_path)
    members = {member.name: member for member in members_of(load(tmp_path, text), tmp_path)}
    assert {name: member.group for name, member in members.items()} == {"a": "", "b": "pay", "c": "pay"}
    commented = [row.removeprefix("# ") for row in text.splitlines() if row.startswith("# [limits]")]
    assert commented
    with pytest.raises(UsageError, match="no git checkout"):
        fleet_text(tmp_path / "src" / "a" / ".git", tmp_path)
