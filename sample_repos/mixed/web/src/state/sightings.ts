import { api } from "../api/client";
import { flushQueue, queued } from "../api/offlineQueue";
import type { NewSighting, Sighting } from "../api/types";

export async function visible(lat: number, lon: number, km: number): Promise<(Sighting | NewSighting)[]> {
  await flushQueue();
  return [...queued(), ...(await api.near(lat, lon, km))];
}
