import { expect, test } from "vitest";
import { cells } from "../src/map/cells";

const at = (lat: number, lon: number, count = 1) => ({ species: "parmaj", count, lat, lon, seenAt: "2026-04-01" });

test("sightings in one square are added up", () => {
  expect([...cells([at(52.1, 13.1, 2), at(52.4, 13.4), at(52.6, 13.1)], 0.5)]).toEqual([
    ["104:26", 3],
    ["105:26", 1],
  ]);
});
