import { api } from "../api/client";
import { enqueue } from "../api/offlineQueue";
import type { NewSighting } from "../api/types";

export async function submit(form: HTMLFormElement): Promise<void> {
  const data = new FormData(form);
  const sighting: NewSighting = {
    species: String(data.get("species")),
    count: Number(data.get("count") ?? 1),
    lat: Number(data.get("lat")),
    lon: Number(data.get("lon")),
    seenAt: new Date().toISOString(),
  };
  if (navigator.onLine) {
    await api.add(sighting);
  } else {
    enqueue(sighting);
  }
}
