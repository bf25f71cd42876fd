"""Which file a constant comes from: by where a loader looks for it, or by who defines it.

A name is looked up as Ruby does, from the modules around it outwards; which of a file's modules are around it is not
known, so all of them are tried, the deepest first. A module that only holds others is opened by every file inside it:
those do not count as its definition. A class that several files open is where its path says, or nowhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from crimes.languages.ruby.layout import Layout, is_test_path, plain
from crimes.model import Class, FileFacts

# Classes of the language and its library: to open one again is not to define it.
_CORE = frozenset(
    """
    ARGF ARGV ArgumentError Array BasicObject Base64 Benchmark BigDecimal Binding CGI CSV Class Comparable Complex Coverage Data
    Date DateTime Delegator Digest Dir ENV EOFError ERB Encoding EncodingError Enumerable Enumerator Errno Etc Exception
    FalseClass Fiber FiberError File FileTest FileUtils Find Float FloatDomainError Forwardable FrozenError GC Gem Hash IO
    IOError IPAddr IndexError Integer Interrupt JSON Kernel KeyError LoadError LocalJumpError Logger Marshal MatchData Math
    Method Module Monitor Mutex NameError Net NilClass NoMatchingPatternError NoMethodError NotImplementedError Numeric Object
    ObjectSpace Observable Open3 OpenSSL OpenStruct OptionParser PP PStore Pathname Proc Process Psych Queue RUBY_VERSION Ractor
    Random Range RangeError Rational Refinement Regexp RegexpError Ripper RuntimeError SCRIPT_LINES__ SDBM SecureRandom SecurityError
    Set Shellwords Signal SignalException SimpleDelegator Singleton SizedQueue Socket StandardError StopIteration String StringIO
    StringScanner Struct Symbol SyntaxError SystemCallError SystemExit SystemStackError TCPServer TCPSocket Tempfile Thread
    ThreadError ThreadGroup Time Timeout TracePoint TrueClass TSort TypeError UDPSocket UNIXSocket URI UnboundMethod WeakRef
    YAML ZeroDivisionError Zlib
    """.split()
)


class Constants:
    """The constants of a tree. Those of tests are seen by tests only."""

    def __init__(self, facts: Mapping[str, FileFacts], layout: Layout) -> None:
        self._tops = layout.tops
        self._loaded = _by_path(facts, layout.loaded)
        self._defined: dict[str, list[str]] = defaultdict(list)
        for path, known in sorted(facts.items()):
            for name in _defined(known):
                self._defined[name].append(path)

    def files(self, written: str, around: tuple[str, ...], user: str) -> list[str]:
        """Files a constant as written may come from; of `A::B::NAME` the longest part that is known counts."""
        from_top = written.startswith("::")
        name = written.lstrip(":").replace("::", ".")
        if name.partition(".")[0] in _CORE:
            return []
        while name:
            for module in ("",) if from_top else (*around, ""):
                found = self._files(f"{module}.{name}" if module else name, user)
                if found:
                    return found
            name = name.rpartition(".")[0]
        return []

    def _files(self, name: str, user: str) -> list[str]:
        loaded = self._loaded.get(plain(name), "")
        if loaded:
            return [loaded]
        defined = self._defined.get(name, ())
        known = defined if is_test_path(user) else [path for path in defined if not is_test_path(path)]
        fitting = [path for path in known if f"/{plain(path[:-3])}".endswith(f"/{_last(plain(name))}")]
        if fitting:
            whole = [path for path in fitting if f"/{plain(path[:-3])}".endswith(f"/{plain(name)}")]
            return whole or (fitting if len(fitting) == 1 else [])
        ours = "." not in name or plain(name.partition(".")[0]) in self._tops
        return list(known) if len(known) == 1 and ours else []


def around(facts: FileFacts) -> tuple[str, ...]:
    """Modules and classes that a file opens, the deepest first."""
    found: set[str] = set()
    for one in facts.classes:
        name = one.qualname.replace("::", ".")
        while name and name not in found:
            found.add(name)
            name = name.rpartition(".")[0]
    return tuple(sorted(found, key=lambda name: (-name.count("."), name)))


def _defined(facts: FileFacts) -> Iterator[str]:
    names = {one: one.qualname.replace("::", ".") for one in facts.classes}
    holders = {name.rpartition(".")[0] for name in names.values()}
    for one, name in names.items():
        if _has_content(one) or name not in holders:
            yield name
    yield from (name for name in facts.definitions if name[:1].isupper() and name not in holders)


def _has_content(one: Class) -> bool:
    return bool(one.methods or one.bases)


def _by_path(facts: Mapping[str, FileFacts], roots: tuple[str, ...]) -> dict[str, str]:
    """Files of autoloaded folders by the constant their path stands for; the innermost folder decides."""
    found: dict[str, str] = {}
    inside = frozenset(roots)
    for path in sorted(facts):
        stem = path.removesuffix(".rb")
        root = stem.rpartition("/")[0]
        while root and root not in inside:
            root = root.rpartition("/")[0]
        if root and path.endswith(".rb"):
            found.setdefault(plain(stem[len(root) + 1 :]), path)
    return found


def _last(path: str) -> str:
    return path.rpartition("/")[2]
