"""The numbers trust rests on, counted from what a scan has read, linked and remembered. Nothing is read again."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import Struct

from crimes.analyses.history.depth import Depth
from crimes.discovery.discover import Tree
from crimes.judging.trust.arithmetic import Counts
from crimes.judging.trust.sampling import MIN_FUNCTIONS, Sample
from crimes.languages import by_id
from crimes.model.facts import FileFacts, Role
from crimes.model.repository import Repo, Skip

_OWN_CODE = frozenset({Role.SOURCE, Role.SCRIPT, Role.CONFIG})


class ScanInputs(Struct, frozen=True):
    """What a scan has seen. `depth` is None without any history; `working_set` names the files it is about, if few."""

    tree: Tree
    unread: Collection[Skip]
    repo: Repo
    depth: Depth | None
    working_set: frozenset[str] = frozenset()
    no_history: str = ""  # why there is none


def count_inputs(inputs: ScanInputs) -> Counts:
    """The numbers trust rests on."""
    repo, depth = inputs.repo, inputs.depth
    claimed = _claimed(inputs)
    unparsed = _unparsed(inputs)
    partly_parsed = {path for path, file in repo.files.items() if file.facts.errors and path not in unparsed}
    partial = len(claimed & partly_parsed)
    missing = sum(1 for path in claimed if path in unparsed)
    tests = {path for path, file in repo.files.items() if file.role is Role.TEST}
    code = {file.language for file in repo.files.values() if is_code(file.language)}
    return Counts(
        claimed=len(claimed),
        ok=len(claimed) - partial - missing,
        partial=partial,
        resolved=sum(1 for edge in repo.edges if not edge.via),
        unresolved=sum(1 for item in repo.external if not item.external and not item.guarded),
        graph=not code or any(by_id[language].resolver for language in code),
        git=depth is not None,
        no_git=inputs.no_history,
        cut=depth.cut if depth else "",
        days=depth.days if depth else 0,
        test_files=len(tests),
        tests_resolving=len({edge.source for edge in repo.edges if edge.source in tests}),
        working_set_unparsed=len(unparsed & inputs.working_set),
        working_set_partial=len(partly_parsed & inputs.working_set),
        sample=Sample(
            files=len(claimed),
            functions=_functions_in(repo, claimed),
            commits=depth.commits if depth else 0,
            span_days=depth.span_days if depth else 0,
        ),
    )


def _functions_in(repo: Repo, paths: Iterable[str]) -> int:
    """The number of functions, counted until there are enough: facts of files are loaded when somebody looks at them."""
    functions = 0
    for path in sorted(paths):
        if functions >= MIN_FUNCTIONS:
            break
        if path in repo.files:
            functions += len(repo.files[path].facts.functions)
    return functions


def _claimed(inputs: ScanInputs) -> set[str]:
    """Files the scan is about: the repository's own code; without any, all code; without that, documents.

    Broken code in the fixtures of a parser's tests is no gap, and neither is a vendored file in a dialect of its own.
    """
    roles = {source.path: (source.language, source.role) for source in inputs.tree.files}
    skipped = {skip.path for skip in inputs.tree.skipped if skip.claimed}
    code = {path: role for path, (language, role) in roles.items() if is_code(language)}
    own = {path for path, role in code.items() if role in _OWN_CODE} | skipped
    return own or set(code) or set(roles)


def is_code(language: str) -> bool:
    """Whether a grammar reads it: a document has a reader of its own."""
    return by_id[language].read is None


def _unparsed(inputs: ScanInputs) -> set[str]:
    """Files that could not be read, or of which the grammar understood less than half."""
    skips = (*inputs.unread, *(skip for skip in inputs.tree.skipped if skip.claimed))
    broken = (
        path for path, file in inputs.repo.files.items() if file.facts.errors and _mostly_broken(file.facts)
    )
    return {*(skip.path for skip in skips), *broken}


def _mostly_broken(facts: FileFacts) -> bool:
    bad: set[int] = set()
    for error in facts.errors:
        bad.update(range(error.line, error.end + 1))
    return 2 * len(bad) >= facts.lines
