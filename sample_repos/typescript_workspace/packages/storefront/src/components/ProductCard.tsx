import { formatCents } from "@shelf/catalog";
import type { Product } from "@shelf/catalog";

interface Props {
  product: Product;
  onAdd: () => void;
}

export function ProductCard({ product, onAdd }: Props) {
  return (
    <li>
      <h2>{product.name}</h2>
      <p>{formatCents(product.cents)}</p>
      <button onClick={onAdd}>Add to cart</button>
    </li>
  );
}
