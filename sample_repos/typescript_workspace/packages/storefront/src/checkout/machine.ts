export type Step = "address" | "delivery" | "ready" | "submitting" | "done" | "failed";

export interface CheckoutState {
  step: Step;
  country: string;
  email: string;
  method: string;
  orderId: string;
  problem: string;
  attempts: number;
}

export type CheckoutEvent =
  | { type: "address"; country: string; email: string }
  | { type: "method"; method: string }
  | { type: "submit" }
  | { type: "accepted"; id: string }
  | { type: "rejected"; reason: string }
  | { type: "back" };

export const initial: CheckoutState = {
  step: "address",
  country: "DE",
  email: "",
  method: "parcel",
  orderId: "",
  problem: "",
  attempts: 0,
};

const MAX_ATTEMPTS = 3;

export function reduce(state: CheckoutState, event: CheckoutEvent): CheckoutState {
  if (event.type === "address") {
    if (!event.email.includes("@")) {
      return { ...state, problem: "email" };
    }
    const moved = event.country !== state.country;
    return { ...state, ...event, problem: "", step: "delivery", method: moved ? "parcel" : state.method };
  }
  if (event.type === "method") {
    if (state.step === "submitting" || state.step === "done") {
      return state;
    }
    return { ...state, method: event.method, step: state.email ? "ready" : "address" };
  }
  if (event.type === "submit") {
    if (state.step === "ready" || (state.step === "failed" && state.attempts < MAX_ATTEMPTS)) {
      return { ...state, step: "submitting", attempts: state.attempts + 1 };
    }
    return state;
  }
  if (event.type === "accepted") {
    return state.step === "submitting" ? { ...state, step: "done", orderId: event.id } : state;
  }
  if (event.type === "rejected") {
    if (event.reason === "out_of_stock" || state.attempts >= MAX_ATTEMPTS) {
      return { ...state, step: "address", attempts: 0, problem: event.reason };
    }
    return { ...state, step: "failed", problem: event.reason };
  }
  return state.step === "delivery" || state.step === "ready" ? { ...state, step: "address" } : state;
}
