"""The detectors for any language, in Ruby."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crimes.detection.detector import Example
from crimes.model.severity import Severity
from tests.language_examples.shared import SMALL_LIMITS, changes, hotspot

_ROUTE = """module Shop
  class Route
    LIMIT = {n}

    def pick(order, rules)
      for rule in rules
        if rule.active
          for step in rule.steps
            if step.allowed && order.user || step.open
              next if step.until && step.until < order.time

              if step.once
                return rule
              else
                while step.parent
                  return nil if step.parent.blocked
                end
              end
            end
          end
        end
      end
      nil
    end
  end
end
"""

_FLAT = """class Words
  def word(number)
    case number
    when 1 then "one"
    when 2 then "two"
    else "many"
    end
  end
end
"""

_CORE = """module Shop
  class Core
    def load(key)
      return key if key

      nil
    end

    def save(key)
      load(key)
    end
  end
end
"""

_USERS = {
    "lib/shop/core.rb": _CORE,
    "lib/shop/a.rb": "module Shop\n  class A\n    def run = Core.new.load(1)\n  end\nend\n",
    "lib/shop/b.rb": 'require "shop/core"\n\nmodule Shop\n  class B; end\nend\n',
    "lib/shop/c.rb": "module Shop\n  class C < A; end\nend\n",
}
_QUIET = {f"lib/quiet/m{n}.rb": f"class M{n}\n  def f = 1\nend\n" for n in range(10)}
_CART = "class Cart\n  def total(items)\n    items.sum\n  end\n\n  def self.of(items)\n    new\n  end\nend\n"


EXAMPLES: Mapping[str, Sequence[Example]] = {
    "god_function": [
        Example(
            "loops and conditions inside each other",
            {"lib/shop/route.rb": _ROUTE.format(n=1)},
            ("lib/shop/route.rb:5",),
            options={"max_cognitive": 20},
        ),
        Example("silent on a flat case", {"lib/words.rb": _FLAT}),
    ],
    "load_bearing_file": [
        Example(
            "one file names its class, one requires it, a third reaches it",
            _USERS,
            ("lib/shop/core.rb:1",),
            options=SMALL_LIMITS,
        ),
        Example(
            "silent when only specs name it",
            {
                "lib/shop/core.rb": _CORE,
                **{
                    f"spec/shop/{name}_spec.rb": "RSpec.describe Shop::Core do\n  it('x') { expect(1).to eq(1) }\nend\n"
                    for name in ("core", "more", "other")
                },
            },
            options=SMALL_LIMITS,
        ),
    ],
    "hidden_coupling": [
        Example(
            "two classes that change together and share nothing",
            {"lib/a.rb": "class A\n  V = 9\nend\n", "lib/b.rb": "class B\n  V = 9\nend\n"},
            ("lib/a.rb:1",),
            history=changes(("lib/a.rb", "lib/b.rb"), "V = {n}\n"),
        ),
        Example(
            "silent when one names the other",
            {"lib/a.rb": "class A\n  V = 9\nend\n", "lib/b.rb": "class B\n  V = A::V + 9\nend\n"},
            history=changes(("lib/a.rb", "lib/b.rb"), "V = {n}\n"),
        ),
    ],
    "silent_failure": [
        Example(
            "a charge that may fail unseen",
            {
                "lib/billing.rb": "class Billing\n  def settle(order)\n    gateway.charge(order.total)\n  rescue\n  end\nend\n"
            },
            ("lib/billing.rb:4",),
            severity=Severity.HIGH,
        ),
        Example(
            "a lost message, and calls without parentheses",
            {
                "lib/sync.rb": "class Sync\n  def start(api)\n    begin\n      connect\n      api.publish 1\n"
                "    rescue\n    end\n    use\n  end\nend\n"
            },
            ("lib/sync.rb:6",),
        ),
        Example(
            "silent when the error is narrow, raised again, recorded or kept",
            {
                "lib/sync.rb": "class Sync\n  def one(api)\n    api.publish(1)\n  rescue Net::OpenTimeout\n    nil\n  end\n\n"
                "  def two(api)\n    api.publish(1)\n  rescue StandardError\n    raise unless api.optional?\n  end\n\n"
                "  def three(api)\n    api.publish(1)\n  rescue => e\n    logger.warn(e.message)\n  end\n\n"
                "  def four(ids)\n    ids.each do |id|\n      api.publish(id)\n    rescue StandardError\n      @failed << id\n    end\n  end\n"
                "end\n"
            },
        ),
        Example(
            "silent on cleanup, on numbers and on an optional library",
            {
                "lib/sync.rb": "begin\n  require 'fast'\nrescue LoadError\n  nil\nend\n\nclass Sync\n  def stop\n"
                "    socket.close rescue nil\n    File.delete(path) rescue nil\n  end\n\n"
                "  def number(text)\n    value = Integer(text) rescue nil\n    value\n  end\nend\n"
            },
        ),
    ],
    "hollow_test": [
        Example(
            "an example and a test that look at nothing",
            {
                "lib/cart.rb": _CART,
                "spec/cart_spec.rb": 'RSpec.describe Cart do\n  it "adds prices" do\n    Cart.of([1])\n  end\n\n'
                '  it "counts" do\n    expect(Cart.of([1])).to eq(1)\n  end\nend\n',
                "test/cart_test.rb": "class CartTest < Minitest::Test\n  def test_sum\n    Cart.of([1])\n  end\nend\n",
            },
            ("spec/cart_spec.rb:2", "test/cart_test.rb:2"),
            options={"calls_only": True},
        ),
        Example(
            "silent on RSpec, Minitest and test-unit checks, and on a helper that asserts",
            {
                "lib/cart.rb": _CART,
                "spec/cart_spec.rb": 'RSpec.describe Cart do\n  it "adds" do\n    expect { Cart.of([1]) }.to change(Cart, :count)\n'
                '  end\n\n  it "is there" do\n    is_expected.to be_valid\n    Cart.of([1])\n  end\nend\n',
                "test/cart_test.rb": "class CartTest < Minitest::Test\n  def test_a\n    assert_equal 1, Cart.of([1])\n  end\n\n"
                "  def test_b\n    refute_nil Cart.of([1])\n  end\n\n  def test_c\n    same Cart.of([1])\n  end\n\n"
                "  def test_d\n    _(Cart.of([1])).must_equal 1\n  end\n\n  def same(cart)\n    assert cart\n  end\nend\n",
            },
            options={"calls_only": True},
        ),
    ],
    "untested_hotspot": [
        hotspot("a complex file that changes often", "lib/shop/route.rb", _ROUTE, _QUIET, reported=True),
        hotspot(
            "silent when a spec names its class",
            "lib/shop/route.rb",
            _ROUTE,
            {
                **_QUIET,
                "spec/rules_spec.rb": "RSpec.describe Shop::Route do\n  it('picks') { expect(subject.pick(1, [])).to be_nil }\nend\n",
            },
        ),
    ],
    "import_cycle": [
        Example(
            "silent on files that require each other: when they use each other is not known",
            {
                "lib/shop/a.rb": 'require_relative "b"\n\nmodule Shop\n  A = B + 1\nend\n',
                "lib/shop/b.rb": 'require_relative "a"\n\nmodule Shop\n  B = 1\nend\n',
            },
        ),
        Example(
            "silent on classes that name each other, and on autoload",
            {
                "lib/shop.rb": 'module Shop\n  autoload :A, "shop/a"\n  autoload :B, "shop/b"\nend\n',
                "lib/shop/a.rb": 'require "shop"\n\nmodule Shop\n  class A\n    def b = B.new\n  end\nend\n',
                "lib/shop/b.rb": 'require "shop"\n\nmodule Shop\n  class B\n    def a = A.new\n  end\nend\n',
            },
        ),
    ],
}
