import { useMemo, useState } from "react";
import { addItem, emptyCart, products } from "@shelf/catalog";
import { CheckoutPanel } from "@/components/CheckoutPanel";
import { ProductCard } from "@/components/ProductCard";
import { matches } from "@/search/matches";
import { parseQuery } from "@/search/parseQuery";

export function App() {
  const [cart, setCart] = useState(emptyCart);
  const [text, setText] = useState("");
  const shown = useMemo(() => {
    const query = parseQuery(text);
    return products.filter((product) => matches(product, query));
  }, [text]);

  return (
    <main>
      <input value={text} onChange={(event) => setText(event.target.value)} placeholder="tag:travel under:50" />
      <ul>
        {shown.map((product) => (
          <ProductCard key={product.id} product={product} onAdd={() => setCart(addItem(cart, product.id))} />
        ))}
      </ul>
      <CheckoutPanel cart={cart} onDone={() => setCart(emptyCart)} />
    </main>
  );
}
