"""The edit risk of all ranked files as a report has it, with the three scores of each file."""

from __future__ import annotations

from crimes.analyses.edit_risk import EDIT_RISK
from crimes.analyses.history.history import HISTORY
from crimes.analyses.import_graph import IMPORT_GRAPH
from crimes.analyses.test_map import TEST_MAP
from crimes.detection.context import Context
from crimes.judging.judge import analysis_or_none
from crimes.model.edit_risk import RankedFile, RankedFiles
from crimes.model.hundredths import share
from crimes.model.scores import blast_radius, churn


def ranked_files(context: Context) -> RankedFiles:
    """The ranked files of a scan, the riskiest first."""
    risks = context[EDIT_RISK]
    history = analysis_or_none(context, HISTORY)
    graph = analysis_or_none(context, IMPORT_GRAPH)
    tests = analysis_or_none(context, TEST_MAP)
    per_line = {file.path: rank for rank, file in enumerate(risks.per_line(), 1)}
    files = []
    for path, file in risks.files.items():
        past = history.files.get(path) if history else None
        files.append(
            RankedFile(
                file=path,
                edit_risk=file.risk,
                rank=file.rank,
                rank_per_line=per_line[path],
                band="" if file.band is None else file.band.text,
                terms=file.terms,
                lines=file.lines,
                complexity=file.complexity,
                commits_365d=file.edits.commits_365d,
                fixes_365d=file.edits.fixes_365d,
                weighted_commits=round(file.edits.commits, 2),
                weighted_fixes=round(file.edits.fixes, 2),
                churn=share(churn(past.commits_90d if past else 0)),
                test_gap=share(tests.gap(path) if tests else 0),
                blast_radius=share(blast_radius(graph.possible.get(path, 0) if graph else 0)),
            )
        )
    return RankedFiles(risks.scale.files, risks.scale.fixed, risks.limited, tuple(files))
