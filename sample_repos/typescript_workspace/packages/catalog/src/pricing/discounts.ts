import { itemCount } from "../cart";
import type { Cart } from "../cart";

export interface Coupon {
  perCent: number;
  minimumCents: number;
}

export const coupons: Record<string, Coupon> = {
  SPRING: { perCent: 10, minimumCents: 3000 },
  WELCOME: { perCent: 15, minimumCents: 0 },
};

const BULK_ITEMS = 10;
const BULK_PER_CENT = 5;

export function applyCoupon(cart: Cart, code: string): Cart {
  return code in coupons ? { ...cart, coupon: code } : cart;
}

/** The better of coupon and bulk discount; they do not add up. */
export function discountFor(cart: Cart, goods: number): number {
  const bulk = itemCount(cart) >= BULK_ITEMS ? BULK_PER_CENT : 0;
  const coupon = cart.coupon ? coupons[cart.coupon] : undefined;
  const granted = coupon && goods >= coupon.minimumCents ? coupon.perCent : 0;
  return Math.round((goods * Math.max(bulk, granted)) / 100);
}
