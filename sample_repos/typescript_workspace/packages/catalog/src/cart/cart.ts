import type { ProductId } from "../products";

export interface CartItem {
  product: ProductId;
  quantity: number;
}

export interface Cart {
  items: readonly CartItem[];
  coupon?: string;
}

export const emptyCart: Cart = { items: [] };

export function addItem(cart: Cart, product: ProductId, quantity = 1): Cart {
  const known = cart.items.find((item) => item.product === product);
  if (!known) {
    return { ...cart, items: [...cart.items, { product, quantity }] };
  }
  const items = cart.items.map((item) =>
    item === known ? { product, quantity: item.quantity + quantity } : item,
  );
  return { ...cart, items };
}

export function removeItem(cart: Cart, product: ProductId): Cart {
  return { ...cart, items: cart.items.filter((item) => item.product !== product) };
}

export function itemCount(cart: Cart): number {
  return cart.items.reduce((sum, item) => sum + item.quantity, 0);
}
