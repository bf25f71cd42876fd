export * from "./cart";
export * from "./pricing";
export * from "./products";
export * from "./shipping";
