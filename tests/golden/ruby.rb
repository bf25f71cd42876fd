# frozen_string_literal: true

# A sample: each fact of the model once.
require "json"
require_relative "shop/store"
require File.expand_path("../lib/extra", __FILE__)
begin
  require "fast_json"
rescue LoadError
  FAST = false
end

autoload :Report, "shop/report"
autoload :Invoice

LIMIT = Integer(ENV.fetch("SHOP_LIMIT", "3"))

module Shop
  class Error < StandardError; end

  # Keeps orders.
  class Cart < Base::Model
    include Comparable
    attr_reader :items

    class << self
      def open(path) = new(load_items(path))
    end

    def self.empty
      new([])
    end

    def initialize(items, strict = false, *rest, currency:, dry: true, **options, &done)
      @items = items
      @strict ||= strict
      self.currency = currency
    end

    def total(kind)
      return 0 unless @items && kind or @strict

      sum = 0
      @items.each do |item|
        next if item.free?

        if item.sale?
          sum += item.price * RATE
        elsif item.gift
          break
        else
          if kind == :gross
            sum += item.price
          end
        end
      end
      sum
    rescue Net::Timeout, Errno::ECONNREFUSED => e
      logger.warn("no price: #{e.message}")
      retry
    rescue StandardError
      nil
    else
      1
    ensure
      tidy
    end

    def walk(node)
      case node
      when Leaf, nil then 0
      when Tree
        1 + walk(node.left)
      else
        raise Error, "what is #{node}"
      end
    end

    def price(text)
      value = Float(text) rescue nil
      value ? value.round : LIMIT
    end

    def sync(ids)
      failed = []
      ids.each do |id|
        push(id)
      rescue StandardError
        failed << id
      end
      begin
        connect
        failed.map { |id| retry_later(id) if id }
      rescue => error
        raise
      end
      while failed.any? do failed.pop end
      failed
    end

    def render(data)
      case data
      in { name: String => name } then name
      in [first, *] then first
      end
      handler = lambda do |row|
        row&.fetch(:id)
      end
      puts <<~TEXT
        Items: #{data.map(&:to_s).join}
      TEXT
      handler
    end

    private

    def tidy; end
  end
end

RSpec.describe Shop::Cart do
  it "adds prices" do
    expect(described_class.new([1]).total(:net)).to eq(1)
  end
end

class CartTest < Minitest::Test
  def test_total
    assert_equal 1, Shop::Cart.empty.total
  end
end
