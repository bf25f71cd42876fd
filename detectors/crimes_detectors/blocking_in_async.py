"""An async function makes a blocking call, and everything else on its event loop waits.

It follows imports to calls that are known to block: sleeping, synchronous HTTP, waiting for another process, opening a
database connection.

## Why it matters

While the call runs, no other request, timer or task on that event loop makes progress. Tests that run one task at a time
do not notice. Where a pool of threads runs async functions, one of its threads is blocked, and cancelling has no effect.

## What to do

Use the asynchronous version of the call, or run it in a thread. In Python that is `asyncio.sleep`, an async client or
`asyncio.to_thread`; in JavaScript `execFile` of `node:child_process`; in Rust `spawn_blocking`.

## Before

```python
import time
import requests

async def wait_until_ready(url):
    while requests.get(url).status_code != 200:
        time.sleep(1)
```

## After

```python
import asyncio
import httpx

async def wait_until_ready(url):
    async with httpx.AsyncClient() as client:
        while (await client.get(url)).status_code != 200:
            await asyncio.sleep(1)
```

## What it does not report

- A sleep in a function that also awaits one: it has a mode that is not async.
- `async void`: an event handler of a user interface, which no request waits for.
- Functions and lambdas inside the async function: they run where they are passed to, which is how a call is moved to a thread.
- Reading and writing files, whole or in part: most are small, and read once or on a rare action.
- Processes in code that serves no requests: they count only in a file that imports a web framework or server.
- Processes in functions that start or stop a program (`main`, `lifespan`, `setup`, `restart_server`), in command lines, scripts and
  tools: nobody else is waiting.
- `sleep(0)`, benchmarks, profiling and other code that only tests something.
- Tests, scripts, examples, generated and vendored code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from crimes.api import (
    ANY,
    SYMBOLS,
    Call,
    Category,
    Detector,
    Effort,
    Example,
    File,
    FileFacts,
    Finding,
    Function,
    Measure,
    NoOptions,
    Pass,
    Place,
    Related,
    Role,
    Severity,
    Signal,
    Symbols,
    function_subject,
    per_file,
    regex,
)

_HTTP_METHODS = "get|post|put|patch|delete|head|options|request"
# External dotted names, by what their caller waits for.
_WAITS = {
    "sleeps without yielding": regex(
        r"(?:time|std\.thread|java\.lang\.Thread|System\.Threading\.Thread)\.[sS]leep"
    ),
    "waits for the network": regex(
        rf"requests(?:\.[sS]ession\(\))?\.(?:{_HTTP_METHODS})|httpx\.(?:{_HTTP_METHODS}|stream)|httpx\.Client\(\)\.(?:{_HTTP_METHODS})"
        r"|urllib\.request\.(?:urlopen|urlretrieve)|urllib3\.request|reqwest\.blocking\.get|smtplib\.SMTP(?:_SSL)?"
        r"|socket\.(?:create_connection|gethostbyname|getaddrinfo)"
    ),
    "waits for another process": regex(
        r"subprocess\.(?:run|call|check_call|check_output|getoutput|getstatusoutput)|subprocess\.Popen\(\)\.(?:wait|communicate)"
        r"|os\.(?:system|wait|waitpid)|os\.popen\(\)\.read|child_process\.(?:exec|spawn|execFile)Sync|execa\.(?:execaSync|sync)"
        r"|cross-spawn\.sync|std\.process\.Command\.new\(\)(?:\.\w+\(\))*\.(?:output|status)"
    ),
    "waits for a database": regex(r"(?:sqlite3|psycopg2|pymysql|MySQLdb)\.connect"),
    "waits for other tasks": regex(
        r"kotlinx\.coroutines\.runBlocking|(?:futures\.executor|pollster|tokio\.runtime\.Handle\.current\(\))\.block_on"
    ),
}
_EVENT_HANDLER_RESULT = "void"  # of an async function: nobody can await it
_PROCESS = "waits for another process"
_SLEEP = "sleeps without yielding"
_POOL_SLEEP = regex(r"(?:System\.Threading\.)?Thread\.Sleep")  # where a pool of threads runs async functions
_POOL_WHY = "A thread of the pool is blocked while it sleeps, and cancelling does not end the sleep."
# The last part of every name above: only these calls are looked up.
_LAST_NAME = regex(
    rf"(?:^|[.:])(?:[sS]leep|{_HTTP_METHODS}|stream|urlopen|urlretrieve|SMTP(?:_SSL)?|create_connection|gethostbyname|getaddrinfo|run|call|"
    r"check_call|check_output|getoutput|getstatusoutput|wait|waitpid|communicate|system|sync|\w+Sync|output|status|connect|runBlocking|"
    r"block_on|read)$"
)
# Names that need no import; the text of the line tells them from others of that name.
_BUILT_IN = {
    "Thread.sleep": ("sleeps without yielding", regex(r"\bThread\.sleep\(")),
    "Thread.Sleep": ("sleeps without yielding", regex(r"\bThread\.Sleep\(")),
}
_MAY_BLOCK = regex(r"sleep\(0\)|testing", re.IGNORECASE)  # yields to other tasks, or waits for a test
_DEFERRED = regex(r"\blambda\b[^:]{0,100}:|=>|\|[^|]*\|\s*+\{?\s*+$|\|\|")
# A server answers many requests at once: one slow process makes all of them wait.
_SERVER_LIBRARY = regex(
    r"^(?:fastapi|starlette|aiohttp\.web|quart|sanic|tornado|litestar|django|channels|express|koa|fastify|hono|@nestjs|@hapi|next|axum|actix_web|warp|"
    r"rocket|tonic|io\.ktor|socketio)(?:$|[./:])"
)
# Code that one person runs and waits for anyway.
_TOOL_PATH = regex(
    r"(?:^|/)(?:cli|scripts?|bin|commands?|e2e[\w-]*|evals?|seeds?|tools?|build[\w-]*|create-[\w-]+|codemods?|dev|hacking)(?:/|\.\w+$)"
)
_TEST_NAME = regex(r"test|bench|timeit|profil|_check\b|debug", re.IGNORECASE)
_START_OR_STOP_NAME = regex(
    r"^_*(?:main|lifespan|run|serve|cli|init|initiali[sz]e|on|(?:re)?start\w*|stop\w*|close\w*|listen\w*|create_?server\w*|set_?up\w*|bootstrap\w*|shut_?down\w*|tear_?down\w*|on_?start\w*)$",
    re.IGNORECASE,
)


class Wait(Struct, frozen=True):
    """A blocking call, its full name, and what its caller waits for."""

    call: Call
    name: str
    why: str
    imported: bool


def detect(scan: Pass, options: NoOptions) -> Iterator[Finding]:
    symbols = scan[SYMBOLS]
    for path, indices in scan[SUSPECTS].items():
        file = scan.repo.files[path]
        if _TEST_NAME.search(path):
            continue
        waits = _waits_by_function(file, indices, symbols)
        if not waits:
            continue
        lines = scan.repo.read(file.path).decode("utf-8", "replace").split("\n")
        for index in sorted(waits):
            function = file.facts.functions[index]
            blocking = [wait for wait in waits[index] if _blocks_here(file, function, wait, lines)]
            if blocking:
                yield _report(file, function, blocking)


def _suspects(facts: FileFacts) -> tuple[int, ...]:
    """Indices of the calls in async functions that have the name of a blocking one."""
    functions = enumerate(facts.functions)
    at_risk = {index for index, function in functions if function.is_async and not function.in_test}
    return tuple(
        index
        for index, call in enumerate(facts.calls if at_risk else ())
        if call.function in at_risk
        and not call.awaited
        and (call.target in _BUILT_IN or _LAST_NAME.search(call.target))
    )


SUSPECTS = per_file("blocking_in_async.suspects", tuple[int, ...], _suspects, frozenset({Role.SOURCE}))


def _waits_by_function(file: File, indices: tuple[int, ...], symbols: Symbols) -> dict[int, list[Wait]]:
    """Blocking calls, by the index of the async function around them."""
    by_function: dict[int, list[Wait]] = {}
    for call in map(file.facts.calls.__getitem__, indices):
        wait = _wait_of(file, call, symbols)
        if wait is not None:
            by_function.setdefault(call.function, []).append(wait)
    return by_function


def _wait_of(file: File, call: Call, symbols: Symbols) -> Wait | None:
    built_in = _BUILT_IN.get(call.target)
    if built_in is not None and not symbols.external_name(file.path, call.target):
        return Wait(call, call.target, built_in[0], imported=False)
    if not _LAST_NAME.search(call.target):
        return None
    written = call.dotted
    name = symbols.external_name(file.path, call.target) or (written if written.startswith("std.") else "")
    why = next((why for why, pattern in _WAITS.items() if pattern.fullmatch(name)), "") if name else ""
    return Wait(call, name, why, imported=True) if why else None


def _blocks_here(file: File, function: Function, wait: Wait, lines: list[str]) -> bool:
    """Whether the event loop itself runs the call, and other tasks may be waiting for the loop."""
    line = lines[wait.call.line - 1] if wait.call.line <= len(lines) else ""
    if not wait.imported and not _BUILT_IN[wait.call.target][1].search(line):
        return False
    before = line[: max(line.find(wait.call.target.rpartition(".")[2]), 0)]
    if wait.why == _SLEEP and _sleeps_both_ways(file, function):
        return False
    if function.result == _EVENT_HANDLER_RESULT:
        return False
    if _DEFERRED.search(before) or _MAY_BLOCK.search(line) or _TEST_NAME.search(function.name):
        return False
    if wait.why != _PROCESS:
        return True
    if _START_OR_STOP_NAME.match(function.name) or _TOOL_PATH.search(file.path):
        return False
    return any(_SERVER_LIBRARY.match(item.target) for item in file.facts.imports)


def _sleeps_both_ways(file: File, function: Function) -> bool:
    """Whether it also awaits a sleep: one of its modes is not async."""
    index = file.facts.functions.index(function)
    return any(
        call.awaited and call.function == index and call.target.endswith("sleep") for call in file.facts.calls
    )


def _report(file: File, function: Function, waits: list[Wait]) -> Finding:
    first = min(waits, key=lambda wait: wait.call.line)
    signals = [
        Signal(
            "call",
            Category.SYNTAX,
            80,
            f"`{first.call.target}` is not awaited in an async function",
        )
    ]
    if first.imported:
        signals.append(
            Signal(
                "import",
                Category.GRAPH,
                85,
                f"the import resolves to `{first.name}`, which blocks",
            )
        )
    others = sorted({wait.name for wait in waits} - {first.name})
    name = function_subject(file.facts.functions, function, adjective="async")
    subject = name if function.is_anonymous else f"Async function {name}"
    further = len(waits) - 1
    more = f", and makes {further} more blocking {'call' if further == 1 else 'calls'}" if further else ""
    return Finding(
        Place(file.path, first.call.line, first.call.line, function.qualname),
        Severity.LOW,
        f"{subject} calls `{first.name}`, which {first.why}{more}.",
        signals=tuple(signals),
        evidence={
            "blocking_calls": Measure(len(waits), 0),
            "call": Measure(first.name),
            **({"other_calls": Measure(tuple(others))} if others else {}),
        },
        related=tuple(
            Related(
                Place(file.path, wait.call.line, wait.call.line, function.qualname),
                f"`{wait.name}` {wait.why}",
            )
            for wait in waits
            if wait is not first
        ),
        why=_POOL_WHY if _POOL_SLEEP.fullmatch(first.name) else "",
    )


DETECTOR = Detector(
    id="blocking_in_async",
    title="Blocking call in an async function",
    category="correctness",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.LOW,
    effort=Effort.MINUTES,
    detect=detect,
    needs=(SYMBOLS,),
    in_each_file=(SUSPECTS,),
    examples=(
        Example(
            "a sleep and a synchronous request in Python",
            {
                "poll.py": "import time\n\nimport requests as http\n\n\nasync def poll(url):\n    answer = http.get(url)\n    time.sleep(5)\n"
                "    return answer\n"
            },
            ("poll.py:7",),
            severity=Severity.LOW,
        ),
        Example(
            "a process that a request waits for in TypeScript",
            {
                "src/routes.ts": 'import { execSync } from "node:child_process";\nimport express from "express";\n\nexport const app = express();\n\n'
                "export async function version(req: Request, res: Response) {\n"
                '  res.send(execSync("git rev-parse HEAD").toString());\n}\n'
            },
            ("src/routes.ts:7",),
            severity=Severity.LOW,
        ),
        Example(
            "silent on a file that a request reads or writes",
            {
                "api.py": "from fastapi import APIRouter\n\nrouter = APIRouter()\n\n\n@router.get('/report')\nasync def report(name):\n"
                "    with open(name) as file:\n        return file.read()\n",
                "src/sprites.js": "import fs from 'node:fs';\nimport express from 'express';\n\nexport const router = express.Router();\n\n"
                "router.post('/upload', async (request, response) => {\n  fs.cpSync(request.file.path, request.body.name);\n"
                "  response.send(fs.readFileSync(request.body.name));\n});\n",
            },
        ),
        Example(
            "a thread that sleeps in C#",
            {
                "Poller.cs": "class Poller {\n  async Task Poll() {\n    Thread.Sleep(500);\n    await Read();\n  }\n}\n",
            },
            ("Poller.cs:3",),
        ),
        Example(
            "silent in an event handler of a user interface",
            {
                "Window.cs": "class Window {\n  private async void OnClick(object sender, EventArgs e) {\n    Thread.Sleep(50);\n    await Read();\n  }\n}\n",
            },
        ),
        Example(
            "a sleep in Rust, by its full name",
            {
                "src/lib.rs": "async fn poll() {\n    std::thread::sleep(std::time::Duration::from_secs(1));\n}\n",
            },
            ("src/lib.rs:2",),
        ),
        Example(
            "silent when the call runs in a thread",
            {
                "poll.py": "import asyncio\nimport requests\n\n\nasync def poll(url):\n    def ask():\n        return requests.get(url)\n\n"
                "    first = await asyncio.to_thread(ask)\n    return first, await asyncio.to_thread(lambda: requests.get(url))\n"
            },
        ),
        Example(
            "silent on a module of the repository with that name",
            {
                "requests.py": "def get(url):\n    return url\n",
                "poll.py": "import requests\n\n\nasync def poll(session, url):\n    session.get(url)\n    return requests.get(url)\n",
            },
        ),
        Example(
            "silent on processes where nobody is served",
            {
                "convert.py": "import subprocess\n\n\nasync def convert(name):\n    return subprocess.run(['convert', name])\n",
                "src/cli/pack.ts": 'import { execSync } from "node:child_process";\nimport express from "express";\n\nexport async function pack(name: string) {\n'
                "  execSync(`tar cf ${name}`);\n  return express();\n}\n",
            },
        ),
        Example(
            "silent on processes while the program starts",
            {
                "api.py": "import subprocess\n\nfrom fastapi import FastAPI\n\n\nasync def lifespan(app):\n    app.state.version = subprocess.run(['git', 'describe'])\n"
                "    yield\n"
            },
        ),
        Example(
            "silent on processes that run while no server does",
            {
                "src/server.ts": 'import { execSync } from "node:child_process";\nimport express from "express";\n\nexport const restartServer = async () => {\n'
                "  await closeServer();\n  start(express(), execSync('make key'));\n};\n"
            },
        ),
        Example(
            "silent in a test",
            {
                "tests/test_poll.py": "import time\n\n\nasync def test_poll():\n    time.sleep(1)\n    assert True\n"
            },
        ),
        Example(
            "silent where one of two modes is not async",
            {
                "jobs.py": "import asyncio\nimport time\n\n\nasync def watch(jobs, asynchronous):\n    while jobs:\n        if asynchronous:\n"
                "            await asyncio.sleep(10)\n        else:\n            time.sleep(10)\n"
            },
        ),
    ),
)
