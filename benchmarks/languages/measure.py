"""How well one language is read in one repository: python benchmarks/languages/measure.py LANGUAGE REPOSITORY

Prints what docs/languages.md has in its table: files, those without a parse error, files that lead to another of the repository
and imports that should but do not, and who depends on the five files whose dependents were counted by hand. What was counted
by hand, and what an independent tool says of the same repository, is noted beside this file.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from crimes.analyses.import_graph import IMPORT_GRAPH
from crimes.config.schema import Config
from crimes.engine.scan import scan


def _counted_by_hand(language: str) -> list[str]:
    notes = Path(__file__).parent / f"{language}.json"
    return (
        [one["file"] for one in json.loads(notes.read_text("utf-8"))["blast_radius"]]
        if notes.exists()
        else []
    )


def main(language: str, repository: str) -> None:
    root = Path(repository).resolve()
    context = scan(root, Config()).context
    repo, graph = context.repo, context[IMPORT_GRAPH]
    files = [file for file in repo.files.values() if file.language == language]
    inside = {
        (edge.source, edge.target) for edge in repo.edges if repo.files[edge.source].language == language
    }
    lost = [one for one in repo.external if not one.external and repo.files[one.source].language == language]
    head = subprocess.run(
        ["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    found = {
        "language": language,
        "repository": root.name,
        "commit": head.stdout.strip(),
        "files": len(files),
        "parsed_without_error": sum(not file.facts.errors for file in files),
        "internal_imports": len(inside) + len(lost),
        "resolved": len(inside),
        "blast_radius": [
            {
                "file": path,
                "direct": len(graph.direct(path)),
                "sure": graph.sure[path],
                "all": graph.possible[path],
            }
            for path in _counted_by_hand(language)
            if path in repo.files  # another repository may be measured, too
        ],
        "not_resolved": sorted(f"{one.source}:{one.line} {one.target}" for one in lost)[:20],
    }
    print(json.dumps(found, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
