export function formatCents(cents: number, currency = "EUR", locale = "en"): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(cents / 100);
}
