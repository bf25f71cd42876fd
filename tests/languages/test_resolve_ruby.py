"""Where Ruby's requires and constants lead: load paths, autoload, Rails folders, gems."""

from __future__ import annotations

import pytest

from crimes.languages import by_id
from crimes.languages.engine.facts import read_facts
from crimes.model.facts import EdgeKind, Role
from tests.kit.resolving import implicit_uses, import_targets, resolutions

RUBY = by_id["ruby"]


GEM = {
    "shop.gemspec": 'Gem::Specification.new do |spec|\n  spec.name = "shop"\n  spec.add_dependency "rspec-core"\nend\n',
    "lib/shop.rb": "module Shop\nend\n",
    "lib/shop/cart.rb": "module Shop\n  class Cart\n    def total; end\n  end\nend\n",
    "lib/shop/json/reader.rb": "",
    "spec/spec_helper.rb": "",
    "spec/support/fake.rb": "",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('require "shop"', ["lib/shop.rb"]),
        ("require 'shop/cart'", ["lib/shop/cart.rb"]),
        ('require "shop/cart.rb"', ["lib/shop/cart.rb"]),
        ('require("shop/cart")', ["lib/shop/cart.rb"]),
        ('require_relative "../json/reader"', ["lib/shop/json/reader.rb"]),
        ('require_relative "deep"', ["unresolved"]),
        ('require_relative "../../../outside"', ["unresolved"]),
        ('require File.expand_path("../../cart", __FILE__)', ["lib/shop/cart.rb"]),
        ('require File.expand_path("../cart", __dir__)', ["lib/shop/cart.rb"]),
        ('require File.join(__dir__, "..", "cart")', ["lib/shop/cart.rb"]),
        ('require File.join(File.dirname(__FILE__), "../cart")', ["lib/shop/cart.rb"]),
        ('require "#{__dir__}/../cart"', ["lib/shop/cart.rb"]),
        ('load "shop/cart.rb"', ["lib/shop/cart.rb"]),
        ('load "settings"', []),
        ("require name", []),
        ('require "#{name}/x"', []),
        ('require "json"', ["external"]),
        ('require "shop/missing"', ["unresolved"]),
        ('require "rspec/core"', ["external"]),
        ('require "spec_helper"', ["external"]),
        ('require "../../etc/passwd"', ["unresolved"]),
        ('autoload :Cart, "shop/cart"', ["lib/shop/cart.rb"]),
    ],
)
def test_every_form_of_require_resolves(text: str, expected: list[str]) -> None:
    assert import_targets({**GEM, "lib/shop/deep/file.rb": text + "\n"}, "lib/shop/deep/file.rb") == expected


def test_tests_have_their_own_folder_on_the_load_path() -> None:
    files = {
        **GEM,
        "spec/shop/cart_spec.rb": 'require "spec_helper"\nrequire "support/fake"\nrequire "shop/cart"\n',
    }
    assert import_targets(files, "spec/shop/cart_spec.rb") == [
        "spec/spec_helper.rb",
        "spec/support/fake.rb",
        "lib/shop/cart.rb",
    ]


def test_a_gem_of_the_same_name_is_outside() -> None:
    files = {**GEM, "lib/json.rb": 'require "json"\n'}
    assert import_targets(files, "lib/json.rb") == ["external"]


def test_gems_are_named_as_the_manifest_names_them() -> None:
    files = {
        **GEM,
        "Gemfile": 'gem "nokogiri", "~> 1.0"\n',
        "Gemfile.lock": "GEM\n  specs:\n    activesupport (7.0)\n    shop (1.0)\n",
        "lib/shop/x.rb": 'require "rspec/core/rake_task"\nrequire "active_support/all"\nrequire "nokogiri"\nrequire "set"\n',
    }
    assert [answer.package for answer in resolutions(files, "lib/shop/x.rb")] == [
        "rspec-core",
        "activesupport",
        "nokogiri",
        "set",
    ]


