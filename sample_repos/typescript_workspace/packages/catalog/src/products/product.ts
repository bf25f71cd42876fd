export type ProductId = string;

export interface Product {
  id: ProductId;
  name: string;
  cents: number;
  grams: number;
  tags: readonly string[];
}
