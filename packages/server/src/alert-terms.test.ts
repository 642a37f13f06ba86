import { expect, it } from "vitest";
import { estimatedImprovement } from "#analysis/advice/recommendations.ts";
import { explainRefusal } from "#ingest/encode/checks/explain-refusal.ts";
import { measured, quantity } from "./alert-terms.ts";

const series =
  "cpu cpu/nanoseconds, memory inuse_space/bytes, memory alloc_space/bytes, goroutine goroutine/count, goroutine_leak goroutineleak/count, mutex delay/nanoseconds, block delay/nanoseconds, custom shop/open_carts/count, custom wall/nanoseconds"
    .split(", ")
    .map((text) => text.split(" "));

it("names the values of every profile type", () => {
  const texts = series.map(([type, sample_type]) => {
    const alert = { profile_type: type, sample_type, unit: `${sample_type!.split("/").at(-1)}` } as never;
    return `${measured(alert)}: ${quantity(1, alert)}, ${quantity(2.5e9, alert)}`;
  });
  expect(texts).toMatchInlineSnapshot(`
    [
      "CPU: 1e-9 cores, 2.5 cores",
      "memory in use: 1 B, 2.33 GB",
      "allocated memory: 1 B, 2.33 GB",
      "goroutines: 1 goroutine, 2500M goroutines",
      "goroutines: 1 goroutine, 2500M goroutines",
      "waiting for locks: 1 ns, 2.5 s",
      "blocked time: 1 ns, 2.5 s",
      "shop/open carts: 1, 2500M",
      "wall: 1 ns, 2.5 s",
    ]
  `);
  const sampleTypes = [
    ...series.map(([, name]) => name!.slice(0, name!.lastIndexOf("/"))),
    "samples",
    "inuse_objects",
  ];
  expect(
    [...sampleTypes, "alloc_objects", "goroutines", "contentions"].map((sampleType) =>
      estimatedImprovement([{ sampleType, saving: 0.5 }]),
    ),
  ).toMatchInlineSnapshot(`
    [
      "Up to 50 % of CPU",
      "Up to 50 % of memory in use",
      "Up to 50 % of allocated memory",
      "Up to 50 % of goroutines",
      "Up to 50 % of goroutineleak",
      "Up to 50 % of waiting",
      "Up to 50 % of waiting",
      "Up to 50 % of shop/open_carts",
      "Up to 50 % of wall time",
      "Up to 50 % of CPU",
      "Up to 50 % of objects in use",
      "Up to 50 % of allocated objects",
      "Up to 50 % of goroutines",
      "Up to 50 % of contentions",
    ]
  `);
  const types = [...new Set(series.map(([type]) => type as "cpu"))];
  const tooLarge = { code: "too_large", field: "samples", offset: 0, message: "Too many samples." } as const;
  expect(types.map((type) => explainRefusal(tooLarge, new Uint8Array(), false, type))).toMatchInlineSnapshot(`
    [
      {
        "ok": false,
        "refusal": {
          "code": "too_large",
          "message": "Too many samples. Record for a shorter time or with fewer samples a second, or raise INGEST_MAX_SAMPLES on the server.",
          "reason": "profile_samples",
        },
      },
      {
        "ok": false,
        "refusal": {
          "code": "too_large",
          "message": "Too many samples. A heap profile has no length: raise its sampling rate (runtime.MemProfileRate in Go), so that it has fewer stacks, or raise INGEST_MAX_SAMPLES on the server.",
          "reason": "profile_samples",
        },
      },
      {
        "ok": false,
        "refusal": {
          "code": "too_large",
          "message": "Too many samples. A goroutine profile has no length: it is as large as the program has different stacks, or raise INGEST_MAX_SAMPLES on the server.",
          "reason": "profile_samples",
        },
      },
      {
        "ok": false,
        "refusal": {
          "code": "too_large",
          "message": "Too many samples. A profile of leaked goroutines has no length: end the leaks, or raise INGEST_MAX_SAMPLES on the server.",
          "reason": "profile_samples",
        },
      },
      {
        "ok": false,
        "refusal": {
          "code": "too_large",
          "message": "Too many samples. Record for a shorter time, or fewer events (runtime.SetMutexProfileFraction in Go), or raise INGEST_MAX_SAMPLES on the server.",
          "reason": "profile_samples",
        },
      },
      {
        "ok": false,
        "refusal": {
          "code": "too_large",
          "message": "Too many samples. Record for a shorter time, or fewer events (runtime.SetBlockProfileRate in Go), or raise INGEST_MAX_SAMPLES on the server.",
          "reason": "profile_samples",
        },
      },
      {
        "ok": false,
        "refusal": {
          "code": "too_large",
          "message": "Too many samples. Send less in one profile, or raise INGEST_MAX_SAMPLES on the server.",
          "reason": "profile_samples",
        },
      },
    ]
  `);
});
