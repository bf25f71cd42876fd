export type Method = "letter" | "parcel" | "express" | "locker" | "pickup";

interface Rate {
  method: Method;
  maxGrams: number;
  cents: number;
  countries?: readonly string[];
}

const rates: readonly Rate[] = [
  { method: "letter", maxGrams: 500, cents: 190 },
  { method: "parcel", maxGrams: 10_000, cents: 590 },
  { method: "express", maxGrams: 5_000, cents: 1490 },
  { method: "locker", maxGrams: 5_000, cents: 390, countries: ["DE", "NL", "PL"] },
  { method: "pickup", maxGrams: 30_000, cents: 0, countries: ["DE"] },
];

function allowed(rate: Rate, grams: number, country: string): boolean {
  return grams <= rate.maxGrams && (!rate.countries || rate.countries.includes(country));
}

export function methodsFor(grams: number, country: string): Method[] {
  return rates.filter((rate) => allowed(rate, grams, country)).map((rate) => rate.method);
}

export function shippingCents(method: Method, grams: number, country: string): number {
  const rate = rates.find((candidate) => candidate.method === method);
  if (!rate || !allowed(rate, grams, country)) {
    throw new RangeError(`${method} does not deliver ${grams} g to ${country}`);
  }
  return rate.cents;
}
