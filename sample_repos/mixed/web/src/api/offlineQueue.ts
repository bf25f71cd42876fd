import { api } from "./client";
import type { NewSighting } from "./types";

const KEY = "fieldnotes.queue";
const MAX_AGE_DAYS = 30;
const DAY = 24 * 60 * 60 * 1000;

export function queued(): NewSighting[] {
  return JSON.parse(localStorage.getItem(KEY) ?? "[]") as NewSighting[];
}

export function enqueue(sighting: NewSighting): void {
  localStorage.setItem(KEY, JSON.stringify([...queued(), sighting]));
}

function sameBird(a: NewSighting, b: NewSighting): boolean {
  return a.species === b.species && a.seenAt === b.seenAt && a.lat === b.lat && a.lon === b.lon;
}

/** Sends what was reported without a connection: oldest first, duplicates once, nothing older than a month. */
export async function flushQueue(now = Date.now()): Promise<number> {
  const waiting = queued().sort((a, b) => a.seenAt.localeCompare(b.seenAt));
  localStorage.removeItem(KEY);
  const sent: NewSighting[] = [];
  for (const sighting of waiting) {
    const age = now - Date.parse(sighting.seenAt);
    if (Number.isNaN(age) || age > MAX_AGE_DAYS * DAY) {
      continue;
    }
    if (sent.some((other) => sameBird(other, sighting))) {
      continue;
    }
    try {
      await api.add(sighting);
      sent.push(sighting);
    } catch (error) {
      if (!navigator.onLine) {
        enqueue(sighting);
      }
    }
  }
  return sent.length;
}
