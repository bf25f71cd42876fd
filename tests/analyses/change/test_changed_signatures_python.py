"""Calls that do not fit a changed function in Python: what is said of them, and what stays unsaid."""

from __future__ import annotations

from pathlib import Path

from crimes.model.change import Level
from tests.kit.signature_cases import Case, Files, cases, check, items_of

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
        "`send` in lib.py changed (`subject` was added before `timeout`, `subject` was added as required), but 2 calls in 1 file no longer match it.",
        ("use.py:5", "use.py:6"),
    ),
    "required parameter added in front": Case(
        {"lib.py": "def send(to):\n    pass\n", "use.py": "from lib import send\n\nsend('a')\n"},
        {"lib.py": "def send(subject, to):\n    pass\n"},
        "`send` in lib.py changed (`subject` was added before `to`), but 1 call in 1 file no longer matches it.",
        ("use.py:3",),
    ),
    "default removed": Case(
        {"lib.py": "def send(to, timeout=0):\n    pass\n", "use.py": "import lib\n\nlib.send('a')\n"},
        {"lib.py": "def send(to, timeout):\n    pass\n"},
        "`send` in lib.py changed (`timeout` is now required), but 1 call in 1 file no longer matches it.",
        ("use.py:3",),
    ),
    "keyword renamed": Case(
        {"lib.py": "def send(to, timeout=0):\n    pass\n", "use.py": _PY_USE},
        {"lib.py": "def send(to, wait=0):\n    pass\n"},
        "`send` in lib.py changed (keyword `timeout` was renamed to `wait`), but 1 call in 1 file no longer matches it.",
        ("use.py:6",),
    ),
    "order changed": Case(
        {"lib.py": "def send(to, body):\n    pass\n", "use.py": "from lib import send as post\n\npost(1, 2)\npost(to=1, body=2)\n"},
        {"lib.py": "def send(body, to):\n    pass\n"},
        "`send` in lib.py changed (`body` moved before `to`), but 1 call in 1 file no longer matches it.",
        ("use.py:3",),
    ),
    "parameter removed": Case(
        {"lib.py": "def send(to, body):\n    pass\n\n\ndef run():\n    send(1, 2)\n"},
        {"lib.py": "def send(to):\n    pass\n\n\ndef run():\n    send(1, 2)\n"},
        "`send` in lib.py changed (`body` was removed), but 1 call in 1 file no longer matches it.",
        ("lib.py:6",),
    ),
    "method on typed and created objects": Case(
        {"client.py": _PY_CLASS, "use.py": _PY_CLIENT_USE},
        {"client.py": _PY_CLASS.replace("def get(self, path)", "def get(self, path, timeout)")},
        "`Client.get` in client.py changed (`timeout` was added as required), but 2 calls in 1 file no longer match it.",
        ("use.py:5", "use.py:10"),
    ),
    "method gone": Case(
        {"client.py": _PY_CLASS, "use.py": _PY_CLIENT_USE},
        {"client.py": _PY_CLIENT_KEPT},
        "`Client.get` is gone from client.py, but 2 calls in 1 file still use it.",
        ("use.py:5", "use.py:10"),
    ),
    "constructor": Case(
        {"client.py": _PY_CLASS, "use.py": _PY_CLIENT_USE},
        {"client.py": _PY_CLASS.replace("(self, url)", "(self, url, *, token)")},
        "`Client.__init__` in client.py changed (`token` was added as required), but 1 call in 1 file no longer matches it.",
        ("use.py:9",),
    ),
    "own method": Case(
        {"client.py": _PY_CLASS},
        {"client.py": _PY_CLASS.replace("def fetch(self, path)", "def fetch(self, path, retries)")},
        "`Client.fetch` in client.py changed (`retries` was added as required), but 1 call in 1 file no longer matches it.",
        ("client.py:6",),
    ),
    "method of a base in another file": Case(
        {
            "client.py": _PY_CLASS,
            "sub.py": "from client import Client\n\n\nclass Sub(Client):\n    def run(self):\n        self.fetch('a')\n        super().fetch('b')\n",
        },
        {"client.py": _PY_CLASS.replace("def fetch(self, path)", "def fetch(self, path, retries)").replace("self.fetch(path)", "self.fetch(path, 1)")},
        "`Client.fetch` in client.py changed (`retries` was added as required), but 2 calls in 1 file no longer match it.",
        ("sub.py:6", "sub.py:7"),
    ),
    "through a package file and an attribute": Case(
        {
            "pkg/__init__.py": "from .client import Client\n",
            "pkg/client.py": _PY_CLASS,
            "use.py": "import pkg\n\n\nclass Job:\n    def __init__(self):\n        self.client = pkg.Client('u')\n\n    def run(self):\n        self.client.get('a')\n",
        },
        {"pkg/client.py": _PY_CLASS.replace("def get(self, path)", "def get(self, path, timeout)")},
        "`Client.get` in pkg/client.py changed (`timeout` was added as required), but 1 call in 1 file no longer matches it.",
        ("use.py:9",),
    ),
    "through a file of a package": Case(
        {"pkg/__init__.py": "", "pkg/client.py": _PY_CLASS, "use.py": "import pkg.client\nimport pkg\n\npkg.client.Client('u')\n"},
        {"pkg/client.py": _PY_CLASS.replace("(self, url)", "(self, url, token)")},
        "`Client.__init__` in pkg/client.py changed (`token` was added as required), but 1 call in 1 file no longer matches it.",
        ("use.py:4",),
    ),
}  # fmt: skip

PYTHON_SILENT = {
    "method gone, but any method is answered": Case(
        {"client.py": "class Client:\n    def hook(self):\n        pass\n\n    def __getattr__(self, name):\n        return print\n\n    def run(self):\n        self.hook()\n"},
        {"client.py": "class Client:\n    def __getattr__(self, name):\n        return print\n\n    def run(self):\n        self.hook()\n"},
    ),
    "name given another value": Case(
        {"lib.py": "def send(to):\n    pass\n", "use.py": "from lib import send\n\nsend = print\nsend(1)\n"},
        {"lib.py": "def send(to, body):\n    pass\n"},
    ),
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


@cases(python=PYTHON)
def test_calls_that_do_not_fit_are_listed(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


@cases(python=PYTHON_SILENT)
def test_calls_that_fit_or_are_unknown_stay_unsaid(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


def test_a_call_that_fails_is_broken_and_one_that_does_something_else_is_worth_a_look(tmp_path: Path) -> None:
    files: Files = {"lib.py": "def a(x):\n    pass\n\n\ndef b(x, y):\n    pass\n\n\na(1)\nb(1, 2)\n"}
    edit: Files = {"lib.py": "def a(x, z):\n    pass\n\n\ndef b(y, x):\n    pass\n\n\na(1)\nb(1, 2)\n"}
    assert [item.level for item in items_of(tmp_path, files, edit)] == [Level.BROKEN, Level.LOOK]