def test_gems_of_one_repository_require_each_other() -> None:
    files = {
        "one/one.gemspec": "s.require_paths = %w[src lib]\n",
        "one/src/one/engine.rb": "",
        "one/lib/version.rb": "",
        "two/lib/version.rb": "",
        "two/lib/two.rb": 'require "version"\nrequire "one/engine"\n',
    }
    assert import_targets(files, "two/lib/two.rb") == ["two/lib/version.rb", "one/src/one/engine.rb"]


def test_configured_roots_are_on_the_load_path() -> None:
    files = {"engine/core.rb": "", "main.rb": 'require "core"\n'}
    assert import_targets(files, "main.rb") == ["external"]
    assert import_targets(files, "main.rb", ("engine",)) == ["engine/core.rb"]


def test_autoload_by_name_looks_beside_the_file_and_then_for_the_constant() -> None:
    files = {
        "lib/shop.rb": "module Shop\n  autoload :HTMLPage\n  autoload :Logger\n  autoload :Rate\n  autoload :Nowhere\nend\n",
        "lib/shop/html_page.rb": "",
        "lib/shop/logger.rb": "",
        "lib/shop/models/rate.rb": "module Shop\n  module Rate\n    module ClassMethods; end\n  end\nend\n",
    }
    assert import_targets(files, "lib/shop.rb") == [
        "lib/shop/html_page.rb",
        "lib/shop/logger.rb",
        "lib/shop/models/rate.rb",
        "unresolved",
    ]
    assert {item.kind for item in read_facts(RUBY, files["lib/shop.rb"].encode()).imports} == {
        EdgeKind.DEFERRED
    }


