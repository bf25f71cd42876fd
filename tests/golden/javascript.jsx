// A sample of what JavaScript facts are made of.
import React, { useState as state } from "react";
import * as path from "node:path";
import "./side-effect.js";
export { first as renamed, default as Second } from "./other.js";
export * from "./all.js";
const { readFile, writeFile: write } = require("fs");
const lazy = () => import("./lazy.js");

module.exports.extra = 1;

export default function App({ items }, dense = false) {
  const [open, setOpen] = state(true);
  return (
    <ul>
      {items.length > 0 && <li>some</li>}
      {open ? <Close /> : <Open />}
    </ul>
  );
}

export class Store extends Base {
  items = [];
  load = async (key) => {
    try {
      const body = await this.client.get(`./data/${key}`);
      this.items.push(body);
    } catch {
      // nothing to show
    } finally {
      this.done();
    }
  };

  find(id) {
    outer: for (const group of this.items) {
      for (const item of group) {
        if (item.id === id) {
          return item;
        } else if (item.skip && !item.force || item.old) {
          continue outer;
        } else {
          break;
        }
      }
    }
  }
}

function* counter(limit, ...rest) {
  do {
    yield limit--;
  } while (limit);
  switch (rest.length) {
    case 0:
      return counter(0);
    default:
      return null;
  }
}

store.load("x").catch(() => {});
store.load("y").catch((error) => {
  console.error(error);
});

describe("store", () => {
  it("finds nothing", async () => {
    expect(await new Store().find(1)).toBe(undefined);
  });
});
