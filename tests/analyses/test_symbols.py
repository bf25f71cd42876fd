"""What a name stands for: a definition here, a name outside, or nothing known."""

from __future__ import annotations

from pathlib import Path

import pytest

from crimes.analyses.symbols import SYMBOLS, Symbol, Symbols
from crimes.config.schema import Config
from crimes.engine.scan import scan

FILES = {
    "app/__init__.py": "from app.store import save\n",
    "app/store.py": "def save(row):\n    pass\n\n\nclass Store:\n    def put(self):\n        self.flush()\n        self.absent()\n\n    def flush(self):\n        save(1)\n",
    "app/job.py": "import time as t\nimport os.path\nfrom time import sleep\nfrom app import save\nfrom app.store import Store as S, save as keep\nimport app.store as st\n\n\ndef run():\n    sleep(1)\n    t.sleep(1)\n    os.path.join()\n    save(1)\n    keep(2)\n    st.save(3)\n    S.put()\n    unknown()\n",
    "app/both.py": "from pickle import dump as theirs\nfrom app.dumps import dump\n",
    "app/dumps.py": "def dump():\n    pass\n",
    "web/fs.ts": "import fs, { readFile } from 'node:fs';\nimport * as path from 'path';\nimport { go } from './go';\nfs.readFileSync('a');\nreadFile('a');\npath.join('a');\ngo();\n",
    "web/go.ts": "export function go() {}\n",
    "rs/Cargo.toml": '[package]\nname = "rs"\n',
    "rs/src/lib.rs": "pub mod pay;\npub mod order;\n",
    "rs/src/pay.rs": "pub fn charge() {}\n\npub struct Card {}\n\nimpl Card {\n    pub fn new() {}\n}\n",
    "rs/src/order.rs": "use crate::pay;\n\nfn run() {\n    pay::charge();\n    pay::Card::new();\n    pay::gone();\n}\n",
    "rb/pay.rb": "module Shop\n  class Pay\n    def self.charge = 1\n  end\nend\n",
    "rb/order.rb": "require_relative 'pay'\n\nmodule Shop\n  class Order\n    def run = Pay.charge + Pay.gone\n  end\nend\n",
}


@pytest.fixture(scope="module")
def symbols(tmp_path_factory: pytest.TempPathFactory) -> Symbols:
    root: Path = tmp_path_factory.mktemp("repo")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return scan(root, Config()).context[SYMBOLS]


@pytest.mark.parametrize(
    ("path", "target", "dotted"),
    [
        ("app/job.py", "t.sleep", "time.sleep"),
        ("app/job.py", "sleep", "time.sleep"),
        ("app/job.py", "os.path.join", "os.path.join"),
        ("app/job.py", "save", ""),
        ("app/both.py", "theirs", "pickle.dump"),
        ("app/both.py", "dump", ""),
        ("app/job.py", "unknown", ""),
        ("web/fs.ts", "fs.readFileSync", "fs.readFileSync"),
        ("web/fs.ts", "readFile", "fs.readFile"),
        ("web/fs.ts", "path.join", "path.join"),
        ("web/fs.ts", "go", ""),
        ("nowhere.py", "x", ""),
    ],
)
def test_external_names_resolve_to_dotted_names(
    symbols: Symbols, path: str, target: str, dotted: str
) -> None:
    assert symbols.external_name(path, target) == dotted


@pytest.mark.parametrize(
    ("path", "target", "function", "found"),
    [
        ("app/job.py", "save", -1, Symbol("app/store.py", "save")),  # through the package
        ("app/job.py", "keep", -1, Symbol("app/store.py", "save")),
        ("app/job.py", "st.save", -1, Symbol("app/store.py", "save")),
        ("app/job.py", "S.put", -1, Symbol("app/store.py", "Store.put")),
        ("app/job.py", "S", -1, Symbol("app/store.py", "Store")),
        ("app/job.py", "sleep", -1, None),
        ("rs/src/order.rs", "pay::charge", 0, Symbol("rs/src/pay.rs", "charge")),  # the name is the file
        ("rs/src/order.rs", "pay::Card::new", 0, Symbol("rs/src/pay.rs", "Card.new")),
        ("rs/src/order.rs", "pay::gone", 0, None),
        ("rb/order.rb", "Pay.charge", 0, Symbol("rb/pay.rb", "Shop.Pay.charge")),  # held by a module
        ("rb/order.rb", "Pay.gone", 0, None),
        ("app/job.py", "unknown", -1, None),
        ("app/store.py", "self.flush", 1, Symbol("app/store.py", "Store.flush")),
        ("app/store.py", "self.absent", 1, None),
        ("app/store.py", "self.flush", -1, None),
        ("app/store.py", "save", 2, Symbol("app/store.py", "save")),
        ("web/fs.ts", "go", -1, Symbol("web/go.ts", "go")),
    ],
)
def test_internal_names_resolve_to_symbols(
    symbols: Symbols, path: str, target: str, function: int, found: Symbol | None
) -> None:
    assert symbols.resolve(path, target, function) == found


def test_callers_are_found_across_files(symbols: Symbols) -> None:
    save, flush = Symbol("app/store.py", "save"), Symbol("app/store.py", "Store.flush")
    found = symbols.callers([save, flush])
    assert [(site.path, site.call.line) for site in found[flush]] == [("app/store.py", 7)]
    assert [(site.path, site.call.line) for site in found[save]] == [
        ("app/job.py", 13),
        ("app/job.py", 14),
        ("app/job.py", 15),
        ("app/store.py", 11),
    ]


def test_go_packages_of_several_files_and_named_receivers_resolve(tmp_path: Path) -> None:
    files = {
        "go.mod": "module m\n",
        "store/a.go": "package store\n\nfunc Open() {}\n",
        "store/b.go": "package store\n\nfunc Save() error { return nil }\n",
        "job.go": 'package m\n\nimport "m/store"\n\ntype Job struct{}\n\nfunc (j *Job) Run(o *Job) {\n\tstore.Open()\n\tstore.Save()\n\tj.stop()\n\to.stop()\n}\n\nfunc (j *Job) stop() {}\n',
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    known = scan(tmp_path, Config()).context[SYMBOLS]
    assert known.resolve("job.go", "store.Open", 0) == Symbol("store/a.go", "Open")
    assert known.resolve("job.go", "store.Save", 0) == Symbol("store/b.go", "Save")
    assert known.resolve("job.go", "j.stop", 0) == Symbol("job.go", "Job.stop")
    assert known.resolve("job.go", "o.stop", 0) is None
