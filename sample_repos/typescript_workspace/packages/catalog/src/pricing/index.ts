export { applyCoupon, coupons, discountFor } from "./discounts";
export { formatCents } from "./format";
