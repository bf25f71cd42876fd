"""Everything a detector may import."""

from crimes.analyses.admissions import admitted_in_a_comment
from crimes.analyses.clones import CLONES, CloneClass, Clones, Copy
from crimes.analyses.code_tokens import DECISION_KEYWORDS, TOKEN, code_lines, same_names
from crimes.analyses.conditions import may_act, only_looks
from crimes.analyses.copies.excuses import excuse
from crimes.analyses.copies.groups import (
    CloneGroup,
    Limits,
    Region,
    SourceLines,
    components,
    regions_of,
    shared_lines,
    verified_groups,
)
from crimes.analyses.copies.past_edits import PAST_EDITS, PastEdits
from crimes.analyses.copies.shared_edits import SharedEdit, distinct_edits, shared_edits
from crimes.analyses.coverage.analysis import COVERAGE, Coverage, FileRun, LineCount
from crimes.analyses.cycle_cuts import (
    arrows_of,
    cycles_in,
    fewest_cuts,
    has_long_cycle,
    independent_cycles,
    shortest_cycle,
    shortest_way,
    without,
)
from crimes.analyses.dependency_pins import PINS, Pins
from crimes.analyses.drift.drifts import DRIFTS, Drift
from crimes.analyses.drift.similar_functions import FunctionRef
from crimes.analyses.function_edits import FUNCTION_EDITS, FunctionEdits, FunctionPast, edit_period
from crimes.analyses.function_totals import TOTALS
from crimes.analyses.history.fixes import CommitRef
from crimes.analyses.history.history import HISTORY, FileHistory, History
from crimes.analyses.history.subjects import quotable_subject
from crimes.analyses.import_graph import IMPORT_GRAPH, ImportGraph
from crimes.analyses.layers import LAYERS, LayerMap
from crimes.analyses.repository_names import NAMES, Names
from crimes.analyses.stated_reasons import states_reason
from crimes.analyses.symbols import SYMBOLS, CallSite, ImportedNames, Symbol, Symbols, last_name
from crimes.analyses.test_map import TEST_MAP, TestMap, Tests
from crimes.detection.context import ANY, Analysis, Pass
from crimes.detection.detector import Commit, Detector, Example, NoOptions, Provider, option
from crimes.detection.per_file import per_file, per_file_given, per_file_text
from crimes.languages.engine.load_uses import names_used
from crimes.languages.linking.manifest import Pin
from crimes.languages.markdown.commands import NeedKind, needs
from crimes.model.errors import Unavailable
from crimes.model.facts import (
    LOAD_KINDS,
    SURE_KINDS,
    Branch,
    Call,
    Class,
    Comment,
    EdgeKind,
    FileFacts,
    Function,
    Handler,
    Hidden,
    Import,
    Mention,
    Overwrite,
    Param,
    Repeat,
    Role,
    Statement,
    Tangle,
    Text,
)
from crimes.model.finding import (
    Category,
    Effort,
    Excused,
    Finding,
    Measure,
    Place,
    Related,
    Signal,
    at_file,
    at_function,
)
from crimes.model.function_phrase import function_phrase, function_subject
from crimes.model.kind import Kind
from crimes.model.lazy_regex import regex
from crimes.model.repository import Edge, ExternalImport, File, Repo, Undeclared
from crimes.model.safe_parsing import parse_toml, split_command
from crimes.model.severity import Severity
from crimes.model.wording import count, cut_at_word, quoted_names

__all__ = [
    "ANY",
    "CLONES",
    "COVERAGE",
    "DECISION_KEYWORDS",
    "DRIFTS",
    "FUNCTION_EDITS",
    "HISTORY",
    "IMPORT_GRAPH",
    "LAYERS",
    "LOAD_KINDS",
    "NAMES",
    "PAST_EDITS",
    "PINS",
    "SURE_KINDS",
    "SYMBOLS",
    "TEST_MAP",
    "TOKEN",
    "TOTALS",
    "Analysis",
    "Branch",
    "Call",
    "CallSite",
    "Category",
    "Class",
    "CloneClass",
    "CloneGroup",
    "Clones",
    "Comment",
    "Commit",
    "CommitRef",
    "Copy",
    "Coverage",
    "Detector",
    "Drift",
    "Edge",
    "EdgeKind",
    "Effort",
    "Example",
    "Excused",
    "ExternalImport",
    "File",
    "FileFacts",
    "FileHistory",
    "FileRun",
    "Finding",
    "Function",
    "FunctionEdits",
    "FunctionPast",
    "FunctionRef",
    "Handler",
    "Hidden",
    "History",
    "Import",
    "ImportGraph",
    "ImportedNames",
    "Kind",
    "LayerMap",
    "Limits",
    "LineCount",
    "Measure",
    "Mention",
    "Names",
    "NeedKind",
    "NoOptions",
    "Overwrite",
    "Param",
    "Pass",
    "PastEdits",
    "Pin",
    "Pins",
    "Place",
    "Provider",
    "Region",
    "Related",
    "Repeat",
    "Repo",
    "Role",
    "Severity",
    "SharedEdit",
    "Signal",
    "SourceLines",
    "Statement",
    "Symbol",
    "Symbols",
    "Tangle",
    "TestMap",
    "Tests",
    "Text",
    "Unavailable",
    "Undeclared",
    "admitted_in_a_comment",
    "arrows_of",
    "at_file",
    "at_function",
    "code_lines",
    "components",
    "count",
    "cut_at_word",
    "cycles_in",
    "distinct_edits",
    "edit_period",
    "excuse",
    "fewest_cuts",
    "function_phrase",
    "function_subject",
    "has_long_cycle",
    "independent_cycles",
    "last_name",
    "may_act",
    "names_used",
    "needs",
    "only_looks",
    "option",
    "parse_toml",
    "per_file",
    "per_file_given",
    "per_file_text",
    "quotable_subject",
    "quoted_names",
    "regex",
    "regions_of",
    "same_names",
    "shared_edits",
    "shared_lines",
    "shortest_cycle",
    "shortest_way",
    "split_command",
    "states_reason",
    "verified_groups",
    "without",
]
