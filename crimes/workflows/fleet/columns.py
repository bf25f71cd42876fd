"""The tables of a run, column by column. `docs/fleet.md` is made from this.

Adding a column is a minor version; renaming or removing one, or changing its type, is a major version.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

TABLES_VERSION = "1.0"

Type = Literal["text", "integer", "number", "truth", "list of text", "map of text"]


class Column(NamedTuple):
    """A column of a table."""

    name: str
    type: Type
    about: str  # may be null: said here


REPOSITORY = Column("repository", "text", "name of the repository in the fleet")

REPOSITORIES = (
    REPOSITORY,
    Column("group", "text", "its group in fleet.toml; empty without one"),
    Column("tags", "map of text", "its tags, those of its group included, such as team and tier"),
    Column("source", "text", "its folder, or its address without user name and password"),
    Column("branch", "text", "the branch that was asked for; empty for what HEAD names"),
    Column(
        "status",
        "text",
        "`scanned`, or why it was not: `gone`, `empty`, `corrupt`, `refused`, `settings`, `too-large`, `timeout`, "
        "`out-of-memory`, `crash`, `killed` or `error`",
    ),
    Column("reason", "text", "what went wrong, in words; empty when it was scanned"),
    Column("commit", "text", "the commit that was scanned; empty without a scan, like all that follows"),
    Column("commit_time", "text", "the moment up to which history counts"),
    Column("tool", "text", "the version of crimes"),
    Column("trust", "text", "`trusted`, `directional` or `abstained`"),
    Column("language", "text", "language with most lines of code"),
    Column("files", "integer", "files that were read; null without a scan"),
    Column("lines", "integer", "lines of code; null without a scan"),
    Column("findings", "integer", "findings about code; null without a scan"),
    Column("high", "integer", "of these, of high severity"),
    Column("medium", "integer", "of these, of medium severity"),
    Column("low", "integer", "of these, of low severity"),
    Column(
        "findings_per_kloc", "number", "findings per 1,000 lines of code; under 1,000 lines, per repository"
    ),
    Column("risk", "number", "sum of the agent_risk of its findings about code"),
    Column("risk_per_kloc", "number", "`risk` per 1,000 lines of code; under 1,000 lines, per repository"),
    Column("detectors", "list of text", "detectors that ran"),
    Column("unread", "list of text", "files that were not read"),
)

FINDINGS = (
    REPOSITORY,
    Column("fingerprint", "text", "identity that survives moved lines, reformatting and edits elsewhere"),
    Column("type", "text", "id of the detector"),
    Column("category", "text", "family of the detector"),
    Column("severity", "text", "`high`, `medium` or `low`"),
    Column("kind", "text", "`code`: something can be fixed; `place`: be careful here"),
    Column("state", "text", "`shown`; `hidden` for low confidence; `ignored` on request"),
    Column("file", "text", "path from the root"),
    Column("symbol", "text", "qualified name of the function or class; empty for none"),
    Column("line", "integer", "first line, from 1"),
    Column("end_line", "integer", "last line, itself included"),
    Column("role", "text", "what the file is for"),
    Column("confidence", "number", "how sure it is, from 0 to 1"),
    Column("agent_risk", "number", "how likely an edit here goes wrong, from 0 to 1; null where withheld"),
    Column("fact", "text", "what was found, in one sentence"),
    Column("within", "text", "identity inside its file; survives a rename of the file"),
    Column("code", "text", "sketch of the code; survives a move and a rename"),
    Column("copies", "integer", "for duplicated code: how many copies there are"),
    Column("members", "list of text", "for duplicated code: the place of each copy"),
)

FILES = (
    REPOSITORY,
    Column("file", "text", "path from the root"),
    Column(
        "edit_risk", "number", "how likely this file is to need the next fix; null where ranks are withheld"
    ),
    Column("rank", "integer", "from 1, the riskiest of its repository first; null where withheld"),
    Column("band", "text", "how many files like this need a fix within 180 days, in words"),
    Column("lines", "integer", "lines of code"),
    Column("complexity", "integer", "cognitive complexity, summed over its functions"),
    Column("commits_365d", "integer", "commits in the year before; null where withheld"),
    Column("fixes_365d", "integer", "of these, commits that call themselves a fix; null where withheld"),
    Column("churn", "number", "how often it changes, from 0 to 1; null where withheld"),
    Column("test_gap", "number", "1 without tests, 0 when a test imports it; null where withheld"),
    Column("blast_radius", "number", "how many files reach it, from 0 to 1; null where withheld"),
)

TRUST = (
    REPOSITORY,
    Column("classification", "text", "`trusted`, `directional` or `abstained`"),
    Column("status", "text", "`complete`, `degraded` or `unsupported`"),
    Column("validity", "text", "`fully_comparable`, `partially_comparable` or `not_comparable`"),
    Column("can_compare", "truth", "whether its numbers can be compared with those of another scan"),
    Column("composite", "number", "how far the scan can be trusted, from 0 to 1; null when it did not end"),
    Column("parse_coverage", "number", "share of source files that were parsed; may be null"),
    Column("import_resolution", "number", "share of internal imports that lead to a file; may be null"),
    Column("history_depth", "number", "how much of the history was seen; may be null"),
    Column("test_discovery", "number", "how well tests were found; may be null"),
    Column("reasons", "list of text", "what weakens trust"),
    Column("withheld", "list of text", "what the scan does not give, such as `edit_risk`"),
)

TABLES = {"repositories": REPOSITORIES, "findings": FINDINGS, "files": FILES, "trust": TRUST}
