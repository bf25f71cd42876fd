"""What the tools answer as data. Field names have to be understood without the schema: some agents see nothing else.

Fields that are empty are left out of an answer, and the schemas name types only: every agent loads them in every session.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


def without_title(schema: dict[str, Any]) -> None:
    """Remove the title of a schema, which repeats the name of what it describes."""
    schema.pop("title", None)


def _bare(schema: dict[str, Any]) -> None:
    """Remove from the schema of a model what no agent needs."""
    for part in (schema, *schema.get("properties", {}).values()):
        for key in ("title", "description", "default"):
            part.pop(key, None)


class Data(BaseModel):
    """An answer, or a part of one."""

    model_config = ConfigDict(json_schema_extra=_bare)


class Answer(Data):
    """A whole answer, with what it lacks."""

    trust: str = ""  # how far to trust the scan; empty for one that is trusted
    not_shown: dict[str, int] = {}  # by list: how many more there are
    notes: list[str] = []  # how old it is, what was not included


class FindingData(Data):
    id: str
    severity: str
    type: str
    at: str  # file:line
    message: str
    symbol: str = ""


class Companion(Data):
    file: str
    commits_with_it: int
    of_its_last: int


class NameData(Data):
    signature: str
    line: int
    exported_by: str = ""
    public_api: bool = False
    documented_in: str = ""


class TestData(Data):
    __test__ = False  # the name is no test case

    command: str = ""
    not_sure: str = ""  # why there is no command
    imported_by: list[str] = []
    called_at: list[str] = []
    also: list[str] = []  # what else speaks of tests


class FileData(Data):
    file: str
    part: str = ""
    edit_risk: str = ""
    risk_profile: str = ""
    findings: list[FindingData] = []
    facts: list[str] = []  # that hold for the file
    changes_with_it: list[Companion] = []
    called_at: list[str] = []
    named_at: list[str] = []
    used_by: list[str] = []
    copies: list[str] = []
    names: list[NameData] = []
    tests: TestData = TestData()
    checks: list[str] = []
    read_first: list[str] = []
    fixes: list[str] = []
    not_known: list[str] = []


class FileContext(Answer):
    files: list[FileData]


class Impact(Answer):
    symbol: str
    defined_at: str
    signature: str = ""
    exported_by: str = ""
    public_api: bool = False
    documented_in: str = ""
    breaks: str
    called_at: list[str] = []
    named_at: list[str] = []
    tests: TestData
    not_known: list[str] = []


class Explained(FindingData):
    agent_risk: float | None = None
    confidence: float | None = None
    why: str = ""
    fix: str = ""
    evidence: list[str] = []
    related: list[str] = []


class Explanation(Answer):
    findings: list[Explained]


class HotFile(Data):
    rank: int
    file: str
    needs_a_fix: str = ""  # of files like this, within six months
    commits_in_a_year: int = 0
    fixes_in_a_year: int = 0
    lines: int
    complexity: int = 0
    findings: int = 0
    worst_finding: str = ""
    facts: list[str] = []


class HotFiles(Answer):
    files: list[HotFile]
    unranked: list[str] = []  # where ranks are withheld: files with their size, the largest first


class ChangeData(Data):
    fact: str
    fix: str = ""
    places: list[str] = []


class ChangeCheck(Answer):
    verdict: str
    why: list[str] = []
    broken: list[ChangeData] = []
    look: list[ChangeData] = []
    new: list[FindingData] = []
    fixed: list[FindingData] = []
    not_edited: list[str] = []  # files that usually change with the edited ones
    run: list[str] = []  # commands
    tests: list[str] = []
