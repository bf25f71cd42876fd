"""How well edit risk ranks the files that are fixed later: python benchmarks/validity/table.py [options] CHECKOUT...

Runs `crimes backtest` on each checkout (full history, nothing is fetched) and prints a row per repository and the means over all cuts.
`--findings` also ranks files by the sum of agent_risk of their findings, which needs a whole scan at each cut. `--save FILE` keeps the
figures as JSON and skips what is there already; without checkouts, the table of that file is printed. docs/validity.md shows the result.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from crimes.model.errors import CrimesError
from crimes.workflows.backtest.measure import mean_qualities, rank_quality, with_measures
from crimes.workflows.backtest.result import Cut, Difference, MeanQuality
from crimes.workflows.backtest.run import DEFAULT_DAYS, describe_cut, find_moments, read_cut
from crimes.workflows.session import Session

FINDINGS = "sum_of_agent_risk"
NAMES = {
    "edit_risk": "edit risk",
    "file_length": "lines of code",
    "loc_x_churn": "LOC x (1 + commits of 90 days)",
    FINDINGS: "sum of agent_risk of the findings",
}


class Measured(msgspec.Struct, frozen=True):
    """The cuts of one repository."""

    repository: str
    days: int
    cuts: tuple[Cut, ...]


def measure(root: Path, days: int, cuts: int, *, findings: bool) -> Measured:
    """The measures of a repository at its newest cuts."""
    session = Session(root)
    measured = []
    for end, moment in pairwise(find_moments(session, days, cuts)):
        past = read_cut(session, moment, end)
        cut = with_measures(describe_cut(moment, end, past), past.outcomes, days)
        if findings and not cut.stopped:
            fixes = [outcome.fixes for outcome in past.outcomes]
            sums = _sums_of_agent_risk(session, cut.commit)
            scores = [sums[outcome.risk.path] for outcome in past.outcomes]
            cut = msgspec.structs.replace(
                cut, rankings=(*cut.rankings, rank_quality(FINDINGS, scores, fixes))
            )
        measured.append(cut)
    return Measured(root.name, days, tuple(measured))


def _sums_of_agent_risk(session: Session, commit: str) -> Mapping[str, float]:
    """By file, the agent_risk of its code findings at a commit, added up."""
    sums: defaultdict[str, float] = defaultdict(float)
    for crime in session.report_on_commit(commit, session.config()).code_findings:
        sums[crime.file] += crime.scores.agent_risk or 0
    return sums


def table(results: Sequence[Measured]) -> Iterator[str]:
    """The rows of all repositories and the means, as Markdown."""
    yield "| repository | cut | files | fixed | ROC-AUC: edit risk | length | LOC x churn | difference | average precision: edit risk | length | LOC x churn | difference |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for result in results:
        for cut in result.cuts:
            yield _row(result.repository, cut)
    cuts = [cut for result in results for cut in result.cuts if cut.rankings]
    yield ""
    yield f"{len(cuts)} cuts of {sum(any(cut.rankings for cut in result.cuts) for result in results)} repositories:"
    yield ""
    yield "| ranking | ROC-AUC | average precision | first ten: fixed later | fixes in the first tenth | behind edit risk in ROC-AUC | in average precision |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for mean in mean_qualities([msgspec.structs.replace(cut, rankings=cut.rankings[:3]) for cut in cuts]):
        yield _mean_row(mean, len(cuts))
    with_findings = [cut for cut in cuts if cut.rankings[-1].ranking == FINDINGS]
    if with_findings:
        yield ""
        yield f"{len(with_findings)} cuts where the findings were ranked, too:"
        yield ""
        for mean in mean_qualities(with_findings):
            yield _mean_row(mean, len(with_findings))
    yield ""
    yield from _bands(cuts)


def _row(repository: str, cut: Cut) -> str:
    cells = [repository, cut.time[:10], f"{cut.files:,}", f"{cut.fixed_files:,}"]
    if not cut.rankings:
        return f"| {' | '.join(cells)} | {cut.stopped} |" + " |" * 7
    differences = {
        difference.measure: difference for difference in cut.differences if difference.than == "file_length"
    }
    for name in ("roc_auc", "average_precision"):
        cells += [_decimals(getattr(quality, name)) for quality in cut.rankings[:3]]
        cells.append(_difference(differences[name]))
    return f"| {' | '.join(cells)} |"


def _difference(difference: Difference) -> str:
    text = f"{difference.value:+.3f}".replace("0.", ".", 1)
    return f"**{text}**" if difference.distinguishable else text


def _mean_row(mean: MeanQuality, cuts: int) -> str:
    behind = (
        ("", "")
        if mean.ranking == "edit_risk"
        else (
            f"{mean.behind_in_roc_auc} of {cuts}",
            f"{mean.behind_in_average_precision} of {cuts}",
        )
    )
    cells = (
        NAMES[mean.ranking],
        _decimals(mean.roc_auc),
        _decimals(mean.average_precision),
        f"{mean.first_ten_fixed * 10:.0f}%",
        f"{mean.first_tenth * 100:.0f}%",
        *behind,
    )
    return f"| {' | '.join(cells)} |"


def _bands(cuts: Sequence[Cut]) -> Iterator[str]:
    """Predicted and observed shares of fixed files, over all cuts."""
    files: Counter[str] = Counter()
    predicted: defaultdict[str, float] = defaultdict(float)
    fixed: Counter[str] = Counter()
    for cut in cuts:
        for band in cut.bands:
            files[band.band] += band.files
            predicted[band.band] += band.predicted
            fixed[band.band] += band.fixed
    yield "| band | files | predicted | fixed |"
    yield "|---|---:|---:|---:|"
    for name in files:
        share, observed = predicted[name] / files[name], fixed[name] / files[name]
        yield f"| {name} | {files[name]:,} | {share * 100:.0f}% | {observed * 100:.0f}% |"


def _decimals(share: float) -> str:
    return f"{share:.3f}".removeprefix("0")


def _load(file: Path | None) -> list[Measured]:
    if file is None or not file.exists():
        return []
    return msgspec.json.decode(file.read_bytes(), type=list[Measured])


def main(arguments: Sequence[str]) -> int:
    """Measure the checkouts that are not in the file yet, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkouts", nargs="*", type=Path)
    parser.add_argument("--days", type=int, default=DEFAULT_DAYS)
    parser.add_argument("--cuts", type=int, default=2)
    parser.add_argument("--findings", action="store_true")
    parser.add_argument("--save", type=Path)
    options = parser.parse_args(arguments)
    results = _load(options.save)
    known = {result.repository for result in results}
    for checkout in options.checkouts:
        if checkout.resolve().name in known:
            continue
        try:
            results.append(measure(checkout.resolve(), options.days, options.cuts, findings=options.findings))
        except CrimesError as fault:
            print(f"{checkout.name}: {fault}", file=sys.stderr)
            continue
        if options.save:
            options.save.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    print("\n".join(table(results)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
