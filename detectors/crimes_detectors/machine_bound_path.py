"""Production code names a path or a host that exists on one machine or in one network only.

It looks at string literals in production source for a path below one person's home folder (`/home/jane/data`, `/Users/jane/data`,
`C:\\Users\\jane\\data`). With `beyond_homes = true` it also reports a path on a drive outside the folders of the system
(`D:\\projects\\shop`), an address in a private network with a scheme or a port, and a URL whose host ends in `.internal`, `.intranet`,
`.corp` or `.lan`.

## Why it matters

The code works where it was written and nowhere else: not in CI, not in a container, not for the next developer. An agent that runs it
sees a missing file and repairs the wrong thing, or creates the folder and goes on with nothing in it.

## What to do

Take the location from configuration or the environment, or build it from one that every machine has. That can be the user's home folder, the
folder of the file, or a host name with a default that works everywhere.

## Before

```python
import csv

def export(rows):
    with open("/Users/marit/Desktop/rows.csv", "w", newline="") as out:
        csv.writer(out).writerows(rows)
```

## After

```python
import csv
import os
from pathlib import Path

EXPORT_DIR = Path(os.environ.get("SHOP_EXPORT_DIR", Path.home() / "exports"))

def export(rows):
    with open(EXPORT_DIR / "rows.csv", "w", newline="") as out:
        csv.writer(out).writerows(rows)
```

## What it accepts

- Home folders of accounts that containers and CI have (`ubuntu`, `runner`, `node`, `vscode`) and of placeholders (`user`, `foo`).
- Routes of web applications, and folders of the system (`C:\\Windows`, `C:\\Program Files`).
- A folder with the name of one in the repository: its installation creates it.
- Networks, and addresses in code about addresses; hosts that clouds and containers provide; addresses that new devices have.
- What is only shown as an example, and functions that only pretend (`dry_run`, `fake…`).
- Tests, examples and scripts.
- The default of an environment variable is low: others can set it. A comment beside the literal lowers the severity one step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from msgspec import Struct

from crimes.api import (
    ANY,
    NAMES,
    Category,
    Detector,
    Effort,
    Example,
    Excused,
    File,
    Finding,
    Measure,
    Pass,
    Place,
    Role,
    Severity,
    Signal,
    Text,
    option,
    regex,
)

HOME = regex(r"(?:/home|/Users|[A-Za-z]:[\\/]+Users)[\\/]+([^\\/]+)[\\/]+[^\\/]")
# Accounts of images, CI and tools, and placeholder names.
GENERIC_USER = regex(
    r"(?:\W|_)*(?:root|runner(?:admin)?|ubuntu|debian|vscode|codespace|gitpod|coder|node|app|application|apps?user|pwuser|airflow|jovyan"
    r"|circleci|vagrant|ec2-user|opc|pi|git|work|workspace|sandbox|sbx_user\w*|docker|linuxbrew|shared|public|default|all users|web|www(?:-data)?"
    r"|site|deploy|dev(?:eloper)?|admin(?:istrator)?|guest|steam|oracle|postgres|mysql|hadoop|spark|nonroot|container|builder|build|agent|daytona"
    r"|users?\d*|user_?name|your\w*|you|me|my\w*|some\w*|name|foo|bar|baz|test\w*|example|demo|home|xxx+|john(?:doe|_doe)?|jane(?:doe)?|doe|alice|bob"
    r"|guido|joe|frs|[a-z])(?:\W|_)*",
    re.IGNORECASE,
)
DRIVE = regex(r"[A-Za-z]:[\\/]+([^\\/]+)[\\/]+[^\\/]")
COMMON_FOLDER = regex(
    r"windows|winnt|program(?: ?files.*|data)|progra~\d|te?mp|users|documents and settings|system\w*|path|dir|folder|foo|bar|some.*|your.*|my.*"
    r"|example.*|te?st.*|cygwin\w*|msys\w*|mingw\w*|strawberry|xampp|wamp\d*|laragon|python\d*|ruby\w*|perl\w*|php\d*|tools|inetpub|etc|var|opt|usr|home|a|b|c|x",
    re.IGNORECASE,
)
HOST = regex(
    r"(?:[a-z][a-z0-9+]*://)?((?:10|172|192)(?:\.\d{1,3}){3}|[\w.-]+\.(?:internal|intranet|corp|lan))(?=[:/]|$)(:\d+)?(/\d{1,2}$)?"
)
WELL_KNOWN_HOST = regex(
    r"metadata(?:\.google)?\.internal|(?:host|gateway|kubernetes|model-runner|vm)\.\w+\.internal|.*\.(?:compute|ec2|svc|cluster|pod)\.internal"
    r"|.*\b(?:example|dummy|fake|test|placeholder|local|invalid|acme|your\w*|my\w*)\b.*"
    r"|10\.0\.[23]\.2|172\.17\.0\.1|192\.168\.99\.100|192\.168\.65\.\d+|(?:\d+\.){3}(?:0|255)|10\.0\.0\.1|192\.168\.\d+\.1"
)
ABOUT_ADDRESSES = regex(
    r"(?i:ip_?addr|ip_?range|ip_?block|ip_?restrict|cidr|subnet|ssrf|rfc_?1918|private_?(?:net|ip|addr)|network|trusted_?prox|whitelist|allow_?list|block_?list)"
)
PARSES = regex(r"(?:^|[.\s])(?:URL|urlparse|urljoin|parse|IPAddr\w*|ip_\w+|IPNetwork|ParseCIDR|ParseIP)$")
SUPPORT_PATH = regex(
    r"(^|/)([\w-]+-tests?|testing|test[-_]?(utils?|helpers?|support|data)|mocks?|__mocks__|fixtures?|stor(ies|ybook))(/|[.-])|\.stories\.",
    re.IGNORECASE,
)
MADE_UP = regex(r"(?i:[\\/](?:some|example|sample|your|my)[-_ ])")
SHOWN = regex(r"(?i:placeholder|example|e\.g\.|hint|help|description|sample|label|usage|docs?_?string)")
PRETENDING_NAME = regex(r"(?i:dry_?run|fake|dummy|mock)")
MAX_LINES_ABOVE = 30
FROM_ENVIRONMENT = regex(r"(?i:env(?:iron)?\b|getenv|environ\.get|env::var|config\.get|settings?\.get)")


class Bound(Struct, frozen=True):
    """What binds a literal to one machine."""

    kind: str
    what: str
    owner: str  # the user, folder or host it names
    severity: Severity

    @property
    def place(self) -> str:
        return f"{self.kind} {self.owner}"


@dataclass(frozen=True)
class Options:
    beyond_homes: bool = option(
        False,
        "Also report paths on a drive and hosts of a private network; one in four of these is worth reading.",
    )


def detect(scan: Pass, options: Options) -> Iterator[Finding | Excused]:
    names = scan[NAMES]
    own_names = {folder.rpartition("/")[2] for folder in names.folders} | {scan.repo.root.name.lower()}
    for file in scan.repo.files.values():
        if file.role is not Role.SOURCE or SUPPORT_PATH.search(file.path):
            continue
        literals: dict[tuple[str, str], tuple[Text, Bound]] = {}
        for text in file.facts.texts:
            bound = bound_of(file, text)
            if bound is None or not (bound.kind == "home" or options.beyond_homes):
                continue
            if not in_test(file, text):
                literals.setdefault((symbol_of(file, text), bound.place), (text, bound))
        lines = names.text(file.path).split("\n") if literals else []
        for text, bound in literals.values():
            if bound.owner.lower() in own_names:
                yield Excused(
                    place_of(file, text),
                    f"`{bound.owner}` is also a folder of this repository, whose installation creates it",
                )
            elif MADE_UP.search(text.value):
                yield Excused(place_of(file, text), "the path itself says that it is an example")
            elif PRETENDING_NAME.search(symbol_of(file, text)):
                yield Excused(place_of(file, text), "the name of the function says that it only pretends")
            elif SHOWN.search(line_of(lines, text)) or SHOWN.search(opener_of(lines, text)):
                yield Excused(place_of(file, text), "it is only shown as an example or a placeholder")
            else:
                yield report(file, text, bound)


def bound_of(file: File, text: Text) -> Bound | None:
    """What binds this literal to one machine; None if nothing does."""
    value = text.value
    if not (value[0] in "/" or value[1:2] == ":" or "." in value):
        return None
    home = HOME.match(value)
    if home is not None:
        person = home[1]
        return (
            None
            if GENERIC_USER.fullmatch(person)
            else Bound("home", f"a path in the home folder of `{person}`", person, Severity.MEDIUM)
        )
    drive = DRIVE.match(value)
    if drive is not None:
        return (
            None
            if COMMON_FOLDER.fullmatch(drive[1])
            else Bound("drive", "a path on a drive that other machines do not have", drive[1], Severity.LOW)
        )
    host = HOST.match(value)
    if host is None or PARSES.search(text.call) or WELL_KNOWN_HOST.fullmatch(host[1]) or host[3]:
        return None
    if (
        not ("://" in value or host[2])
        or ABOUT_ADDRESSES.search(file.path)
        or ABOUT_ADDRESSES.search(symbol_of(file, text))
    ):
        return None
    return Bound("host", f"an address in one private network (`{host[1]}`)", host[1], Severity.MEDIUM)


def place_of(file: File, text: Text) -> Place:
    return Place(file.path, text.line, text.line, symbol_of(file, text))


def line_of(lines: list[str], text: Text) -> str:
    return lines[text.line - 1] if text.line <= len(lines) else ""


def opener_of(lines: list[str], text: Text) -> str:
    """The line that opens the multi-line literal or call around this one: the nearest less indented one above."""
    line = line_of(lines, text)
    depth = len(line) - len(line.lstrip())
    above = reversed(lines[max(text.line - 1 - MAX_LINES_ABOVE, 0) : text.line - 1])
    opener = next((row for row in above if row.strip() and len(row) - len(row.lstrip()) < depth), "")
    return opener if opener.rstrip().endswith(("(", "[", "{")) else ""


def in_test(file: File, text: Text) -> bool:
    """Whether it is in a test, or outside functions where only tests follow or most functions are tests."""
    index = text.function
    if index < 0:
        functions = file.facts.functions
        after = [function.in_test for function in functions if function.start > text.line]
        tests = sum(function.is_test or function.in_test for function in functions)
        return (bool(after) and all(after)) or 2 * tests > len(functions)
    while index >= 0:
        function = file.facts.functions[index]
        if function.in_test or function.is_test:
            return True
        index = function.parent
    return False


def symbol_of(file: File, text: Text) -> str:
    return file.facts.functions[text.function].qualname if text.function >= 0 else ""


def report(file: File, text: Text, bound: Bound) -> Finding:
    is_default = FROM_ENVIRONMENT.search(text.call) is not None
    short = (comment for comment in file.facts.comments if comment.end - comment.line < 3)
    beside = (note for note in short if note.line <= text.line <= note.end or note.end == text.line - 1)
    explained = any(len(re.findall(r"\w+", comment.text)) >= 4 for comment in beside)
    severity = Severity.LOW if is_default or explained else bound.severity
    notes = ["the environment can override it: severity low"] if is_default else []
    if explained and not is_default and bound.severity is not Severity.LOW:
        notes.append("a comment beside it states the reason: lowered one step")
    return Finding(
        place_of(file, text),
        severity,
        f"`{text.value}` is {bound.what}.",
        (Signal("literal", Category.SYNTAX, 80, f"the literal is {bound.what}"),),
        evidence={"literal": Measure(text.value), "kind": Measure(bound.kind)},
        discriminator=text.value,
        notes=tuple(notes),
        why="Where the variable is not set, the code works on one machine only." if is_default else "",
        fix="Use a default that every machine has, or fail when the variable is not set."
        if is_default
        else "",
    )


DETECTOR = Detector(
    id="machine_bound_path",
    title="Machine-specific path or host",
    category="agents",
    doc=__doc__,
    languages=ANY,
    max_severity=Severity.MEDIUM,
    effort=Effort.MINUTES,
    needs=(NAMES,),
    detect=detect,
    default=False,
    options=Options,
    examples=(
        Example(
            "a home folder, in Python",
            {
                "shop/export.py": "def export(rows):\n    with open('/Users/marit/Desktop/rows.csv', 'w') as out:\n        out.write(rows)\n"
            },
            ("shop/export.py:2",),
            severity=Severity.MEDIUM,
        ),
        Example(
            "a home folder of Windows and a drive, in JavaScript",
            {
                "src/paths.js": "export const data = 'C:\\\\Users\\\\marit\\\\data\\\\shop.db';\nexport const out = 'D:/projects/shop/out';\n"
            },
            ("src/paths.js:1", "src/paths.js:2"),
            options={"beyond_homes": True},
        ),
        Example(
            "a host of a private network",
            {
                "src/client.ts": "export const api = 'http://192.168.4.20:8080/orders';\nexport const wiki = 'https://wiki.shop.corp/orders';\n"
            },
            ("src/client.ts:1", "src/client.ts:2"),
            severity=Severity.MEDIUM,
            options={"beyond_homes": True},
        ),
        Example(
            "a default that the environment can change is low",
            {"shop/data.py": "import os\n\nROOT = os.environ.get('SHOP_DATA', '/home/marit/shop/data')\n"},
            ("shop/data.py:3",),
            severity=Severity.LOW,
        ),
        Example(
            "a comment beside it lowers the severity",
            {
                "shop/data.py": "# The build server keeps its licence there and nowhere else.\nROOT = '/home/marit/licence/key'\n"
            },
            ("shop/data.py:2",),
            severity=Severity.LOW,
        ),
        Example(
            "silent on accounts of container images and on placeholders",
            {
                "shop/data.py": "A = '/home/runner/work/shop'\nB = '/home/user/data/shop'\nC = '/Users/foo/data/x'\nD = '/root/cache/x'\n"
            },
        ),
        Example(
            "silent on routes",
            {
                "src/routes.ts": "export const popular = '/home/popular';\nexport const user = '/Users/current';\n"
            },
        ),
        Example(
            "silent on folders of the system",
            {
                "src/find.js": "export const php = 'C:\\\\xampp\\\\php';\nexport const ca = 'C:/etc/shop/ca.crt';\nexport const chrome = 'C:\\\\Windows\\\\Fonts';\nexport const temp = 'C:\\\\Temp\\\\x';\n"
            },
            options={"beyond_homes": True},
        ),
        Example(
            "silent on networks, and in code about addresses",
            {
                "shop/ssrf.py": "BLOCKED = ['http://10.1.2.3:80', '192.168.0.0/16']\n",
                "shop/net.py": "import ipaddress\n\nLOCAL = ipaddress.ip_network('10.0.0.0/8')\nNEXT = '10.16.1.1'\n",
            },
            options={"beyond_homes": True},
        ),
        Example(
            "silent on hosts that clouds and containers provide",
            {
                "shop/cloud.py": "META = 'http://metadata.google.internal/computeMetadata'\nHOST = 'http://host.docker.internal:8080'\n"
            },
            options={"beyond_homes": True},
        ),
        Example(
            "silent on a base that only completes a URL",
            {"src/url.ts": "export const at = (path: string) => new URL(path, 'http://base.internal');\n"},
            options={"beyond_homes": True},
        ),
        Example(
            "silent on an account that is named like the program",
            {"openshop/run.py": "WORK = '/home/openshop/workspace'\nSETTINGS = 'c:/openshop/settings.cfg'\n"},
            options={"beyond_homes": True},
        ),
        Example(
            "silent on what is only shown",
            {"src/form.tsx": 'export const Form = () => <input placeholder="http://192.168.4.20:8080" />;\n'},
            options={"beyond_homes": True},
        ),
        Example(
            "silent in a list of examples, and on the first address of a network, which new devices have",
            {
                "shop/flow.py": "def form():\n    placeholders = {\n        'token': 'abc',\n        'url': 'ws://192.168.4.39:8083',\n    }\n"
                "    return placeholders\n\n\nDISH = '192.168.100.1:9200'\n"
            },
            options={"beyond_homes": True},
        ),
        Example(
            "silent on a drive and a host by default",
            {
                "src/paths.js": "export const out = 'D:/projects/shop/out';\nexport const api = 'http://192.168.4.20:8080/orders';\n"
            },
        ),
        Example(
            "silent on a name that says it is an example, and on component stories",
            {
                "shop/form.py": "PATH = '/Users/marit/books/some_book.epub'\n",
                "js/component-test/src/props.ts": "export const props = { root: '/Users/marit/shop/demo' };\n",
            },
        ),
        Example(
            "silent in a function that only pretends",
            {
                "shop/join.py": "def mutate_for_dry_run(settings):\n    settings.endpoint = 'https://192.168.4.101:6443'\n"
            },
            options={"beyond_homes": True},
        ),
        Example(
            "silent in tests beside the code",
            {
                "src/lib.rs": 'pub fn add(a: u8) -> u8 {\n    a\n}\n\n#[cfg(test)]\nmod tests {\n    const ROOT: &str = "/home/marit/shop/x";\n\n'
                "    #[test]\n    fn adds() {\n        assert_eq!(super::add(1), 1);\n    }\n}\n"
            },
        ),
        Example(
            "silent in a package called test",
            {
                "shop/test/paths.py": "PATHS = [r'D:\\projects\\orders\\x.yaml']\n\n\ndef made():\n    return PATHS\n\n\n"
                "def test_a():\n    assert made()\n\n\ndef test_b():\n    assert PATHS\n"
            },
            options={"beyond_homes": True},
        ),
        Example(
            "silent in tests and scripts",
            {
                "tests/test_export.py": "def test_export():\n    assert export('/Users/marit/x/y.csv')\n",
                "scripts/upload.py": "SOURCE = '/Users/marit/x/y.csv'\n",
            },
        ),
    ),
)