RAILS = {
    "config/application.rb": "class Application\n  config.autoload_lib(ignore: [])\nend\n",
    "app/models/user.rb": "class User < ApplicationRecord\n  ROLES = %w[a b]\n  def name; end\nend\n",
    "app/models/concerns/billing/taxed.rb": "module Billing::Taxed\n  extend ActiveSupport::Concern\nend\n",
    "app/controllers/api/v1/users_controller.rb": "class API::V1::UsersController < ApplicationController\n"
    "  def show = render(json: User.find(1))\nend\n",
    "lib/html_export.rb": "HTMLExport = Struct.new(:rows)\n",
    "lib/core_ext/string.rb": "class String\n  def shout = upcase\nend\n",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("User.find(1)", {"app/models/user.rb": ("User",)}),
        ("::User.find(1)", {"app/models/user.rb": ("::User",)}),
        ("User::ROLES", {"app/models/user.rb": ("User::ROLES",)}),
        ("User::Made.new", {"app/models/user.rb": ("User::Made",)}),
        ("include Billing::Taxed", {"app/models/concerns/billing/taxed.rb": ("Billing::Taxed",)}),
        ("HTMLExport.new", {"lib/html_export.rb": ("HTMLExport",)}),
        (
            "Api::V1::UsersController",
            {"app/controllers/api/v1/users_controller.rb": ("Api::V1::UsersController",)},
        ),
        ("String.new", {}),
        ("Devise.setup", {}),
        ("user.name", {}),
        ("class User; end", {}),
    ],
)
def test_autoloaded_constants_lead_to_their_files(text: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert (
        implicit_uses(
            {**RAILS, "app/jobs/job.rb": f"class Job\n  def run\n    {text}\n  end\nend\n"}, "app/jobs/job.rb"
        )
        == expected
    )


def test_constants_are_looked_up_from_the_inside_out() -> None:
    files = {
        "lib/shop/cart.rb": "module Shop\n  class Cart\n    def go = Item.new(Logger, Error, Rate)\n  end\nend\n",
        "lib/shop/cart/item.rb": "module Shop\n  class Cart\n    class Item < Base; end\n  end\nend\n",
        "lib/shop/item.rb": "module Shop\n  class Item; end\nend\n",
        "lib/item.rb": "class Item; end\n",
        "lib/shop/logger.rb": "module Shop\n  class Logger; end\nend\n",
        "lib/errors.rb": "module Shop\n  class Error < StandardError; end\nend\n",
        "lib/shop/one.rb": "module Shop\n  class Rate; def a; end; end\nend\n",
        "lib/shop/two.rb": "module Shop\n  class Rate; def b; end; end\nend\n",
    }
    assert implicit_uses(files, "lib/shop/cart.rb") == {
        "lib/shop/cart/item.rb": ("Item",),
        "lib/shop/logger.rb": ("Logger",),
        "lib/errors.rb": ("Error",),
    }


def test_reopened_class_of_a_gem_is_not_ours() -> None:
    files = {
        "config/initializers/paperclip.rb": "module Paperclip\n  class Attachment\n    def x; end\n  end\nend\n",
        "app/models/a.rb": "class A\n  def x = Paperclip::Attachment.new\nend\n",
    }
    assert implicit_uses(files, "app/models/a.rb") == {}


def test_tests_see_source_and_their_own_constants_only() -> None:
    files = {
        "one/lib/one/cart.rb": "module One\n  class Cart; end\nend\n",
        "one/test/models/topic.rb": "class Topic; end\n",
        "two/test/models/topic.rb": "class Topic; end\n",
        "two/test/cases/a_test.rb": "class ATest < Test\n  def test_a = Topic.new(One::Cart)\nend\n",
        "two/lib/two.rb": "class Two\n  def a = Topic\nend\n",
    }
    assert implicit_uses(files, "two/test/cases/a_test.rb") == {
        "one/lib/one/cart.rb": ("One::Cart",),
        "two/test/models/topic.rb": ("Topic",),
    }
    assert implicit_uses(files, "two/lib/two.rb") == {}


def test_zeitwerk_loader_autoloads_constants_from_lib() -> None:
    files = {
        "lib/shop.rb": 'require "zeitwerk"\nloader = Zeitwerk::Loader.for_gem\nloader.setup\n',
        "lib/shop/types.rb": "module Shop\n  include Dry.Types()\nend\n",
        "lib/shop/cart.rb": "module Shop\n  class Cart\n    def a = Types::Integer\n  end\nend\n",
    }
    assert "lib/shop/types.rb" not in implicit_uses({**files, "lib/shop.rb": ""}, "lib/shop/cart.rb")
    files["lib/shop/types.rb"] = "module Shop\n  Types = Dry.Types()\nend\n"
    assert implicit_uses(files, "lib/shop/cart.rb") == {"lib/shop/types.rb": ("Types::Integer",)}


@pytest.mark.parametrize(
    "text",
    ["", "\udcff\udcfe", OSError("unreadable"), "gem\n" * 50, 's.require_paths = ["../..", "/etc", "."]\n'],
)
def test_malformed_manifest_never_breaks_resolution(text: str | OSError) -> None:
    files = {
        "a.gemspec": text,
        "Gemfile": text,
        "Gemfile.lock": text,
        "config/application.rb": "",
        "lib/a.rb": "",
        "lib/b.rb": 'require "a"\nrequire "zlib"\n',
    }
    assert import_targets(files, "lib/b.rb") == ["lib/a.rb", "external"]


def test_roles_and_test_candidates_follow_the_path() -> None:
    for path in (
        "spec/a.rb",
        "engines/x/test/b.rb",
        "a_spec.rb",
        "lib/x/test_a.rb",
        "features/steps/a_steps.rb",
    ):
        assert RUBY.is_test_path(path)
    for path in ("lib/rack/test/session.rb", "app/models/test/run.rb", "lib/spec.rb", "lib/latest.rb"):
        assert not RUBY.is_test_path(path)
    assert RUBY.test_candidates("app/models/user.rb") == ("user_spec.rb", "user_test.rb", "test_user.rb")
    assert RUBY.role_of_path("db/schema.rb") is Role.GENERATED
    assert RUBY.role_of_path("proto/cart_pb.rb") is Role.GENERATED
    assert RUBY.role_of_path("lib/tasks/x.rake") is Role.SCRIPT
    assert RUBY.role_of_path("Gemfile") is Role.CONFIG
    assert RUBY.role_of_path("config/initializers/x.rb") is Role.CONFIG
    assert RUBY.role_of_path("lib/config/reader.rb") is None
    assert RUBY.role_of_path("spec/dummy/config/routes.rb") is None
