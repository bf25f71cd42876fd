// A sample of what TypeScript adds.
import type { Shape } from "./shape";
import { type Size, area } from "./area.js";
import fs = require("fs");
export type { Colour } from "./colour";
export * as tools from "./tools";

export interface Options {
  dense?: boolean;
}
export type Key = keyof Options;
export enum Level {
  Low,
  High,
}

export abstract class Repository<T> implements Reader<T> {
  @Inject() private readonly client!: Client;

  constructor(private readonly name: string, public open: boolean = true) {
    super();
  }

  abstract find(id: string): Promise<T>;

  async all(this: Repository<T>, force?: boolean, ...rest: string[]): Promise<T[]> {
    const rows = await this.client.query<T>("./all.sql");
    return rows.filter((row) => row ?? force);
  }
}

export const total = (sizes: Size[]): number => {
  let sum = 0;
  for (const size of sizes) {
    sum += size > 0 ? area(size) : 0;
  }
  return sum;
};

function overload(value: string): string;
function overload(value: unknown): unknown {
  return value as string;
}

namespace Inner {
  export const hidden = process.env.INNER_TOKEN || "none";
}
