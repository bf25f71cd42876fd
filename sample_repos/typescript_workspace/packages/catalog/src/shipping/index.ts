export { methodsFor, shippingCents } from "./rates";
export type { Method } from "./rates";
