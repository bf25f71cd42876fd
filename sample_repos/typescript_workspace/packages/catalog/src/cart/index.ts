export { addItem, emptyCart, itemCount, removeItem } from "./cart";
export type { Cart, CartItem } from "./cart";
export { totalsOf } from "./totals";
export type { Totals } from "./totals";
