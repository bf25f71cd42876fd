import { products } from "@shelf/catalog";
import { expect, test } from "vitest";
import { matches } from "@/search/matches";
import { parseQuery } from "@/search/parseQuery";

const names = (text: string) => products.filter((p) => matches(p, parseQuery(text))).map((p) => p.id);

test("tags and prices narrow the list", () => {
  expect(names("tag:gift under:50")).toEqual(["card"]);
});

test("a tag can be left out", () => {
  expect(names("-tag:gift")).toMatchInlineSnapshot(`
    [
      "atlas",
      "lamp",
    ]
  `);
});
