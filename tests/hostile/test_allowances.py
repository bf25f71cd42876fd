"""Work on a repository's content that takes too long: it costs its file, its analysis or its detector, and the scan ends."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Never

import msgspec
import pytest

from crimes.analyses.claims import audit
from crimes.cli import claims
from crimes.config.schema import Config
from crimes.detection import context as detection_context
from crimes.detection.registry import catalogue
from crimes.engine import scan as engine_scan
from crimes.engine.scan import scan
from crimes.judging import second_pass
from crimes.languages.linking import linker
from crimes.languages.python import resolve as python_resolve
from crimes.model.errors import EnvironmentFault, Unavailable, UsageError
from crimes.model.finding import Finding, Place
from crimes.model.severity import Severity
from crimes.system.allowance import Exceeded, allowance
from crimes.workflows.briefing import build
from crimes.workflows.briefing.build import BriefingBuilder
from crimes.workflows.briefing.encoding import encode_briefings
from crimes.workflows.briefing.record import Briefing
from tests.kit.gitrepo import GitRepo


def work_for_ever() -> Never:
    while True:
        sum(range(1_000))


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with an import; steps get little time."""
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"a.py": "import b\n\n\ndef f():\n    return b.g()\n", "b.py": "def g():\n    return 1\n"})
    monkeypatch.setattr(linker, "MAX_LINK_SECONDS", 0.2)
    monkeypatch.setattr(linker, "MAX_RESOLVER_SECONDS", 0.2)
    monkeypatch.setattr(detection_context, "MAX_STEP_SECONDS", 1.0)
    return repo.path


def test_work_is_stopped_after_its_allowance_of_processor_time() -> None:
    with pytest.raises(Exceeded), allowance(0.05):
        work_for_ever()
    with allowance(0.05):
        time.sleep(0.2)  # waiting takes no processor time


def exceed_twice() -> None:
    with pytest.raises(Exceeded), allowance(0.05):
        work_for_ever()
    work_for_ever()


def take_for_an_error() -> None:
    with suppress(Exception):  # what detectors may have around their work
        work_for_ever()


@pytest.mark.parametrize("work", [exceed_twice, take_for_an_error])
def test_allowance_within_an_allowance_counts_by_itself_and_nothing_hides_the_end(
    work: Callable[[], None],
) -> None:
    with pytest.raises(Exceeded), allowance(0.3):
        work()


def test_other_threads_have_no_limit() -> None:
    ended = []

    def work() -> None:
        with allowance(0.001):
            sum(range(200_000))
            ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended


def test_file_whose_imports_take_too_long_is_named_and_the_others_are_linked(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve = linker._link_import

    def slow_for_a(path: str, *arguments: object) -> object:
        return work_for_ever() if path == "a.py" else resolve(path, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(linker, "_link_import", slow_for_a)
    result = scan(repo, Config())
    assert not result.context.repo.edges
    skips = {skip.path: skip.reason for skip in result.report.files.skipped}
    assert skips == {"a.py": "following its imports took too long"}


def test_resolver_that_takes_too_long_costs_the_links_of_its_language(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(python_resolve.PythonResolver, "__init__", lambda *_: work_for_ever())
    result = scan(repo, Config())
    assert {skip.path for skip in result.report.files.skipped} == {"a.py", "b.py"}
    assert not result.context.repo.external


def test_detector_that_takes_too_long_is_skipped_with_the_reason_and_the_others_run(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    detectors = catalogue()
    slow = msgspec.structs.replace(detectors["god_function"], detect=lambda *_: work_for_ever())
    monkeypatch.setattr(engine_scan, "catalogue", lambda: {**detectors, slow.id: slow})
    runs = {run.id: run for run in scan(repo, Config()).report.detectors}
    assert (runs[slow.id].status, runs[slow.id].reason) == (
        "skipped",
        "it took too long on this repository and was stopped",
    )
    assert sum(run.status == "ran" for run in runs.values()) > 5


def test_analysis_that_takes_too_long_skips_the_detectors_that_need_it(repo: Path) -> None:
    context = scan(repo, Config()).context
    slow = detection_context.Analysis("slow", lambda _: work_for_ever())
    for _ in range(2):  # it is not begun again
        with pytest.raises(Unavailable, match="'slow' took too long"):
            context[slow]
    assert context.exceeded == ["slow"]


def test_garbage_of_later_scans_is_collected(repo: Path) -> None:
    class Node:
        """Something that refers to itself."""

        def __init__(self) -> None:
            self.itself = self

    assert gc.isenabled()
    scan(repo, Config())
    node = Node()
    seen = weakref.ref(node)
    scan(repo, Config())
    del node
    gc.collect()
    assert seen() is None


def test_evidence_that_takes_too_long_is_named_once_and_the_finding_stays(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow_evidence(*_: object) -> Never:
        work_for_ever()

    monkeypatch.setattr(second_pass, "MAX_PROVIDER_SECONDS", 0.05)
    context = scan(repo, Config()).context
    detector = msgspec.structs.replace(catalogue()["god_function"], deferred=(slow_evidence,))
    finding = Finding(Place("a.py", 1, 2), Severity.HIGH, "fact", ())
    (diagnostic,) = second_pass.second_look(context, detector, finding)[1]
    assert diagnostic.message == (
        "slow_evidence failed on a.py: it took too long on this repository and was stopped"
    )
    assert second_pass.second_look(context, detector, finding) == ((), ())  # it is not asked again


def test_briefing_that_takes_too_long_is_named_and_the_others_are_built(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_one = BriefingBuilder._brief

    def slow_for_a(builder: BriefingBuilder, path: str) -> Briefing:
        return work_for_ever() if path == "a.py" else build_one(builder, path)

    monkeypatch.setattr(build, "MAX_BRIEFING_SECONDS", 0.05)
    monkeypatch.setattr(BriefingBuilder, "_brief", slow_for_a)
    builder = BriefingBuilder(scan(repo, Config()))
    with pytest.raises(EnvironmentFault, match=r"^the briefing of a\.py took too long on this repository"):
        builder.brief("a.py")
    assert list(encode_briefings(builder, ("a.py", "b.py"))) == ["b.py"]


def test_index_of_briefings_that_takes_too_long_is_a_plain_error(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "Runners", lambda *_: work_for_ever())
    with pytest.raises(EnvironmentFault, match=r"^the index for briefings took too long"):
        BriefingBuilder(scan(repo, Config()))


def test_text_that_takes_too_long_to_check_is_refused(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "MAX_AUDIT_SECONDS", 0.05)
    monkeypatch.setattr(audit, "audit", lambda *_: work_for_ever())
    with pytest.raises(UsageError, match=r"a\.py takes too long to check; give the part that matters"):
        claims.claims(repo / "a.py", root=repo)
