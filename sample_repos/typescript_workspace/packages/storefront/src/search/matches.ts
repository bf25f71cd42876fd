import type { Product } from "@shelf/catalog";
import type { Query } from "@/search/parseQuery";

export function matches(product: Product, query: Query): boolean {
  return (
    query.words.every((word) => product.name.toLowerCase().includes(word)) &&
    query.tags.every((tag) => product.tags.includes(tag)) &&
    !query.without.some((tag) => product.tags.includes(tag)) &&
    product.cents >= query.minCents &&
    product.cents <= query.maxCents
  );
}
