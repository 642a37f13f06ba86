import { ReadRefusal } from "@flamekeep/profile";
import { expect, test } from "vitest";
import { metricsOf } from "#ingest/testing/metrics-of.ts";
import { readHistograms } from "./read-histograms.ts";

test("whatever byte is broken, histograms are read or refused", () => {
  const sent = { startMs: 1, timeMs: 2, counts: [1, 2, 3], min: 0.01, max: 2 };
  const bytes = metricsOf([sent, { ...sent, buckets: { scale: 3, offset: -9, zeros: 1 } }]);
  let [read, refused] = [0, 0];
  const attempt = (mutant: Uint8Array) => {
    try {
      readHistograms(mutant, 1000, () => read++);
    } catch (error) {
      expect(error).toBeInstanceOf(ReadRefusal);
      refused++;
    }
  };
  for (let at = 0; at < bytes.length; at++) {
    attempt(bytes.subarray(0, at));
    for (let value = 0; value < 256; value += 3) {
      const mutant = Uint8Array.from(bytes);
      mutant[at] = value;
      attempt(mutant);
    }
  }
  expect(read + refused).toBeGreaterThan(20_000);
  expect(Math.min(read, refused)).toBeGreaterThan(1000);
});
