import * as L from "leaflet";
import { species } from "../api/species.generated";
import type { NewSighting, Sighting } from "../api/types";
import { isPending } from "../api/types";

const names: Record<string, string> = species;

export function label(sighting: NewSighting | Sighting): string {
  const name = names[sighting.species] ?? sighting.species;
  return sighting.count > 1 ? `${sighting.count} × ${name}` : name;
}

export function marker(sighting: NewSighting | Sighting): L.Marker {
  const opacity = isPending(sighting) ? 0.5 : 1;
  return L.marker([sighting.lat, sighting.lon], { title: label(sighting), opacity });
}

// export function clustered(markers: Marker[], km: number): Marker[] {
//   const kept: Marker[] = [];
//   for (const marker of markers) {
//     if (kept.every((other) => far(other, marker, km))) {
//       kept.push(marker);
//     }
//   }
//   return kept;
// }
