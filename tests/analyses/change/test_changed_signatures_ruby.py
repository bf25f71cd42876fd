"""Calls that do not fit a changed method in Ruby: what is said of them, and what stays unsaid."""

from __future__ import annotations

from pathlib import Path

from tests.kit.signature_cases import Case, Files, cases, check

_LIB = (
    "module Shop\n  class Client\n    def initialize(url)\n      @url = url\n    end\n\n    def self.of(url)\n      new(url)\n    end\n\n"
    "    def get(path, wait = 1, *more, retry_once: false, &block)\n      load_page path\n    end\n\n"
    "    def load_page(path)\n      path\n    end\n  end\nend\n"
)
_USE = (
    'require_relative "client"\n\nmodule Shop\n  class Job\n    def initialize\n      @client = Client.new("u")\n    end\n\n'
    '    def run(any)\n      @client.get("a")\n      made = Shop::Client.new "v"\n      made.get("b") { |page| page }\n      any.get("c")\n'
    '      Client.new("w").get("d", **any)\n      Client.of "x"\n    end\n  end\nend\n'
)
_RUBY: Files = {"lib/shop/client.rb": _LIB, "lib/shop/job.rb": _USE}

RUBY = {
    "method": Case(
        _RUBY,
        {"lib/shop/client.rb": _LIB.replace("get(path, wait = 1, *more, retry_once: false, &block)", "get(path, wait)")},
        "`Shop.Client.get` in lib/shop/client.rb changed (`wait` is now required), but 2 calls in 1 file no longer match it.",
        ("lib/shop/job.rb:10", "lib/shop/job.rb:12"),
    ),
    "constructor": Case(
        _RUBY,
        {"lib/shop/client.rb": _LIB.replace("initialize(url)", "initialize(url, wait)").replace("new(url)\n", "new(url, 1)\n")},
        "`Shop.Client.initialize` in lib/shop/client.rb changed (`wait` was added as required), but 3 calls in 1 file no longer match it.",
        ("lib/shop/job.rb:6", "lib/shop/job.rb:11", "lib/shop/job.rb:14"),
    ),
    "method of the class": Case(
        _RUBY,
        {"lib/shop/client.rb": _LIB.replace("self.of(url)", "self.of(url, wait)")},
        "`Shop.Client.of` in lib/shop/client.rb changed (`wait` was added as required), but 1 call in 1 file no longer matches it.",
        ("lib/shop/job.rb:15",),
    ),
    "own method": Case(
        _RUBY,
        {"lib/shop/client.rb": _LIB.replace("def load_page(path)", "def load_page(path, wait)")},
        "`Shop.Client.load_page` in lib/shop/client.rb changed (`wait` was added as required), but 1 call in 1 file no longer matches it.",
        ("lib/shop/client.rb:12",),
    ),
}  # fmt: skip

RUBY_SILENT = {
    "default added": Case(_RUBY, {"lib/shop/client.rb": _LIB.replace("load_page(path)", "load_page(path, wait = 1)")}),
    "block added": Case(_RUBY, {"lib/shop/client.rb": _LIB.replace("def load_page(path)", "def load_page(path, &block)")}),
    "own method gone, now of a module": Case(
        _RUBY,
        {"lib/shop/client.rb": _LIB.replace("    def load_page(path)\n      path\n    end\n", "").replace("class Client\n", "class Client\n    include Loading\n\n")},
    ),
    "own method gone, the class is opened elsewhere": Case(
        {**_RUBY, "lib/shop/more.rb": "module Shop\n  class Client\n    def put\n    end\n  end\nend\n"},
        {"lib/shop/client.rb": _LIB.replace("    def load_page(path)\n      path\n    end\n", ""), "lib/shop/more.rb": "module Shop\n  class Client\n    def load_page(path)\n    end\n  end\nend\n"},
    ),
}  # fmt: skip


@cases(ruby=RUBY)
def test_calls_that_do_not_fit_are_listed(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)


@cases(ruby=RUBY_SILENT)
def test_calls_that_fit_or_are_unknown_stay_unsaid(tmp_path: Path, case: Case) -> None:
    check(tmp_path, case)
