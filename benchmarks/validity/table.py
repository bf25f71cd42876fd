"""How well edit risk ranks the files that are fixed later: python benchmarks/validity/table.py [options] CHECKOUT...

Runs `crimes backtest` on each checkout (full history, nothing is fetched) and prints a row per repository and the means over all cuts.
`--findings` also ranks files by the sum of agent_risk of their findings, which needs a whole scan at each cut. `--save FILE` keeps the
figures, a repository per line, and skips what is there already; without checkouts, the table of that file is printed. docs/validity.md shows the result.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import msgspec

from crimes.model.errors import CrimesError
from crimes.workflows.backtest.measure import mean_qualities, rank_quality, with_measures
from crimes.workflows.backtest.metrics import RESAMPLES
from crimes.workflows.backtest.result import Cut, MeanQuality
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
    """The cuts of one repository, the newest first."""

    repository: str
    language: str  # of most of its riskiest files, as their ending
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
    endings = Counter(Path(file.file).suffix for cut in measured for file in cut.first_ten)
    language = endings.most_common(1)[0][0] if endings else ""
    return Measured(root.name, language, days, tuple(map(_without_text, measured)))


def _without_text(cut: Cut) -> Cut:
    """The figures alone; `crimes backtest` shows subjects and file names."""
    return msgspec.structs.replace(cut, subjects=(), first_ten=())


def _sums_of_agent_risk(session: Session, commit: str) -> Mapping[str, float]:
    """By file, the agent_risk of its code findings at a commit, added up."""
    sums: defaultdict[str, float] = defaultdict(float)
    for crime in session.report_on_commit(commit, session.config()).code_findings:
        sums[crime.file] += crime.scores.agent_risk or 0
    return sums


def table(results: Sequence[Measured]) -> Iterator[str]:
    """The rows of all repositories, the means over all cuts, and the bands, as Markdown."""
    yield "| repository | mostly | cuts | files | fixed | ROC-AUC | length | LOC x churn | average precision | length | LOC x churn |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    measured = [result for result in results if any(cut.rankings for cut in result.cuts)]
    yield from map(_row, sorted(measured, key=lambda result: (result.language, result.repository)))
    cuts = [cut for result in measured for cut in result.cuts if cut.rankings]
    stopped = sum(len(result.cuts) for result in results) - len(cuts)
    yield from (
        "",
        f"{len(cuts)} cuts of {len(measured)} repositories; {stopped} more have too few fixed files:",
        "",
    )
    yield from _means(_without_findings(cuts))
    yield ""
    yield from _distinguishable(cuts)
    yield ""
    yield from _over_repositories(results)
    yield ""
    yield from _bands(cuts)
    with_findings = [cut for cut in cuts if cut.rankings[-1].ranking == FINDINGS]
    if with_findings:
        yield from ("", f"{len(with_findings)} cuts with the sum of agent_risk:", "")
        yield from _means(with_findings)


def _row(result: Measured) -> str:
    """The means over the cuts of a repository; files and fixed files of the newest."""
    newest = result.cuts[0]
    means = mean_qualities(_without_findings(result.cuts))
    measured = sum(bool(cut.rankings) for cut in result.cuts)
    counts = f"{measured} | {newest.files:,} | {newest.fixed_files:,}"
    cells = [_decimals(mean.roc_auc) for mean in means]
    cells += [_decimals(mean.average_precision) for mean in means]
    return f"| {result.repository} | {result.language} | {counts} | {' | '.join(cells)} |"


def _without_findings(cuts: Sequence[Cut]) -> list[Cut]:
    """The cuts with the rankings that all of them have."""
    return [msgspec.structs.replace(cut, rankings=cut.rankings[:3]) for cut in cuts]


def _means(cuts: Sequence[Cut]) -> Iterator[str]:
    yield "| ranking | ROC-AUC | average precision | first ten: fixed later | fixes in the first tenth | cuts with a lower ROC-AUC than edit risk | lower average precision |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for mean in mean_qualities(cuts):
        yield _mean_row(mean, len(cuts))


def _distinguishable(cuts: Sequence[Cut]) -> Iterator[str]:
    """By ranking and measure, the cuts in which the interval of the difference leaves out zero."""
    clear: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for cut in cuts:
        for difference in cut.differences:
            clear[difference.than, difference.measure] += (
                [difference.value] if difference.distinguishable else []
            )
    yield "| edit risk against | measure | clearly better | clearly worse | not distinguishable |"
    yield "|---|---|---:|---:|---:|"
    for (ranking, name), values in clear.items():
        better = sum(value > 0 for value in values)
        rest = len(cuts) - len(values)
        yield f"| {NAMES[ranking]} | {name} | {better} | {len(values) - better} | {rest} |"


def _over_repositories(results: Sequence[Measured]) -> Iterator[str]:
    """Mean differences, each repository counting once, and where 95 % of the resamples of repositories put them."""
    values: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for result in results:
        ours, *others = mean_qualities(_without_findings(result.cuts)) or (None,)
        for other in others:
            if ours is not None:
                values[other.ranking, "roc_auc"].append(ours.roc_auc - other.roc_auc)
                values[other.ranking, "average_precision"].append(
                    ours.average_precision - other.average_precision
                )
    chance = random.Random(18)
    yield "| edit risk minus | measure | mean over repositories | 95% interval | repositories where it is ahead |"
    yield "|---|---|---:|---:|---:|"
    for (ranking, name), own in values.items():
        means = sorted(fmean(chance.choices(own, k=len(own))) for _ in range(RESAMPLES))
        low, high = means[RESAMPLES // 40], means[-1 - RESAMPLES // 40]
        ahead = f"{sum(value > 0 for value in own)} of {len(own)}"
        yield f"| {NAMES[ranking]} | {name} | {fmean(own):+.3f} | {low:+.3f} to {high:+.3f} | {ahead} |"


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
    errors = [
        abs(sum(band.predicted - band.fixed for band in cut.bands)) / cut.files for cut in cuts if cut.bands
    ]
    if errors:
        yield from (
            "",
            f"Predicted and observed share of fixed files of a cut differ by {fmean(errors):.3f} on average.",
        )


def _decimals(share: float) -> str:
    return f"{share:.3f}".removeprefix("0")


def _load(file: Path | None) -> list[Measured]:
    rows = file.read_bytes().splitlines() if file is not None and file.exists() else []
    return [msgspec.json.decode(row, type=Measured) for row in rows]


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
            result = measure(checkout.resolve(), options.days, options.cuts, findings=options.findings)
        except CrimesError as fault:
            print(f"{checkout.name}: {fault}", file=sys.stderr)
            continue
        results.append(result)
        if options.save:
            with options.save.open("ab") as file:
                file.write(msgspec.json.encode(result) + b"\n")
    print("\n".join(table(results)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
