import { discountFor } from "../pricing";
import { findProduct } from "../products";
import type { Cart } from "./cart";

export interface Totals {
  goods: number;
  discount: number;
  total: number;
  grams: number;
}

export function totalsOf(cart: Cart): Totals {
  let goods = 0;
  let grams = 0;
  for (const item of cart.items) {
    const product = findProduct(item.product);
    goods += (product?.cents ?? 0) * item.quantity;
    grams += (product?.grams ?? 0) * item.quantity;
  }
  const discount = discountFor(cart, goods);
  return { goods, discount, total: goods - discount, grams };
}
