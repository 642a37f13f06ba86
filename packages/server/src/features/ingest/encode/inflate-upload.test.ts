import { randomBytes } from "node:crypto";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { inflateUpload } from "./inflate-upload.ts";

const MiB = 1024 * 1024;
const bytesMax = 64 * MiB;

test.each([
  ["gzip", gzipSync],
  ["zstd", zstdCompressSync],
] as const)("refuses a %s bomb by its ratio before it inflates to the limit", (_, compress) => {
  const outcome = inflateUpload(compress(Buffer.alloc(20 * MiB)), bytesMax);
  if (outcome.ok) throw new Error("was accepted");
  expect(outcome.refusal).toMatchObject({
    code: "too_large",
    reason: "compression_ratio",
    message: expect.stringContaining("more than 200 times their size"),
  });
});

test("accepts small uploads that compress very well, and large ones that compress less", () => {
  const small = inflateUpload(gzipSync(Buffer.alloc(15 * MiB)), bytesMax);
  const large = inflateUpload(
    gzipSync(Buffer.concat([randomBytes(MiB / 4), Buffer.alloc(20 * MiB)])),
    bytesMax,
  );
  expect([small.ok, large.ok]).toEqual([true, true]);
});

test("names the setting if the limit of inflated bytes is the lower one", () => {
  const outcome = inflateUpload(gzipSync(Buffer.alloc(20 * MiB)), 2 * MiB);
  if (outcome.ok) throw new Error("was accepted");
  expect(outcome.refusal).toMatchObject({
    reason: "inflated_bytes",
    message: expect.stringContaining("INGEST_MAX_INFLATED_BYTES"),
  });
});
