import type { Product, ProductId } from "./product";

export const products: readonly Product[] = [
  { id: "atlas", name: "Pocket atlas", cents: 1850, grams: 320, tags: ["book", "travel"] },
  { id: "lamp", name: "Reading lamp", cents: 4200, grams: 900, tags: ["light"] },
  { id: "globe", name: "Desk globe", cents: 7900, grams: 2400, tags: ["travel", "gift"] },
  { id: "card", name: "Gift card", cents: 2500, grams: 0, tags: ["gift"] },
];

export function findProduct(id: ProductId): Product | undefined {
  return products.find((product) => product.id === id);
}
