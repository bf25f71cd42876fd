import { useReducer } from "react";
import { formatCents, methodsFor, totalsOf } from "@shelf/catalog";
import type { Cart } from "@shelf/catalog";
import { deliveryLabel } from "@/checkout/deliveryLabels";
import { initial, reduce } from "@/checkout/machine";
import { submitOrder } from "@/checkout/submitOrder";

interface Props {
  cart: Cart;
  onDone: () => void;
}

export function CheckoutPanel({ cart, onDone }: Props) {
  const [state, dispatch] = useReducer(reduce, initial);
  const totals = totalsOf(cart);

  async function order() {
    dispatch({ type: "submit" });
    const id = await submitOrder(cart, state);
    dispatch(id ? { type: "accepted", id } : { type: "rejected", reason: "unknown" });
    onDone();
  }

  return (
    <section>
      <p>Total {formatCents(totals.total)}</p>
      <select
        value={state.method}
        onChange={(event) => dispatch({ type: "method", method: event.target.value })}
      >
        {methodsFor(totals.grams, state.country).map((method) => (
          <option key={method} value={method}>
            {deliveryLabel(method)}
          </option>
        ))}
      </select>
      <button disabled={state.step !== "ready"} onClick={order}>
        Order
      </button>
    </section>
  );
}
