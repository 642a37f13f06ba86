import { expect, it } from "vitest";
import { timeBucketOf } from "./time-bucket.ts";

it("maps a saved bucket to itself and anything else to 15 minutes", () => {
  expect(["1m", "4h", "2m", null].map(timeBucketOf)).toEqual(["1m", "4h", "15m", "15m"]);
});
