"""Calls that do not fit a changed function in TypeScript and JavaScript: what is said of them, and what stays unsaid."""

from __future__ import annotations

from pathlib import Path

from tests.kit.signature_cases import Case, cases, check

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
        "`send` in lib.ts changed (`body` is now required), but 2 calls in 1 file no longer match it.",
        ("use.ts:4", "use.ts:5"),
    ),
    "method": Case(
        {"lib.ts": _TS_LIB, "use.ts": _TS_USE},
        {"lib.ts": _TS_LIB.replace("get(path: string)", "get(path: string, wait: number)")},
        "`Client.get` in lib.ts changed (`wait` was added as required), but 2 calls in 1 file no longer match it.",
        ("use.ts:7", "use.ts:11"),
    ),
    "method that an interface names too": Case(
        {"lib.ts": "interface Gets {\n  get(path: string): string\n}\n" + _TS_LIB, "use.ts": "import { Client } from './lib'\nnew Client('u').get('a')\n"},
        {"lib.ts": "interface Gets {\n  get(path: string): string\n}\n" + _TS_LIB.replace("  get(path: string)", "  get(path: string, wait: number)")},
        "`Client.get` in lib.ts changed (`wait` was added as required), but 1 call in 1 file no longer matches it.",
        ("use.ts:2",),
    ),
    "own method": Case(
        {"lib.ts": _TS_LIB},
        {"lib.ts": _TS_LIB.replace("  load(path: string)", "  load(path: string, wait: number)")},
        "`Client.load` in lib.ts changed (`wait` was added as required), but 1 call in 1 file no longer matches it.",
        ("lib.ts:4",),
    ),
    "constructor": Case(
        {"lib.ts": _TS_LIB, "use.ts": _TS_USE},
        {"lib.ts": _TS_LIB.replace("private url: string", "private url: string, token: string").replace("new Client(url)", "new Client(url, '')")},
        "`Client.constructor` in lib.ts changed (`token` was added as required), but 1 call in 1 file no longer matches it.",
        ("use.ts:6",),
    ),
    "static method gone": Case(
        {"lib.ts": _TS_LIB, "use.ts": _TS_USE},
        {"lib.ts": _TS_LIB.replace("  static of(url: string) { return new Client(url) }\n", "")},
        "`Client.of` is gone from lib.ts, but 1 call in 1 file still uses it.",
        ("use.ts:8",),
    ),
    "through a barrel": Case(
        {"lib.ts": _TS_LIB, "index.ts": "export * from './lib'\n", "use.ts": "import { send } from './index'\nsend('a')\n"},
        {"lib.ts": _TS_LIB.replace("body?:", "body:")},
        "`send` in lib.ts changed (`body` is now required), but 1 call in 1 file no longer matches it.",
        ("use.ts:2",),
    ),
    "default export": Case(
        {"lib.ts": "export default function send(to: string) {}\n", "use.ts": "import post from './lib'\npost('a')\n"},
        {"lib.ts": "export default function send(to: string, body: string) {}\n"},
        "`send` in lib.ts changed (`body` was added as required), but 1 call in 1 file no longer matches it.",
        ("use.ts:2",),
    ),
    "arrow function": Case(
        {"lib.ts": "export const send = (to: string) => to\n", "use.ts": "import { send } from './lib'\nsend('a')\n"},
        {"lib.ts": "export const send = (to: string, body: string) => to\n"},
        "`send` in lib.ts changed (`body` was added as required), but 1 call in 1 file no longer matches it.",
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
        "`send` in lib.js changed (`body` was added as required), but 1 call in 1 file no longer matches it.",
        ("use.js:2",),
    ),
    "required modules": Case(
        {"lib.js": _JS_LIB, "use.js": "const lib = require('./lib')\nconst { load: fetch } = require('./lib')\nlib.load('a')\nfetch('b')\n"},
        {"lib.js": _JS_LIB.replace("load(path)", "load(path, wait)")},
        "`load` in lib.js changed (`wait` was added as required), but 2 calls in 1 file no longer match it.",
        ("use.js:3", "use.js:4"),
    ),
    "module that is a function": Case(
        {"lib.js": "module.exports = main\nfunction main(a) {}\n", "use.js": "const main = require('./lib')\nmain(1)\n"},
        {"lib.js": "module.exports = main\nfunction main(a, b) {}\n"},
        "`main` in lib.js changed (`b` was added as required), but 1 call in 1 file no longer matches it.",
        ("use.js:2",),
    ),
    "order changed": Case(
        {"lib.js": "export function send(to, body) {}\n", "use.js": "import { send } from './lib.js'\nsend('a', 'b')\n"},
        {"lib.js": "export function send(body, to) {}\n"},
        "`send` in lib.js changed (`body` moved before `to`), but 1 call in 1 file no longer matches it.",
        ("use.js:2",),
    ),
    "method gone": Case(
        {"lib.js": "export class Client {\n  get(a) {}\n  put(a) { this.get(a) }\n}\n"},
        {"lib.js": "export class Client {\n  put(a) { this.get(a) }\n}\n"},
        "`Client.get` is gone from lib.js, but 1 call in 1 file still uses it.",
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


@cases(typescript=TYPESCRIPT, javascript=JAVASCRIPT)
def test_calls_that_do_not_fit_are_listed(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


@cases(typescript=TYPESCRIPT_SILENT, javascript=JAVASCRIPT_SILENT)
def test_calls_that_fit_or_are_unknown_stay_unsaid(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)
