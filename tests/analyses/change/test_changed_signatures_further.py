"""Calls that do not fit a changed function in PHP, C# and Kotlin: what is said of them, and what stays unsaid."""

from __future__ import annotations

from pathlib import Path

from tests.kit.signature_cases import Case, Files, cases, check

_PHP_LIB = (
    "<?php\nnamespace App;\n\nclass Client\n{\n    public function __construct(private string $url) {}\n\n"
    "    public static function of(string $url): self { return new self($url); }\n\n"
    "    public function get(string $path) { return $this->load($path); }\n\n    private function load(string $path) { return $path; }\n}\n"
)
_PHP_USE = (
    "<?php\nnamespace Jobs;\n\nuse App\\Client;\n\nclass Job\n{\n    private Client $client;\n\n    public function run(Client $other, $any)\n    {\n"
    "        $this->client->get('a');\n        $other->get('b');\n        $made = new Client('u');\n        $made->get('c');\n        $any->get('d');\n        Client::of('v');\n    }\n}\n"
)
_PHP: Files = {
    "composer.json": '{"autoload": {"psr-4": {"App\\\\": "src/", "Jobs\\\\": "jobs/"}}}\n',
    "src/Client.php": _PHP_LIB,
    "jobs/Job.php": _PHP_USE,
}

PHP = {
    "method": Case(
        _PHP,
        {"src/Client.php": _PHP_LIB.replace("get(string $path)", "get(string $path, int $wait)")},
        "`Client.get` in src/Client.php changed (`wait` was added as required), but 3 calls in 1 file no longer match it.",
        ("jobs/Job.php:12", "jobs/Job.php:13", "jobs/Job.php:15"),
    ),
    "constructor": Case(
        _PHP,
        {"src/Client.php": _PHP_LIB.replace("private string $url)", "private string $url, int $wait)").replace("new self($url)", "new self($url, 1)")},
        "`Client.__construct` in src/Client.php changed (`wait` was added as required), but 1 call in 1 file no longer matches it.",
        ("jobs/Job.php:14",),
    ),
    "own method gone": Case(
        _PHP,
        {"src/Client.php": _PHP_LIB.replace("    private function load(string $path) { return $path; }\n", "")},
        "`Client.load` is gone from src/Client.php, but 1 call in 1 file still uses it.",
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
        "`Client.Get` in src/Client.cs changed (`force` was added as required, `force` was added before `wait`), but 3 calls in 1 file no longer match it.",
        ("src/Job.cs:11", "src/Job.cs:12", "src/Job.cs:14"),
    ),
    "keyword renamed": Case(
        _CSHARP,
        {"src/Client.cs": _CSHARP_LIB.replace("Get(string path", "Get(string address").replace("Load(path)", "Load(address)")},
        "`Client.Get` in src/Client.cs changed (keyword `path` was renamed to `address`), but 1 call in 1 file no longer matches it.",
        ("src/Job.cs:12",),
    ),
    "own method gone": Case(
        _CSHARP,
        {"src/Client.cs": _CSHARP_LIB.replace("        string Load(string path) { return path; }\n", "")},
        "`Client.Load` is gone from src/Client.cs, but 1 call in 1 file still uses it.",
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
        "`Client.get` in src/main/kotlin/app/Client.kt changed (`wait` is now required), but 3 calls in 1 file no longer match it.",
        (f"{_JOB}:8", f"{_JOB}:9", f"{_JOB}:11"),
    ),
    "function": Case(
        _KOTLIN,
        {"src/main/kotlin/app/Client.kt": _KOTLIN_LIB.replace("send(to: String)", "send(to: String, body: String)")},
        "`send` in src/main/kotlin/app/Client.kt changed (`body` was added as required), but 1 call in 1 file no longer matches it.",
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


@cases(php=PHP, csharp=CSHARP, kotlin=KOTLIN)
def test_calls_that_do_not_fit_are_listed(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


@cases(php=PHP_SILENT, csharp=CSHARP_SILENT, kotlin=KOTLIN_SILENT)
def test_calls_that_fit_or_are_unknown_stay_unsaid(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)
