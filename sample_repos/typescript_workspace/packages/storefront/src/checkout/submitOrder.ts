import { totalsOf } from "@shelf/catalog";
import type { Cart } from "@shelf/catalog";
import type { CheckoutState } from "@/checkout/machine";
import { post } from "@/lib/http";
import { forgetCart } from "@/lib/savedCart";

interface Order {
  id: string;
}

export async function submitOrder(cart: Cart, state: CheckoutState): Promise<string | undefined> {
  const { total } = totalsOf(cart);
  try {
    const order = await post<Order>("/orders", { items: cart.items, total, method: state.method, email: state.email });
    await post(`/orders/${order.id}/payment`, { total });
    forgetCart();
    return order.id;
  } catch {}
}
