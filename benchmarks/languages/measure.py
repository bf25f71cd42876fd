"""How well one language is read in one repository: python benchmarks/languages/measure.py LANGUAGE REPOSITORY

Prints the figures for the table of docs/languages.md: files, files without a parse error, resolved and unresolved imports
between files of the repository, and the dependents of the five files whose dependents were counted by hand. The counts by
hand, and those of an independent tool on the same repository, are in the JSON files beside this one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from crimes.analyses.import_graph import IMPORT_GRAPH
from crimes.config.schema import Config
from crimes.engine.scan import scan


def _files_counted_by_hand(language: str) -> list[str]:
    path = Path(__file__).parent / f"{language}.json"
    return (
        [row["file"] for row in json.loads(path.read_text("utf-8"))["blast_radius"]] if path.exists() else []
    )


def main(language: str, repository: str) -> None:
    root = Path(repository).resolve()
    context = scan(root, Config()).context
    repo, graph = context.repo, context[IMPORT_GRAPH]
    files = [file for file in repo.files.values() if file.language == language]
    paths = {file.path for file in files}
    resolved = {(edge.source, edge.target) for edge in repo.edges if edge.source in paths}
    unresolved = [row for row in repo.external if not row.external and row.source in paths]
    head = subprocess.run(
        ["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    figures = {
        "language": language,
        "repository": root.name,
        "commit": head.stdout.strip(),
        "files": len(files),
        "parsed_without_error": sum(not file.facts.errors for file in files),
        "internal_imports": len(resolved) + len(unresolved),
        "resolved": len(resolved),
        "blast_radius": [
            {
                "file": path,
                "direct": len(graph.direct(path)),
                "sure": graph.sure[path],
                "all": graph.possible[path],
            }
            for path in _files_counted_by_hand(language)
            if path in repo.files  # the counts are of one repository
        ],
        "not_resolved": sorted(f"{row.source}:{row.line} {row.target}" for row in unresolved)[:20],
    }
    print(json.dumps(figures, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
