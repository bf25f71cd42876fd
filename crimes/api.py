"""Everything a detector may import."""

from crimes.analyses.coverage import COVERAGE, Coverage, FileRun, Ran
from crimes.analyses.history import HISTORY, CommitRef, FileHistory, History
from crimes.analyses.import_graph import IMPORT_GRAPH, ImportGraph
from crimes.analyses.names import NAMES, Names
from crimes.analyses.reach import condense
from crimes.analyses.test_map import TEST_MAP, TestMap, Tests
from crimes.context import Analysis, Pass, Repo
from crimes.detector import ANY, Commit, Detector, Example, NoOptions, option
from crimes.errors import Unavailable
from crimes.finding import (
    Category,
    Effort,
    Finding,
    Measure,
    Place,
    Related,
    Signal,
    at_file,
    at_function,
)
from crimes.languages.markdown.commands import Thing, needs
from crimes.model import (
    LOAD_KINDS,
    SURE_KINDS,
    Branch,
    Call,
    Class,
    Comment,
    Edge,
    EdgeKind,
    File,
    Function,
    Handler,
    Mention,
    Role,
    Severity,
)

__all__ = [
    "ANY",
    "COVERAGE",
    "HISTORY",
    "IMPORT_GRAPH",
    "LOAD_KINDS",
    "NAMES",
    "SURE_KINDS",
    "TEST_MAP",
    "Analysis",
    "Branch",
    "Call",
    "Category",
    "Class",
    "Comment",
    "Commit",
    "CommitRef",
    "Coverage",
    "Detector",
    "Edge",
    "EdgeKind",
    "Effort",
    "Example",
    "File",
    "FileHistory",
    "FileRun",
    "Finding",
    "Function",
    "Handler",
    "History",
    "ImportGraph",
    "Measure",
    "Mention",
    "Names",
    "NoOptions",
    "Pass",
    "Place",
    "Ran",
    "Related",
    "Repo",
    "Role",
    "Severity",
    "Signal",
    "TestMap",
    "Tests",
    "Thing",
    "Unavailable",
    "at_file",
    "at_function",
    "condense",
    "needs",
    "option",
]
