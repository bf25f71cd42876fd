import { describe, expect, it } from "vitest";
import { addItem, emptyCart, itemCount, removeItem } from "../src/cart";

describe("cart", () => {
  it("adds to an item that is already there", () => {
    const cart = addItem(addItem(emptyCart, "atlas"), "atlas", 2);
    expect(cart.items).toEqual([{ product: "atlas", quantity: 3 }]);
  });

  it("removes an item", () => {
    const cart = removeItem(addItem(emptyCart, "lamp"), "lamp");
    expect(itemCount(cart)).toBe(0);
  });
});
