import { session } from "../state/session";
import type { NewSighting, Sighting } from "./types";

async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${session.token()}` };
  const response = await fetch(`/api${path}`, { ...init, headers });
  if (!response.ok) {
    throw new Error(`${path} answered ${response.status}`);
  }
  return (await response.json()) as T;
}

export const api = {
  near: (lat: number, lon: number, km: number) =>
    call<Sighting[]>(`/sightings?lat=${lat}&lon=${lon}&km=${km}`),
  add: (sighting: NewSighting) =>
    call<Sighting>("/sightings", { method: "POST", body: JSON.stringify(sighting) }),
  renew: () => call<{ token: string }>("/session", { method: "POST" }),
};
