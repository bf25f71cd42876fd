import { emptyCart } from "@shelf/catalog";
import type { Cart } from "@shelf/catalog";

const KEY = "shelf.cart";

export function loadCart(): Cart {
  const saved = localStorage.getItem(KEY);
  if (!saved) {
    return emptyCart;
  }
  try {
    return JSON.parse(saved) as Cart;
  } catch {
    // A cart written by an older version cannot be read; starting with an empty one loses nothing paid for.
    return emptyCart;
  }
}

export function saveCart(cart: Cart): void {
  localStorage.setItem(KEY, JSON.stringify(cart));
}

export function forgetCart(): void {
  localStorage.removeItem(KEY);
}
