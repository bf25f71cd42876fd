"""Calls that do not fit a changed function, in real repositories: what is said of them, and what stays unsaid."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from crimes.analyses.change.changed_signatures import find_changed_signatures
from crimes.config.schema import Config
from crimes.engine.change_states import ChangeStates
from crimes.incremental.scan_cache import no_cache
from crimes.model.change import ChangeItem, Level
from crimes.system.git_diff import difference
from tests.kit.gitrepo import GitRepo

Files = dict[str, str | bytes | None]


class Case(NamedTuple):
    """A repository, an edit of it, and the fact and places that follow."""

    files: Files
    edit: Files
    fact: str = ""
    places: tuple[str, ...] = ()  # `file:line`


def items_of(folder: Path, files: Files, edit: Files) -> list[ChangeItem]:
    """What is said of an edit in the work tree."""
    repo = GitRepo(folder)
    base = repo.commit(files)
    repo.write(edit)
    changes = difference(folder, base, lines=False).changes.values()
    with ChangeStates(folder, Config(), no_cache(), base, "", changes) as states:
        return find_changed_signatures(states.before, states.after, states.changes)


def check(folder: Path, case: Case) -> None:
    items = items_of(folder, case.files, case.edit)
    facts = [item.fact for item in items]
    assert facts == ([case.fact] if case.fact else []), facts
    places = tuple(f"{spot.file}:{spot.line}" for item in items for spot in item.places)
    assert places == case.places


def cases(table: dict[str, Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", list(table.values()), ids=list(table))


_PY_USE = "from lib import send\n\n\ndef run():\n    send('a', 1)\n    send('b', timeout=2)\n"
_PY_CLASS = (
    "class Client:\n    def __init__(self, url):\n        self.url = url\n\n"
    "    def get(self, path):\n        return self.fetch(path)\n\n    def fetch(self, path):\n        return path\n"
)
_PY_CLIENT_USE = (
    "from client import Client\n\n\ndef typed(client: Client):\n    client.get('a')\n\n\n"
    "def made():\n    client = Client('u')\n    client.get('b')\n\n\ndef unknown(client):\n    client.get('c')\n"
)
_PY_CLIENT_KEPT = "class Client:\n    def __init__(self, url):\n        self.url = url\n\n"

PYTHON = {
    "required parameter added": Case(
        {"lib.py": "def send(to, timeout=0):\n    pass\n", "use.py": _PY_USE},
        {"lib.py": "def send(to, subject, timeout=0):\n    pass\n"},
        "`send` changed: `subject` was added before `timeout`, `subject` was added as required; 2 calls do not fit it",
        ("use.py:5", "use.py:6"),
    ),
    "default removed": Case(
        {"lib.py": "def send(to, timeout=0):\n    pass\n", "use.py": "import lib\n\nlib.send('a')\n"},
        {"lib.py": "def send(to, timeout):\n    pass\n"},
        "`send` changed: `timeout` is now required; 1 call does not fit it",
        ("use.py:3",),
    ),
    "keyword renamed": Case(
        {"lib.py": "def send(to, timeout=0):\n    pass\n", "use.py": _PY_USE},
        {"lib.py": "def send(to, wait=0):\n    pass\n"},
        "`send` changed: keyword `timeout` was renamed to `wait`; 1 call does not fit it",
        ("use.py:6",),
    ),
    "order changed": Case(
        {"lib.py": "def send(to, body):\n    pass\n", "use.py": "from lib import send as post\n\npost(1, 2)\npost(to=1, body=2)\n"},
        {"lib.py": "def send(body, to):\n    pass\n"},
        "`send` changed: `body` moved before `to`; 1 call does not fit it",
        ("use.py:3",),
    ),
    "parameter removed": Case(
        {"lib.py": "def send(to, body):\n    pass\n\n\ndef run():\n    send(1, 2)\n"},
        {"lib.py": "def send(to):\n    pass\n\n\ndef run():\n    send(1, 2)\n"},
        "`send` changed: `body` was removed; 1 call does not fit it",
        ("lib.py:6",),
    ),
    "method on typed and created objects": Case(
        {"client.py": _PY_CLASS, "use.py": _PY_CLIENT_USE},
        {"client.py": _PY_CLASS.replace("def get(self, path)", "def get(self, path, timeout)")},
        "`Client.get` changed: `timeout` was added as required; 2 calls do not fit it",
        ("use.py:5", "use.py:10"),
    ),
    "method gone": Case(
        {"client.py": _PY_CLASS, "use.py": _PY_CLIENT_USE},
        {"client.py": _PY_CLIENT_KEPT},
        "`Client.get` is gone; 2 calls still use it",
        ("use.py:5", "use.py:10"),
    ),
    "constructor": Case(
        {"client.py": _PY_CLASS, "use.py": _PY_CLIENT_USE},
        {"client.py": _PY_CLASS.replace("(self, url)", "(self, url, *, token)")},
        "`Client.__init__` changed: `token` was added as required; 1 call does not fit it",
        ("use.py:9",),
    ),
    "own method": Case(
        {"client.py": _PY_CLASS},
        {"client.py": _PY_CLASS.replace("def fetch(self, path)", "def fetch(self, path, retries)")},
        "`Client.fetch` changed: `retries` was added as required; 1 call does not fit it",
        ("client.py:6",),
    ),
    "method of a base in another file": Case(
        {
            "client.py": _PY_CLASS,
            "sub.py": "from client import Client\n\n\nclass Sub(Client):\n    def run(self):\n        self.fetch('a')\n        super().fetch('b')\n",
        },
        {"client.py": _PY_CLASS.replace("def fetch(self, path)", "def fetch(self, path, retries)").replace("self.fetch(path)", "self.fetch(path, 1)")},
        "`Client.fetch` changed: `retries` was added as required; 2 calls do not fit it",
        ("sub.py:6", "sub.py:7"),
    ),
    "through a package file and an attribute": Case(
        {
            "pkg/__init__.py": "from .client import Client\n",
            "pkg/client.py": _PY_CLASS,
            "use.py": "import pkg\n\n\nclass Job:\n    def __init__(self):\n        self.client = pkg.Client('u')\n\n    def run(self):\n        self.client.get('a')\n",
        },
        {"pkg/client.py": _PY_CLASS.replace("def get(self, path)", "def get(self, path, timeout)")},
        "`Client.get` changed: `timeout` was added as required; 1 call does not fit it",
        ("use.py:9",),
    ),
}  # fmt: skip

PYTHON_SILENT = {
    "default added": Case(
        {"lib.py": "def send(to):\n    pass\n", "use.py": "from lib import send\n\nsend(1)\n"},
        {"lib.py": "def send(to, subject=None):\n    pass\n"},
    ),
    "order changed, called by keyword": Case(
        {"lib.py": "def send(to, body):\n    pass\n", "use.py": "from lib import send\n\nsend(to=1, body=2)\n"},
        {"lib.py": "def send(body, to):\n    pass\n"},
    ),
    "parameter renamed, called by position": Case(
        {"lib.py": "def send(to, body):\n    pass\n", "use.py": "from lib import send\n\nsend(1, 2)\n"},
        {"lib.py": "def send(address, text):\n    pass\n"},
    ),
    "call edited too": Case(
        {"lib.py": "def send(to):\n    pass\n", "use.py": "from lib import send\n\nsend(1)\n"},
        {"lib.py": "def send(to, body):\n    pass\n", "use.py": "from lib import send\n\nsend(1, 2)\n"},
    ),
    "arguments spread": Case(
        {"lib.py": "def send(to):\n    pass\n", "use.py": "from lib import send\n\nargs = [1]\nsend(*args)\nsend(**{'to': 1})\n"},
        {"lib.py": "def send(to, body):\n    pass\n"},
    ),
    "anything taken": Case(
        {"lib.py": "def send(to, body=1):\n    pass\n", "use.py": "from lib import send\n\nsend(1, body=2)\n"},
        {"lib.py": "def send(*args, **kwargs):\n    pass\n"},
    ),
    "argument provided by a decorator": Case(
        {"lib.py": "from web import session\n\n\n@session\ndef send(to):\n    pass\n", "use.py": "from lib import send\n\nsend(1)\n"},
        {"lib.py": "from web import session\n\n\n@session\ndef send(to, db):\n    pass\n"},
    ),
    "decorator added with its argument": Case(
        {"lib.py": "def send(to):\n    pass\n", "use.py": "from lib import send\n\nsend(1)\n"},
        {"lib.py": "from web import session\n\n\n@session\ndef send(db, to):\n    pass\n"},
    ),
    "partial": Case(
        {"lib.py": "def send(to):\n    pass\n", "use.py": "from functools import partial\n\nfrom lib import send\n\npost = partial(send, 1)\npost()\n"},
        {"lib.py": "def send(to, body):\n    pass\n"},
    ),
    "name bound anew": Case(
        {"lib.py": "def send(to):\n    pass\n", "use.py": "from lib import send\n\n\ndef run(send):\n    send(1)\n\n\ndef go():\n    send = print\n    send(1)\n"},
        {"lib.py": "def send(to, body):\n    pass\n"},
    ),
    "guarded import": Case(
        {"lib.py": "def send(to):\n    pass\n", "use.py": "try:\n    from lib import send\nexcept ImportError:\n    from other import send\n\nsend(1)\n"},
        {"lib.py": "def send(to, body):\n    pass\n"},
    ),
    "same name on an unknown object": Case(
        {"client.py": _PY_CLASS, "use.py": "from client import Client\n\n\ndef run(x):\n    x.get('a')\n    Client\n"},
        {"client.py": _PY_CLASS.replace("def get(self, path)", "def get(self, path, timeout)")},
    ),
    "one of two definitions fits": Case(
        {"lib.py": "import sys\n\nif sys.platform == 'x':\n    def send(to):\n        pass\nelse:\n    def send(to):\n        pass\n", "use.py": "from lib import send\n\nsend(1)\n"},
        {"lib.py": "import sys\n\nif sys.platform == 'x':\n    def send(to):\n        pass\nelse:\n    def send(to, body):\n        pass\n"},
    ),
    "method gone, inherited from outside": Case(
        {"client.py": "from http.client import HTTPConnection\n\n\nclass Client(HTTPConnection):\n    def close(self):\n        pass\n\n    def run(self):\n        self.close()\n"},
        {"client.py": "from http.client import HTTPConnection\n\n\nclass Client(HTTPConnection):\n    def run(self):\n        self.close()\n"},
    ),
    "method gone, now a field": Case(
        {"client.py": "class Client:\n    def hook(self):\n        pass\n\n    def run(self):\n        self.hook()\n"},
        {"client.py": "class Client:\n    def __init__(self, hook):\n        self.hook = hook\n\n    def run(self):\n        self.hook()\n"},
    ),
    "method gone, moved to a base": Case(
        {"client.py": "class Client:\n    def hook(self):\n        pass\n\n    def run(self):\n        self.hook()\n"},
        {"base.py": "class Base:\n    def hook(self):\n        pass\n", "client.py": "from base import Base\n\n\nclass Client(Base):\n    def run(self):\n        self.hook()\n"},
    ),
    "never fitted": Case(
        {"lib.py": "def send(to):\n    pass\n", "use.py": "from lib import send\n\nsend()\n"},
        {"lib.py": "def send(to, body):\n    pass\n"},
    ),
    "function moved and passed on": Case(
        {"lib.py": "def send(to):\n    pass\n", "use.py": "from lib import send\n\nsend(1)\n"},
        {"lib.py": "from mail import send\n", "mail.py": "def send(to, body=None):\n    pass\n"},
    ),
}  # fmt: skip


@cases(PYTHON)
def test_calls_that_do_not_fit_are_listed_in_python(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


@cases(PYTHON_SILENT)
def test_calls_that_fit_or_are_unknown_stay_unsaid_in_python(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


def test_a_call_that_fails_is_broken_and_one_that_does_something_else_is_worth_a_look(tmp_path: Path) -> None:
    files: Files = {"lib.py": "def a(x):\n    pass\n\n\ndef b(x, y):\n    pass\n\n\na(1)\nb(1, 2)\n"}
    edit: Files = {"lib.py": "def a(x, z):\n    pass\n\n\ndef b(y, x):\n    pass\n\n\na(1)\nb(1, 2)\n"}
    assert [item.level for item in items_of(tmp_path, files, edit)] == [Level.BROKEN, Level.LOOK]


_TS_LIB = (
    "export function send(to: string, body?: string): void {}\n"
    "export class Client {\n  constructor(private url: string) {}\n  get(path: string) { return this.load(path) }\n"
    "  load(path: string) { return path }\n  static of(url: string) { return new Client(url) }\n}\n"
)
_TS_USE = (
    "import { Client, send as post } from './lib'\nimport * as lib from './lib'\n\npost('a')\nlib.send('b')\n"
    "const client = new Client('u')\nclient.get('p')\nClient.of('v')\n"
    "export class Job {\n  constructor(private readonly client: Client) {}\n  run() { this.client.get('q') }\n}\n"
    "export function other(client: any, send: any) { client.get('x'); send('y') }\n"
)

TYPESCRIPT = {
    "optional parameter made required": Case(
        {"lib.ts": _TS_LIB, "use.ts": _TS_USE},
        {"lib.ts": _TS_LIB.replace("body?:", "body:")},
        "`send` changed: `body` is now required; 2 calls do not fit it",
        ("use.ts:4", "use.ts:5"),
    ),
    "method": Case(
        {"lib.ts": _TS_LIB, "use.ts": _TS_USE},
        {"lib.ts": _TS_LIB.replace("get(path: string)", "get(path: string, wait: number)")},
        "`Client.get` changed: `wait` was added as required; 2 calls do not fit it",
        ("use.ts:7", "use.ts:11"),
    ),
    "own method": Case(
        {"lib.ts": _TS_LIB},
        {"lib.ts": _TS_LIB.replace("  load(path: string)", "  load(path: string, wait: number)")},
        "`Client.load` changed: `wait` was added as required; 1 call does not fit it",
        ("lib.ts:4",),
    ),
    "constructor": Case(
        {"lib.ts": _TS_LIB, "use.ts": _TS_USE},
        {"lib.ts": _TS_LIB.replace("private url: string", "private url: string, token: string").replace("new Client(url)", "new Client(url, '')")},
        "`Client.constructor` changed: `token` was added as required; 1 call does not fit it",
        ("use.ts:6",),
    ),
    "static method gone": Case(
        {"lib.ts": _TS_LIB, "use.ts": _TS_USE},
        {"lib.ts": _TS_LIB.replace("  static of(url: string) { return new Client(url) }\n", "")},
        "`Client.of` is gone; 1 call still uses it",
        ("use.ts:8",),
    ),
    "through a barrel": Case(
        {"lib.ts": _TS_LIB, "index.ts": "export * from './lib'\n", "use.ts": "import { send } from './index'\nsend('a')\n"},
        {"lib.ts": _TS_LIB.replace("body?:", "body:")},
        "`send` changed: `body` is now required; 1 call does not fit it",
        ("use.ts:2",),
    ),
    "default export": Case(
        {"lib.ts": "export default function send(to: string) {}\n", "use.ts": "import post from './lib'\npost('a')\n"},
        {"lib.ts": "export default function send(to: string, body: string) {}\n"},
        "`send` changed: `body` was added as required; 1 call does not fit it",
        ("use.ts:2",),
    ),
    "arrow function": Case(
        {"lib.ts": "export const send = (to: string) => to\n", "use.ts": "import { send } from './lib'\nsend('a')\n"},
        {"lib.ts": "export const send = (to: string, body: string) => to\n"},
        "`send` changed: `body` was added as required; 1 call does not fit it",
        ("use.ts:2",),
    ),
}  # fmt: skip

TYPESCRIPT_SILENT = {
    "optional parameter added": Case(
        {"lib.ts": _TS_LIB, "use.ts": _TS_USE},
        {"lib.ts": _TS_LIB.replace("get(path: string)", "get(path: string, wait?: number, again = 1)")},
    ),
    "overloads": Case(
        {"lib.ts": "export function send(to: string): void\nexport function send(to: any) {}\n", "use.ts": "import { send } from './lib'\nsend('a')\n"},
        {"lib.ts": "export function send(to: string): void\nexport function send(to: string, body: string): void\nexport function send(to: any, body: any) {}\n"},
    ),
    "spread": Case(
        {"lib.ts": _TS_LIB, "use.ts": "import { send } from './lib'\nsend(...['a'])\n"},
        {"lib.ts": _TS_LIB.replace("body?:", "body:")},
    ),
    "wrapped function": Case(
        {"lib.ts": "export const send = debounce((to: string) => {\n  go(to)\n})\n", "use.ts": "import { send } from './lib'\nsend('a')\n"},
        {"lib.ts": "export const send = debounce((to: string, body: string) => {\n  go(to)\n})\n"},
    ),
    "this as a parameter": Case(
        {"lib.ts": "export function send(to: string) {}\n", "use.ts": "import { send } from './lib'\nsend('a')\n"},
        {"lib.ts": "export function send(this: void, to: string) {}\n"},
    ),
}  # fmt: skip

_JS_LIB = "exports.send = function (to) { return to }\nfunction load(path) {}\nexports.load = load\n"
JAVASCRIPT = {
    "parameter added to a module": Case(
        {"lib.js": "export function send(to) { return to }\n", "use.js": "import { send } from './lib.js'\nsend('a')\n"},
        {"lib.js": "export function send(to, body) { return to + body.text }\n"},
        "`send` changed: `body` was added as required; 1 call does not fit it",
        ("use.js:2",),
    ),
    "required modules": Case(
        {"lib.js": _JS_LIB, "use.js": "const lib = require('./lib')\nconst { load: fetch } = require('./lib')\nlib.load('a')\nfetch('b')\n"},
        {"lib.js": _JS_LIB.replace("load(path)", "load(path, wait)")},
        "`load` changed: `wait` was added as required; 2 calls do not fit it",
        ("use.js:3", "use.js:4"),
    ),
    "module that is a function": Case(
        {"lib.js": "module.exports = main\nfunction main(a) {}\n", "use.js": "const main = require('./lib')\nmain(1)\n"},
        {"lib.js": "module.exports = main\nfunction main(a, b) {}\n"},
        "`main` changed: `b` was added as required; 1 call does not fit it",
        ("use.js:2",),
    ),
    "order changed": Case(
        {"lib.js": "export function send(to, body) {}\n", "use.js": "import { send } from './lib.js'\nsend('a', 'b')\n"},
        {"lib.js": "export function send(body, to) {}\n"},
        "`send` changed: `body` moved before `to`; 1 call does not fit it",
        ("use.js:2",),
    ),
    "method gone": Case(
        {"lib.js": "export class Client {\n  get(a) {}\n  put(a) { this.get(a) }\n}\n"},
        {"lib.js": "export class Client {\n  put(a) { this.get(a) }\n}\n"},
        "`Client.get` is gone; 1 call still uses it",
        ("lib.js:2",),
    ),
}  # fmt: skip

JAVASCRIPT_SILENT = {
    "parameter that is looked at before it is used": Case(
        {"lib.js": "export function send(to) { return to }\n", "use.js": "import { send } from './lib.js'\nsend('a')\n"},
        {"lib.js": "export function send(to, options) {\n  options = options || {}\n  return options.wait\n}\n"},
    ),
    "parameter passed on": Case(
        {"lib.js": "export function send(to) { return go(to) }\n", "use.js": "import { send } from './lib.js'\nsend('a')\n"},
        {"lib.js": "export function send(to, options) { return go(to, options) }\n"},
    ),
    "last parameter removed": Case(
        {"lib.js": "export function send(to, body) {}\n", "use.js": "import { send } from './lib.js'\nsend('a', 'b')\n"},
        {"lib.js": "export function send(to) {}\n"},
    ),
    "bound or applied": Case(
        {"lib.js": "export function send(to) {}\n", "use.js": "import { send } from './lib.js'\nsend.call(null, 'a')\nsend.bind(null, 'a')()\n[1].map(send)\n"},
        {"lib.js": "export function send(to, body) {}\n"},
    ),
}  # fmt: skip


@cases(TYPESCRIPT)
def test_calls_that_do_not_fit_are_listed_in_typescript(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


@cases(TYPESCRIPT_SILENT)
def test_calls_that_fit_or_are_unknown_stay_unsaid_in_typescript(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


@cases(JAVASCRIPT)
def test_calls_that_do_not_fit_are_listed_in_javascript(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


@cases(JAVASCRIPT_SILENT)
def test_calls_that_fit_or_are_unknown_stay_unsaid_in_javascript(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


_GO_MOD = "module example.com/m\n\ngo 1.21\n"
_GO_LIB = (
    "package lib\n\ntype Client struct {\n\turl string\n}\n\nfunc New(url string) *Client { return &Client{url} }\n\n"
    "func (c *Client) Get(path string) error { return c.load(path) }\n\nfunc (c *Client) load(path string) error { return nil }\n\n"
    "func Send(to string, more ...string) (int, error) { return 0, nil }\n"
)
_GO_USE = (
    'package main\n\nimport "example.com/m/lib"\n\ntype job struct {\n\tclient *lib.Client\n}\n\nfunc main() {\n'
    '\tlib.Send("a")\n\tc := lib.New("u")\n\tc.Get("p")\n\tvar d lib.Client\n\td.Get("q")\n}\n\n'
    'func (j *job) run(e *lib.Client, any interface{ Get(string) }) {\n\tj.client.Get("r")\n\te.Get("s")\n\tany.Get("t")\n}\n'
)
_GO_BESIDE = 'package lib\n\nfunc beside() {\n\tSend("a")\n}\n'
_GO: Files = {"go.mod": _GO_MOD, "lib/lib.go": _GO_LIB, "lib/beside.go": _GO_BESIDE, "main.go": _GO_USE}

GO = {
    "function": Case(
        _GO,
        {"lib/lib.go": _GO_LIB.replace("Send(to string,", "Send(to string, body string,")},
        "`Send` changed: `body` was added as required; 2 calls do not fit it",
        ("lib/beside.go:4", "main.go:10"),
    ),
    "method": Case(
        _GO,
        {"lib/lib.go": _GO_LIB.replace("Get(path string)", "Get(path string, wait int)")},
        "`Client.Get` changed: `wait` was added as required; 4 calls do not fit it",
        ("main.go:12", "main.go:14", "main.go:18", "main.go:19"),
    ),
    "method gone": Case(
        _GO,
        {"lib/lib.go": _GO_LIB.replace("func (c *Client) Get(path string) error { return c.load(path) }\n\n", "")},
        "`Client.Get` is gone; 4 calls still use it",
        ("main.go:12", "main.go:14", "main.go:18", "main.go:19"),
    ),
    "own method": Case(
        _GO,
        {"lib/lib.go": _GO_LIB.replace("load(path string)", "load(path string, wait int)")},
        "`Client.load` changed: `wait` was added as required; 1 call does not fit it",
        ("lib/lib.go:9",),
    ),
}  # fmt: skip

GO_SILENT = {
    "more arguments allowed": Case(
        _GO, {"lib/lib.go": _GO_LIB.replace("Get(path string)", "Get(path string, wait ...int)")}
    ),
    "several values from one call": Case(
        {**_GO, "main.go": 'package main\n\nimport "example.com/m/lib"\n\nfunc two() (string, string) { return "", "" }\n\nfunc main() { lib.Send(two()) }\n'},
        {"lib/lib.go": _GO_LIB.replace("Send(to string,", "Send(to string, body string,"), "lib/beside.go": None},
    ),
    "method moved to another file": Case(
        _GO,
        {
            "lib/lib.go": _GO_LIB.replace("func (c *Client) Get(path string) error { return c.load(path) }\n\n", ""),
            "lib/get.go": "package lib\n\nfunc (c *Client) Get(path string) error { return c.load(path) }\n",
        },
    ),
    "method now promoted": Case(
        _GO,
        {
            "lib/lib.go": _GO_LIB.replace("func (c *Client) Get(path string) error { return c.load(path) }\n\n", "").replace("struct {\n\turl string", "struct {\n\tGetter\n\turl string"),
            "lib/get.go": "package lib\n\ntype Getter interface{ Get(path string) error }\n",
        },
    ),
}  # fmt: skip

_JAVA_LIB = (
    "package a;\n\npublic class Client {\n  public Client(String url) {}\n\n  public static Client of(String url) { return new Client(url); }\n\n"
    "  public String get(String path) { return load(path); }\n\n  private String load(String path) { return path; }\n}\n"
)
_JAVA_USE = (
    'package b;\n\nimport a.Client;\n\nclass Use {\n  private final Client client = new Client("u");\n\n  void run(Client other, Object any) {\n'
    '    client.get("a");\n    other.get("b");\n    this.client.get("c");\n    var made = Client.of("v");\n    made.get("d");\n    any.get("e");\n  }\n}\n'
)
_JAVA: Files = {"src/main/java/a/Client.java": _JAVA_LIB, "src/main/java/b/Use.java": _JAVA_USE}
_USE = "src/main/java/b/Use.java"

JAVA = {
    "method": Case(
        _JAVA,
        {"src/main/java/a/Client.java": _JAVA_LIB.replace("get(String path)", "get(String path, int wait)")},
        "`Client.get` changed: `wait` was added as required; 4 calls do not fit it",
        (f"{_USE}:9", f"{_USE}:10", f"{_USE}:11", f"{_USE}:13"),
    ),
    "method gone": Case(
        _JAVA,
        {"src/main/java/a/Client.java": _JAVA_LIB.replace("  public String get(String path) { return load(path); }\n\n", "")},
        "`Client.get` is gone; 4 calls still use it",
        (f"{_USE}:9", f"{_USE}:10", f"{_USE}:11", f"{_USE}:13"),
    ),
    "static method": Case(
        _JAVA,
        {"src/main/java/a/Client.java": _JAVA_LIB.replace("of(String url)", "of(String url, int wait)")},
        "`Client.of` changed: `wait` was added as required; 1 call does not fit it",
        (f"{_USE}:12",),
    ),
    "constructor": Case(
        _JAVA,
        {"src/main/java/a/Client.java": _JAVA_LIB.replace("public Client(String url)", "public Client(String url, int wait)").replace("new Client(url)", "new Client(url, 1)")},
        "`Client.Client` changed: `wait` was added as required; 1 call does not fit it",
        (f"{_USE}:6",),
    ),
    "own method": Case(
        _JAVA,
        {"src/main/java/a/Client.java": _JAVA_LIB.replace("load(String path)", "load(String path, int wait)")},
        "`Client.load` changed: `wait` was added as required; 1 call does not fit it",
        ("src/main/java/a/Client.java:8",),
    ),
}  # fmt: skip

_JAVA_HEIR = _JAVA_LIB.replace("class Client", "class Client extends java.util.HashMap")
JAVA_SILENT = {
    "overload added": Case(
        _JAVA,
        {"src/main/java/a/Client.java": _JAVA_LIB.replace("  private", "  public String get(String path, int wait) { return path; }\n\n  private")},
    ),
    "overload that fits is left": Case(
        {**_JAVA, "src/main/java/a/Client.java": _JAVA_LIB.replace("  private", "  public String get(String path, int wait) { return path; }\n\n  private")},
        {"src/main/java/a/Client.java": _JAVA_LIB.replace("  private", "  public String get(String path, int wait, int again) { return path; }\n\n  private")},
    ),
    "overload moved to a base": Case(
        {**_JAVA, "src/main/java/a/Client.java": _JAVA_LIB.replace("  private", "  public String get(int id) { return null; }\n\n  private").replace("get(String path)", "get(String path, int... more)")},
        {
            "src/main/java/a/Client.java": _JAVA_LIB.replace("class Client", "class Client extends Base").replace("get(String path)", "get(int id, int again)"),
            "src/main/java/a/Base.java": "package a;\n\nclass Base {\n  public String get(String path) { return path; }\n}\n",
        },
    ),
    "more arguments allowed": Case(
        _JAVA, {"src/main/java/a/Client.java": _JAVA_LIB.replace("get(String path)", "get(String path, int... wait)")}
    ),
    "method gone, inherited from outside": Case(
        {**_JAVA, "src/main/java/a/Client.java": _JAVA_HEIR.replace("  public String get", "  @Override\n  public String get")},
        {"src/main/java/a/Client.java": _JAVA_HEIR.replace("  public String get(String path) { return load(path); }\n\n", "")},
    ),
}  # fmt: skip

_RUST_LIB = (
    "pub struct Client { url: String }\n\nimpl Client {\n    pub fn new(url: &str) -> Self { Client { url: url.into() } }\n"
    "    pub fn get(&self, path: &str) -> u8 { self.load(path) }\n    fn load(&self, path: &str) -> u8 { Self::rank(path) }\n"
    "    fn rank(path: &str) -> u8 { 1 }\n}\n\npub fn send(to: &str) {}\n"
)
_RUST_USE = (
    'mod client;\nuse client::{send, Client};\n\nstruct Job { client: Client }\n\nimpl Job {\n    fn run(&self) { self.client.get("a"); }\n}\n\n'
    'fn main() {\n    send("a");\n    client::send("b");\n    crate::client::send("c");\n    let made = Client::new("u");\n    made.get("p");\n}\n\n'
    'fn typed(other: &mut Client, any: impl Get) {\n    other.get("q");\n    any.get("r");\n    Client::get(other, "s");\n}\n'
)
_RUST: Files = {
    "Cargo.toml": '[package]\nname = "m"\nversion = "0.1.0"\n',
    "src/client.rs": _RUST_LIB,
    "src/main.rs": _RUST_USE,
}

RUST = {
    "function": Case(
        _RUST,
        {"src/client.rs": _RUST_LIB.replace("send(to: &str)", "send(to: &str, wait: u8)")},
        "`send` changed: `wait` was added as required; 3 calls do not fit it",
        ("src/main.rs:11", "src/main.rs:12", "src/main.rs:13"),
    ),
    "method": Case(
        _RUST,
        {"src/client.rs": _RUST_LIB.replace("get(&self, path: &str)", "get(&self, path: &str, wait: u8)")},
        "`Client.get` changed: `wait` was added as required; 4 calls do not fit it",
        ("src/main.rs:7", "src/main.rs:15", "src/main.rs:19", "src/main.rs:21"),
    ),
    "method gone": Case(
        _RUST,
        {"src/client.rs": _RUST_LIB.replace("    pub fn get(&self, path: &str) -> u8 { self.load(path) }\n", "")},
        "`Client.get` is gone; 4 calls still use it",
        ("src/main.rs:7", "src/main.rs:15", "src/main.rs:19", "src/main.rs:21"),
    ),
    "associated function": Case(
        _RUST,
        {"src/client.rs": _RUST_LIB.replace("rank(path: &str)", "rank(path: &str, wait: u8)")},
        "`Client.rank` changed: `wait` was added as required; 1 call does not fit it",
        ("src/client.rs:6",),
    ),
}  # fmt: skip

RUST_SILENT = {
    "method moved to another block": Case(
        _RUST,
        {
            "src/client.rs": _RUST_LIB.replace("    pub fn get(&self, path: &str) -> u8 { self.load(path) }\n", "").replace("fn load", "pub fn load"),
            "src/extra.rs": "use crate::client::Client;\n\nimpl Client {\n    pub fn get(&self, path: &str) -> u8 { self.load(path) }\n}\n",
        },
    ),
    "derived instead of written": Case(
        {**_RUST, "src/client.rs": _RUST_LIB + "impl Default for Client { fn default() -> Self { Client::new(\"\") } }\npub fn make() { Client::default(); }\n"},
        {"src/client.rs": "#[derive(Default)]\n" + _RUST_LIB + "pub fn make() { Client::default(); }\n"},
    ),
    "parameter renamed": Case(
        _RUST, {"src/client.rs": _RUST_LIB.replace("send(to: &str)", "send(_address: &str)")}
    ),
}  # fmt: skip


@cases({**{f"go: {name}": case for name, case in GO.items()}, **{f"java: {name}": case for name, case in JAVA.items()}, **{f"rust: {name}": case for name, case in RUST.items()}})  # fmt: skip
def test_calls_that_do_not_fit_are_listed_in_compiled_languages(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


@cases({**{f"go: {name}": case for name, case in GO_SILENT.items()}, **{f"java: {name}": case for name, case in JAVA_SILENT.items()}, **{f"rust: {name}": case for name, case in RUST_SILENT.items()}})  # fmt: skip
def test_calls_that_fit_or_are_unknown_stay_unsaid_in_compiled_languages(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


_PHP_LIB = (
    "<?php\nnamespace App;\n\nclass Client\n{\n    public function __construct(private string $url) {}\n\n"
    "    public static function of(string $url): self { return new self($url); }\n\n"
    "    public function get(string $path) { return $this->load($path); }\n\n    private function load(string $path) { return $path; }\n}\n"
)
_PHP_USE = (
    "<?php\nnamespace Jobs;\n\nuse App\\Client;\n\nclass Job\n{\n    private Client $client;\n\n    public function run(Client $other, $any)\n    {\n"
    "        $this->client->get('a');\n        $other->get('b');\n        $made = new Client('u');\n        $made->get('c');\n        $any->get('d');\n        Client::of('v');\n    }\n}\n"
)
_PHP: Files = {"composer.json": '{"autoload": {"psr-4": {"App\\\\": "src/", "Jobs\\\\": "jobs/"}}}\n', "src/Client.php": _PHP_LIB, "jobs/Job.php": _PHP_USE}

PHP = {
    "method": Case(
        _PHP,
        {"src/Client.php": _PHP_LIB.replace("get(string $path)", "get(string $path, int $wait)")},
        "`Client.get` changed: `wait` was added as required; 3 calls do not fit it",
        ("jobs/Job.php:12", "jobs/Job.php:13", "jobs/Job.php:15"),
    ),
    "constructor": Case(
        _PHP,
        {"src/Client.php": _PHP_LIB.replace("private string $url)", "private string $url, int $wait)").replace("new self($url)", "new self($url, 1)")},
        "`Client.__construct` changed: `wait` was added as required; 1 call does not fit it",
        ("jobs/Job.php:14",),
    ),
    "own method gone": Case(
        _PHP,
        {"src/Client.php": _PHP_LIB.replace("    private function load(string $path) { return $path; }\n", "")},
        "`Client.load` is gone; 1 call still uses it",
        ("src/Client.php:10",),
    ),
}  # fmt: skip

PHP_SILENT = {
    "default added": Case(_PHP, {"src/Client.php": _PHP_LIB.replace("get(string $path)", "get(string $path, int $wait = 1)")}),
    "last parameter removed": Case(_PHP, {"src/Client.php": _PHP_LIB.replace("get(string $path)", "get()")}),
    "method gone, now of a trait": Case(
        _PHP,
        {"src/Client.php": _PHP_LIB.replace("    private function load(string $path) { return $path; }\n", "").replace("class Client\n{\n", "class Client\n{\n    use Loads;\n\n")},
    ),
}  # fmt: skip

_CSHARP_LIB = (
    "namespace App\n{\n    public class Client\n    {\n        public Client(string url) { }\n\n        public static Client Of(string url) => new Client(url);\n\n"
    "        public string Get(string path, int wait = 1 + 1) { return Load(path); }\n\n        string Load(string path) { return path; }\n    }\n}\n"
)
_CSHARP_USE = (
    "using App;\n\nnamespace Jobs\n{\n    class Job\n    {\n        readonly Client _client;\n\n        void Run(Client other, object any)\n        {\n"
    '            _client.Get("a");\n            other.Get(path: "b");\n            var made = new Client("u");\n            made.Get("c", 1);\n        }\n    }\n}\n'
)
_CSHARP: Files = {"src/Client.cs": _CSHARP_LIB, "src/Job.cs": _CSHARP_USE}

CSHARP = {
    "method": Case(
        _CSHARP,
        {"src/Client.cs": _CSHARP_LIB.replace("Get(string path, ", "Get(string path, bool force, ")},
        "`Client.Get` changed: `force` was added as required, `force` was added before `wait`; 3 calls do not fit it",
        ("src/Job.cs:11", "src/Job.cs:12", "src/Job.cs:14"),
    ),
    "keyword renamed": Case(
        _CSHARP,
        {"src/Client.cs": _CSHARP_LIB.replace("Get(string path", "Get(string address").replace("Load(path)", "Load(address)")},
        "`Client.Get` changed: keyword `path` was renamed to `address`; 1 call does not fit it",
        ("src/Job.cs:12",),
    ),
    "own method gone": Case(
        _CSHARP,
        {"src/Client.cs": _CSHARP_LIB.replace("        string Load(string path) { return path; }\n", "")},
        "`Client.Load` is gone; 1 call still uses it",
        ("src/Client.cs:9",),
    ),
}  # fmt: skip

CSHARP_SILENT = {
    "more arguments allowed": Case(_CSHARP, {"src/Client.cs": _CSHARP_LIB.replace("int wait = 1 + 1", "int wait = 2, params int[] more")}),
    "method gone, now an extension": Case(
        _CSHARP,
        {
            "src/Client.cs": _CSHARP_LIB.replace("        public string Get(string path, int wait = 1 + 1) { return Load(path); }\n\n", ""),
            "src/Extra.cs": "namespace App\n{\n    static class Extra\n    {\n        public static string Get(this Client client, string path, int wait = 2) => path;\n    }\n}\n",
        },
    ),
}  # fmt: skip

_KOTLIN_LIB = (
    "package app\n\nclass Client(val url: String) {\n    fun get(path: String, wait: Int = 1): String {\n        return load(path)\n    }\n\n"
    "    private fun load(path: String): String {\n        return path\n    }\n}\n\nfun send(to: String) {\n}\n"
)
_KOTLIN_USE = (
    "package jobs\n\nimport app.Client\nimport app.send\n\nclass Job(private val client: Client) {\n    fun run(other: Client) {\n"
    '        client.get("a")\n        other.get(path = "b")\n        val made = Client("u")\n        made.get("c")\n        send("d")\n    }\n}\n'
)
_KOTLIN: Files = {"src/main/kotlin/app/Client.kt": _KOTLIN_LIB, "src/main/kotlin/jobs/Job.kt": _KOTLIN_USE}
_JOB = "src/main/kotlin/jobs/Job.kt"

KOTLIN = {
    "method": Case(
        _KOTLIN,
        {"src/main/kotlin/app/Client.kt": _KOTLIN_LIB.replace("wait: Int = 1", "wait: Int")},
        "`Client.get` changed: `wait` is now required; 3 calls do not fit it",
        (f"{_JOB}:8", f"{_JOB}:9", f"{_JOB}:11"),
    ),
    "function": Case(
        _KOTLIN,
        {"src/main/kotlin/app/Client.kt": _KOTLIN_LIB.replace("send(to: String)", "send(to: String, body: String)")},
        "`send` changed: `body` was added as required; 1 call does not fit it",
        (f"{_JOB}:12",),
    ),
}  # fmt: skip

KOTLIN_SILENT = {
    "overload that fits": Case(
        _KOTLIN,
        {"src/main/kotlin/app/Client.kt": _KOTLIN_LIB.replace("wait: Int = 1", "wait: Int").replace("    private", "    fun get(path: String): String {\n        return load(path)\n    }\n\n    private")},
    ),
    "function literal after the brackets": Case(
        {**_KOTLIN, _JOB: 'package jobs\n\nimport app.send\n\nfun run() {\n    send("a") { }\n}\n'},
        {"src/main/kotlin/app/Client.kt": _KOTLIN_LIB.replace("send(to: String)", "send(to: String, then: () -> Unit)")},
    ),
}  # fmt: skip


@cases({**{f"php: {name}": case for name, case in PHP.items()}, **{f"c#: {name}": case for name, case in CSHARP.items()}, **{f"kotlin: {name}": case for name, case in KOTLIN.items()}})  # fmt: skip
def test_calls_that_do_not_fit_are_listed_in_further_languages(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


@cases({**{f"php: {name}": case for name, case in PHP_SILENT.items()}, **{f"c#: {name}": case for name, case in CSHARP_SILENT.items()}, **{f"kotlin: {name}": case for name, case in KOTLIN_SILENT.items()}})  # fmt: skip
def test_calls_that_fit_or_are_unknown_stay_unsaid_in_further_languages(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)
