import { expect, it } from "vitest";
import { bucketChoiceOf } from "./time-bucket.ts";

it("maps a saved bucket to itself and anything else to the automatic one", () => {
  expect(["1m", "4h", "2m", null].map(bucketChoiceOf)).toEqual(["1m", "4h", "auto", "auto"]);
});
