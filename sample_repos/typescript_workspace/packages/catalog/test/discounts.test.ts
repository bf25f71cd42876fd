import { describe, expect, it } from "vitest";
import { addItem, applyCoupon, discountFor, emptyCart, totalsOf } from "../src";

describe("discounts", () => {
  it("takes the better of coupon and bulk", () => {
    const cart = applyCoupon(addItem(emptyCart, "atlas", 12), "WELCOME");
    expect(totalsOf(cart).discount).toBe(3330);
  });

  it("ignores a coupon below its minimum", () => {
    const cart = { ...addItem(emptyCart, "atlas"), coupon: "SPRING" };
    expect(discountFor(cart, 1850)).toBe(0);
  });

  it("takes ten per cent off in spring", () => {
    const cart = { ...addItem(emptyCart, "globe"), coupon: "SPRING" };
    discountFor(cart, 7900);
  });
});
