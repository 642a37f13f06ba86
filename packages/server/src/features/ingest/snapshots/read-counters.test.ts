import { expect, test } from "vitest";
import { pprofOf } from "#ingest/testing/pprof-of.ts";
import { countersOf } from "./read-counters.ts";

test("counters of a profile as large as any that is accepted are read", () => {
  const heap = pprofOf({
    sampleTypes: ["alloc_objects/count", "alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"],
    samples: [["main;keep", 3, 300, 2, 200]],
    vdso: 0x7f0000001000,
  });
  // A field that no reader knows: the profile is larger than 64 MiB and below INGEST_MAX_INFLATED_BYTES.
  const padding = Buffer.alloc(75_000_000, Buffer.of(0xf8, 0x7f, 1));
  const counters = countersOf(Uint8Array.from(Buffer.concat([heap, padding])));
  expect(counters?.stackValues.values.map((column) => [...column])).toEqual([[3n], [300n], [2n], [200n]]);
  expect(counters?.identity).toBe("7f0000001000");
});
