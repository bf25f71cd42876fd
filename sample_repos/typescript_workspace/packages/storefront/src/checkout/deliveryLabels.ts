const labels: Record<string, string> = {
  letter: "Letter, 3 to 5 days",
  parcel: "Parcel, 2 days",
  express: "Express, tomorrow",
  locker: "Parcel locker",
};

export function deliveryLabel(method: string): string {
  return labels[method] ?? method;
}
