import type { NewSighting } from "../api/types";

/** Groups sightings into squares of the given size in degrees, for the far zoom levels. */
export function cells(sightings: readonly NewSighting[], degrees: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { lat, lon, count } of sightings) {
    const key = `${Math.floor(lat / degrees)}:${Math.floor(lon / degrees)}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return counts;
}
