import * as L from "leaflet";
import { cells } from "../map/cells";
import { marker } from "../map/markers";
import { visible } from "../state/sightings";

const FAR_ZOOM = 9;

export async function draw(map: L.Map): Promise<void> {
  const { lat, lng } = map.getCenter();
  const shown = await visible(lat, lng, 50);
  if (map.getZoom() >= FAR_ZOOM) {
    L.layerGroup(shown.map(marker)).addTo(map);
    return;
  }
  for (const [cell, count] of cells(shown, 0.5)) {
    const [row, column] = cell.split(":").map(Number);
    L.circle([row / 2, column / 2], { radius: 500 * Math.sqrt(count) }).addTo(map);
  }
}
