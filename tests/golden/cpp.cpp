// Orders: every fact a C++ file can show.
#include "shop/order.hpp"
#include "order-inl.h"
#include <vector>

namespace shop::orders {

using Lines = std::vector<Line>;
constexpr int kLimit = 10;
enum class State { Open, Paid };

template <typename T>
concept Priced = requires(T t) { t.price(); };

class Order final : public Base, private detail::Counted<Order> {
public:
    explicit Order(int id) : id_(id) { init(); }
    virtual ~Order() = default;
    int total(bool deep = true) const override {
        int sum = 0;
        for (const auto& line : lines_) {
            if (line.hidden && !deep) continue;
            sum += this->priceOf(line);
        }
        return sum;
    }
    Order& operator+=(const Line& line);

private:
    int id_ = 0;
    Lines lines_;
};

struct Options {
    bool quiet = false;
};

Order& Order::operator+=(const Line& line) {
    lines_.push_back(line);
    return *this;
}

template <typename T>
T Store<T>::find(const std::string& key, T* fallback, int&& moved) {
    try {
        return db_->get(key);
    } catch (const NotFound& e) {
        log::warn(e.what());
        throw;
    } catch (const std::exception&) {
        return nullptr;
    } catch (...) {
    }
    auto pick = [&](const Line& line) {
        return line.price > kLimit || line.hidden ? 1 : 2;
    };
    std::sort(all.begin(), all.end(), [](auto a, auto b) { return a < b; });
    auto* made = new Order(pick(all[0]));
    return find(key, fallback, 3);
}

namespace {

void helper() {
    const char* sql = R"(select *
        from orders)";
    throw std::runtime_error(sql);
}

}  // namespace

}  // namespace shop::orders

TEST(OrderTest, StartsEmpty) {
    EXPECT_EQ(0, shop::orders::Order(1).total());
}

TEST_CASE("an order has lines", "[order]") {
    REQUIRE(Order{2}.total() == 3);
}

class EXPORT_API Shipped : public Order {
    int days GUARDED_BY(mutex_) = 0;
    void wait() EXCLUSIVE_LOCKS_REQUIRED(mutex_);
};
