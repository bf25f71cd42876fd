"""Facts against the parse floor, and the walk against running the same captures as a query: `python benchmarks/facts.py REPO…`.

Each file is parsed, queried and walked in turn, so that noise of the machine affects all three alike. Figures are ratios to
the parse.

parse     tree-sitter alone
query     parse, and collect the captures of the language's query files
walk      parse, and visit every node without looking at it
facts     everything `read_facts` does, its own parse included
"""

from __future__ import annotations

import argparse
import gc
from collections import defaultdict
from pathlib import Path
from time import process_time

from tree_sitter import Query, QueryCursor, Tree

from crimes.config.schema import Config
from crimes.discovery.discover import discover
from crimes.languages import by_id
from crimes.languages.engine.facts import as_utf8, read_facts, reader_of
from crimes.languages.engine.reading import Unreadable
from crimes.languages.engine.table import query_text


def measure(repo: Path) -> dict[str, dict[str, float]]:
    """CPU seconds by language and kind of work."""
    seconds: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    tree = discover(repo, Config(), by_id)
    queries: dict[str, Query] = {}
    for source in tree.files:
        language = by_id[source.language]
        if language.syntax is None:
            continue
        parser, reader = reader_of(language)
        if language.id not in queries:
            queries[language.id] = Query(reader.table.grammar, query_text(language.syntax.queries))
        try:
            text = as_utf8(tree.read(source.path))
        except Unreadable:
            continue
        times = seconds[language.id]
        start = process_time()
        parsed = parser.parse(text)
        floor = process_time() - start
        times["parse"] += floor
        start = process_time()
        QueryCursor(queries[language.id]).captures(parsed.root_node)
        times["query"] += floor + process_time() - start
        start = process_time()
        visit_all_nodes(parsed)
        times["walk"] += floor + process_time() - start
        start = process_time()
        read_facts(language, text)
        times["facts"] += process_time() - start
    return seconds


def visit_all_nodes(tree: Tree) -> None:
    cursor = tree.walk()
    at_new_node = True
    while at_new_node:
        node = cursor.node
        assert node is not None
        at_new_node = node.kind_id >= 0 and (cursor.goto_first_child() or cursor.goto_next_sibling())
        while not at_new_node and cursor.goto_parent():
            at_new_node = cursor.goto_next_sibling()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repos", nargs="+", type=Path, metavar="REPO")
    gc.disable()
    print(f"{'repository':<24} {'language':<12} {'parse s':>8} {'query':>6} {'walk':>6} {'facts':>6}")
    for repo in parser.parse_args().repos:
        for language, times in sorted(measure(repo).items()):
            floor = times["parse"]
            ratios = " ".join(f"{times[kind] / floor:6.2f}" for kind in ("query", "walk", "facts"))
            print(f"{repo.name:<24} {language:<12} {floor:8.2f} {ratios}")


if __name__ == "__main__":
    main()
