export { findProduct, products } from "./catalogue";
export type { Product, ProductId } from "./product";
