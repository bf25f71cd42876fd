"""Calls that do not fit a changed function in Swift, where labels are part of it: what is said of them, and what stays unsaid."""

from __future__ import annotations

from pathlib import Path

from crimes.analyses.change.fitting import Misfit, find_misfit
from crimes.languages.swift import SWIFT as LANGUAGE
from crimes.model.calls import Arguments, Parameter
from tests.kit.signature_cases import Case, Files, cases, check

_LIB = (
    "public class Client {\n    let url: String\n    init(url: String) { self.url = url }\n"
    "    func get(_ path: String, within wait: Int = 3, then: () -> Void = {}) {}\n"
    '    static func shared() -> Client { Client(url: "") }\n}\n\n'
    "protocol Sender {\n    func send(to name: String, from: String)\n}\n"
)
_MORE = "extension Client {\n    func post(body: Int) {}\n}\n"
_USE = (
    "class Job {\n    private weak var client: Client?\n    let sender: (any Sender)?\n\n"
    "    init(sender: any Sender) {\n        self.sender = sender\n    }\n\n"
    '    func run(other: Client, things: [Client]) {\n        client?.get("a")\n        other.get("b", within: 4)\n'
    '        things.first.get("c")\n        Client.shared().post(body: 1)\n'
    '        let own = try? Client(url: "d")\n        own?.get("e") { }\n'
    '        queue.async { other.post(body: 2) }\n        if let client {\n            client.get("f")\n        }\n'
    '        sender?.send(to: "g", from: "h")\n    }\n}\n'
)
_FILES: Files = {
    "Package.swift": "// swift-tools-version:5.5\nimport PackageDescription\n",
    "Sources/Shop/Client.swift": _LIB,
    "Sources/Shop/More.swift": _MORE,
    "Sources/Shop/Job.swift": _USE,
}
_JOB, _CLIENT = "Sources/Shop/Job.swift", "Sources/Shop/Client.swift"


def _edit(old: str, new: str) -> Files:
    assert old in _LIB
    return {_CLIENT: _LIB.replace(old, new)}


SWIFT = {
    "parameter that has to be given": Case(
        _FILES,
        _edit("get(_ path: String,", "get(_ path: String, as kind: Int,"),
        f"`Client.get` in {_CLIENT} changed (`as` was added as required), but 3 calls in 1 file no longer match it.",
        (f"{_JOB}:10", f"{_JOB}:11", f"{_JOB}:18"),
    ),
    "label that was renamed, while the name inside stays": Case(
        _FILES,
        _edit("within wait", "after wait"),
        f"`Client.get` in {_CLIENT} changed (keyword `within` was renamed to `after`), but 1 call in 1 file no longer matches it.",
        (f"{_JOB}:11",),
    ),
    "name inside that was renamed, while the label stays": Case(
        _FILES, _edit("within wait", "within seconds")
    ),
    "label where there was none": Case(
        _FILES,
        _edit("_ path", "path"),
        f"`Client.get` in {_CLIENT} changed (`path` is now required), but 3 calls in 1 file no longer match it.",
        (f"{_JOB}:10", f"{_JOB}:11", f"{_JOB}:18"),
    ),
    "labels in another order": Case(
        _FILES,
        _edit("to name: String, from: String", "from: String, to name: String"),
        f"`Sender.send` in {_CLIENT} changed (the order of its labels), but 1 call in 1 file no longer matches it.",
        (f"{_JOB}:20",),
    ),
    "method of an extension in another file": Case(
        _FILES,
        {"Sources/Shop/More.swift": _MORE.replace("body: Int", "body: Int, type: String")},
        "`Client.post` in Sources/Shop/More.swift changed (`type` was added as required), but 2 calls in 1 file no longer match it.",
        (f"{_JOB}:13", f"{_JOB}:16"),
    ),
    "initialiser": Case(
        _FILES,
        {_CLIENT: _LIB.replace("init(url: String)", "init(url: String, port: Int)")},
        f"`Client.init` in {_CLIENT} changed (`port` was added as required), but 2 calls in 2 files no longer match it.",
        (f"{_CLIENT}:5", f"{_JOB}:14"),
    ),
    "one more overload": Case(
        _FILES, _edit("    static func", "    func get(_ path: String, as kind: Int) {}\n    static func")
    ),
    "parameter with a default": Case(
        _FILES, _edit("get(_ path: String,", "get(_ path: String, as kind: Int = 1,")
    ),
}


@cases(swift=SWIFT)
def test_calls_that_do_not_fit_a_changed_function(case: Case, tmp_path: Path) -> None:
    check(tmp_path, case)


def test_labels_keep_their_order() -> None:
    assert LANGUAGE.syntax is not None
    assert LANGUAGE.syntax.calling is not None
    to, origin = (
        Parameter("to", is_required=True, kind="keyword"),
        Parameter("from", is_required=True, kind="keyword"),
    )
    found = find_misfit([(to, origin)], [(origin, to)], Arguments(0, ("to", "from")), LANGUAGE.syntax.calling)
    assert found == Misfit("the order of its labels", is_certain=True)
