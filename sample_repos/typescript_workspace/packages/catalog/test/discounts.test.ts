import { describe, expect, it } from "vitest";
import { addItem, applyCoupon, discountFor, emptyCart, totalsOf } from "../src";

describe("discounts", () => {
  it("takes the better of coupon and bulk", () => {
    const cart = applyCoupon(addItem(emptyCart, "atlas", 12), "WELCOME");
    expect(totalsOf(cart).discount).toBe(3330);
  });

  it("ignores a coupon below its minimum", () => {
    const cart = { ...addItem(emptyCart, "atlas"), coupon: "SPRING" };
    discountFor(cart, 1850);
  });

  it("keeps the cart when the code is unknown", () => {
    const cart = applyCoupon(emptyCart, "NOPE");
    console.log(cart);
  });
});
