"""Calls that do not fit a changed function in Go, Java and Rust: what is said of them, and what stays unsaid."""

from __future__ import annotations

from pathlib import Path

from tests.kit.signature_cases import Case, Files, cases, check

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
        "`Send` in lib/lib.go changed (`body` was added as required), but 2 calls in 2 files no longer match it.",
        ("lib/beside.go:4", "main.go:10"),
    ),
    "method": Case(
        _GO,
        {"lib/lib.go": _GO_LIB.replace("Get(path string)", "Get(path string, wait int)")},
        "`Client.Get` in lib/lib.go changed (`wait` was added as required), but 4 calls in 1 file no longer match it.",
        ("main.go:12", "main.go:14", "main.go:18", "main.go:19"),
    ),
    "method gone": Case(
        _GO,
        {"lib/lib.go": _GO_LIB.replace("func (c *Client) Get(path string) error { return c.load(path) }\n\n", "")},
        "`Client.Get` is gone from lib/lib.go, but 4 calls in 1 file still use it.",
        ("main.go:12", "main.go:14", "main.go:18", "main.go:19"),
    ),
    "parameters without names": Case(
        {"go.mod": _GO_MOD, "main.go": "package main\n\nfunc run(int) {}\n\nfunc main() {\n\trun(1)\n}\n"},
        {"main.go": "package main\n\nfunc run(int, int) {}\n\nfunc main() {\n\trun(1)\n}\n"},
        "`run` in main.go changed (`int` is now required), but 1 call in 1 file no longer matches it.",
        ("main.go:6",),
    ),
    "list that is passed as the variadic parameter": Case(
        {"go.mod": _GO_MOD, "main.go": "package main\n\nfunc run(names ...string) {}\n\nfunc main() {\n\trun([]string{}...)\n}\n"},
        {"main.go": "package main\n\nfunc run(wait int, names ...string) {}\n\nfunc main() {\n\trun([]string{}...)\n}\n"},
        "`run` in main.go changed (`wait` was added as required), but 1 call in 1 file no longer matches it.",
        ("main.go:6",),
    ),
    "list that no variadic parameter takes any more": Case(
        {"go.mod": _GO_MOD, "main.go": "package main\n\nfunc run(names ...string) {}\n\nfunc main() {\n\trun([]string{}...)\n}\n"},
        {"main.go": "package main\n\nfunc run() {}\n\nfunc main() {\n\trun([]string{}...)\n}\n"},
        "`run` in main.go changed (it takes 0 positional arguments now), but 1 call in 1 file no longer matches it.",
        ("main.go:6",),
    ),
    "list that a variadic parameter still takes": Case(
        {"go.mod": _GO_MOD, "main.go": "package main\n\nfunc run(n int, names ...string) {}\n\nfunc main() {\n\trun(1, []string{}...)\n}\n"},
        {"main.go": "package main\n\nfunc run(wait int, names ...string) {}\n\nfunc main() {\n\trun(1, []string{}...)\n}\n"},
    ),
    "method of a type that another file defines, called on a result": Case(
        {
            "go.mod": _GO_MOD,
            "chain.go": "package main\n\nfunc all(list ...int) Chain { return list }\n\nfunc (c Chain) Total() int { return 1 }\n\nfunc (c Chain) First() int { return 1 }\n",
            "types.go": "package main\n\ntype Chain []int\n",
            "main.go": "package main\n\nfunc main() {\n\tall(1, 2).Total()\n}\n",
        },
        {"chain.go": "package main\n\nfunc all(list ...int) Chain { return list }\n\nfunc (c Chain) Sum() int { return 1 }\n\nfunc (c Chain) First() int { return 1 }\n"},
        "`Chain.Total` is gone from chain.go, but 1 call in 1 file still uses it.",
        ("main.go:4",),
    ),
    "method of an interface": Case(
        {
            "go.mod": _GO_MOD,
            "types.go": "package main\n\ntype Chain interface {\n\tTotal() int\n}\n\nfunc all() Chain { return nil }\n",
            "main.go": "package main\n\nfunc main() {\n\tall().Total()\n}\n",
        },
        {"types.go": "package main\n\ntype Chain interface {\n\tTotal() int\n\tMore() int\n}\n\nfunc all() Chain { return nil }\n"},
    ),
    "package that is not called like its folder": Case(
        {"go.mod": _GO_MOD, "lib/v2/lib.go": _GO_LIB, "main.go": 'package main\n\nimport "example.com/m/lib/v2"\n\nfunc main() {\n\tlib.Send("a")\n}\n'},
        {"lib/v2/lib.go": _GO_LIB.replace("Send(to string,", "Send(to string, body string,")},
        "`Send` in lib/v2/lib.go changed (`body` was added as required), but 1 call in 1 file no longer matches it.",
        ("main.go:6",),
    ),
    "last method of a type gone": Case(
        {"go.mod": _GO_MOD, "main.go": "package main\n\ntype job struct {\n\tname string\n}\n\nfunc (j *job) run() {}\n\nfunc main() {\n\tj := &job{}\n\tj.run()\n}\n"},
        {"main.go": "package main\n\ntype job struct {\n\tname string\n}\n\nfunc main() {\n\tj := &job{}\n\tj.run()\n}\n"},
        "`job.run` is gone from main.go, but 1 call in 1 file still uses it.",
        ("main.go:9",),
    ),
    "own method": Case(
        _GO,
        {"lib/lib.go": _GO_LIB.replace("load(path string)", "load(path string, wait int)")},
        "`Client.load` in lib/lib.go changed (`wait` was added as required), but 1 call in 1 file no longer matches it.",
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
        "`Client.get` in src/main/java/a/Client.java changed (`wait` was added as required), but 4 calls in 1 file no longer match it.",
        (f"{_USE}:9", f"{_USE}:10", f"{_USE}:11", f"{_USE}:13"),
    ),
    "method gone": Case(
        _JAVA,
        {"src/main/java/a/Client.java": _JAVA_LIB.replace("  public String get(String path) { return load(path); }\n\n", "")},
        "`Client.get` is gone from src/main/java/a/Client.java, but 4 calls in 1 file still use it.",
        (f"{_USE}:9", f"{_USE}:10", f"{_USE}:11", f"{_USE}:13"),
    ),
    "constructor of a base": Case(
        {**_JAVA, "src/main/java/a/Sub.java": "package a;\n\nclass Sub extends Client {\n  Sub() {\n    super(\"u\");\n  }\n}\n", "src/main/java/b/Use.java": ""},
        {"src/main/java/a/Client.java": _JAVA_LIB.replace("public Client(String url)", "public Client(String url, int wait)").replace("new Client(url)", "new Client(url, 1)")},
        "`Client.Client` in src/main/java/a/Client.java changed (`wait` was added as required), but 1 call in 1 file no longer matches it.",
        ("src/main/java/a/Sub.java:5",),
    ),
    "static method": Case(
        _JAVA,
        {"src/main/java/a/Client.java": _JAVA_LIB.replace("of(String url)", "of(String url, int wait)")},
        "`Client.of` in src/main/java/a/Client.java changed (`wait` was added as required), but 1 call in 1 file no longer matches it.",
        (f"{_USE}:12",),
    ),
    "constructor": Case(
        _JAVA,
        {"src/main/java/a/Client.java": _JAVA_LIB.replace("public Client(String url)", "public Client(String url, int wait)").replace("new Client(url)", "new Client(url, 1)")},
        "`Client.Client` in src/main/java/a/Client.java changed (`wait` was added as required), but 1 call in 1 file no longer matches it.",
        (f"{_USE}:6",),
    ),
    "own method": Case(
        _JAVA,
        {"src/main/java/a/Client.java": _JAVA_LIB.replace("load(String path)", "load(String path, int wait)")},
        "`Client.load` in src/main/java/a/Client.java changed (`wait` was added as required), but 1 call in 1 file no longer matches it.",
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
        "`send` in src/client.rs changed (`wait` was added as required), but 3 calls in 1 file no longer match it.",
        ("src/main.rs:11", "src/main.rs:12", "src/main.rs:13"),
    ),
    "method": Case(
        _RUST,
        {"src/client.rs": _RUST_LIB.replace("get(&self, path: &str)", "get(&self, path: &str, wait: u8)")},
        "`Client.get` in src/client.rs changed (`wait` was added as required), but 4 calls in 1 file no longer match it.",
        ("src/main.rs:7", "src/main.rs:15", "src/main.rs:19", "src/main.rs:21"),
    ),
    "method gone": Case(
        _RUST,
        {"src/client.rs": _RUST_LIB.replace("    pub fn get(&self, path: &str) -> u8 { self.load(path) }\n", "")},
        "`Client.get` is gone from src/client.rs, but 4 calls in 1 file still use it.",
        ("src/main.rs:7", "src/main.rs:15", "src/main.rs:19", "src/main.rs:21"),
    ),
    "associated function": Case(
        _RUST,
        {"src/client.rs": _RUST_LIB.replace("rank(path: &str)", "rank(path: &str, wait: u8)")},
        "`Client.rank` in src/client.rs changed (`wait` was added as required), but 1 call in 1 file no longer matches it.",
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


@cases(go=GO, java=JAVA, rust=RUST)
def test_calls_that_do_not_fit_are_listed(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


@cases(go=GO_SILENT, java=JAVA_SILENT, rust=RUST_SILENT)
def test_calls_that_fit_or_are_unknown_stay_unsaid(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)
