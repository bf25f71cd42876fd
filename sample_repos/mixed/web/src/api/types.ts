export type Certainty = "sure" | "likely" | "guess";
export type Status = "new" | "confirmed" | "disputed";

export interface NewSighting {
  species: string;
  count: number;
  lat: number;
  lon: number;
  seenAt: string;
  certainty?: Certainty;
  note?: string;
  photos?: string[];
}

export interface Sighting extends NewSighting {
  id: string;
  observer: string;
  certainty: Certainty;
  status: Status;
}

export function isPending(sighting: NewSighting | Sighting): boolean {
  return !("id" in sighting);
}
