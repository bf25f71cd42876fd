import { expect, test } from "vitest";
import { methodsFor, shippingCents } from "../src/shipping";

test("a heavy parcel cannot go as a letter", () => {
  expect(methodsFor(2400, "FR")).toEqual(["parcel", "express"]);
});

test("lockers are in three countries", () => {
  expect(() => shippingCents("locker", 100, "FR")).toThrow(RangeError);
});
