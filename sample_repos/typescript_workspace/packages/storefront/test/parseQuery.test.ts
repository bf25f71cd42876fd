import { describe, expect, it } from "vitest";
import { parseQuery } from "@/search/parseQuery";

describe("parseQuery", () => {
  it("keeps quoted words together", () => {
    expect(parseQuery('"desk globe" lamp').words).toEqual(["desk globe", "lamp"]);
  });

  it.each([
    ["under:50", 0, 5000],
    ["over:10 under:50", 1000, 5000],
    ["-under:50", 5000, Infinity],
  ])("reads %s", (text, min, max) => {
    const query = parseQuery(text);
    expect([query.minCents, query.maxCents]).toEqual([min, max]);
  });
});
