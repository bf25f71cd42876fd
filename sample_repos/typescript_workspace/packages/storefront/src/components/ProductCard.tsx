import clsx from "clsx";
import { formatCents } from "@shelf/catalog";
import { coupons } from "@shelf/catalog/src/pricing/discounts";
import type { Product } from "@shelf/catalog";

interface Props {
  product: Product;
  onAdd: () => void;
}

export function ProductCard({ product, onAdd }: Props) {
  return (
    <li className={clsx("card", Object.keys(coupons).length > 0 && "on-sale")}>
      <h2>{product.name}</h2>
      <p>{formatCents(product.cents)}</p>
      <button onClick={onAdd}>Add to cart</button>
    </li>
  );
}
