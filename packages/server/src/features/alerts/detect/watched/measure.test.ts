import { expect, it } from "vitest";
import { customSeries, isMainSeries, measureOf, watchedSeries } from "./measure.ts";

it("lists the series that are watched of every service", () => {
  const series = watchedSeries.map(({ name: _, isSecondary: __, ...each }) => each);
  expect(series).toMatchInlineSnapshot(`
    [
      {
        "kind": "rate",
        "riseMin": 10000000,
        "sampleType": "cpu/nanoseconds",
        "type": "cpu",
      },
      {
        "kind": "gauge",
        "riseMin": 1048576,
        "sampleType": "inuse_space/bytes",
        "type": "memory",
      },
      {
        "kind": "gauge",
        "riseMin": 1048576,
        "sampleType": "space/bytes",
        "type": "memory",
      },
      {
        "kind": "gauge",
        "riseMin": 5,
        "sampleType": "goroutine/count",
        "type": "goroutine",
      },
      {
        "kind": "gauge",
        "riseMin": 5,
        "sampleType": "goroutines/count",
        "type": "goroutine",
      },
      {
        "kind": "rate",
        "riseMin": 10000000,
        "sampleType": "delay/nanoseconds",
        "type": "mutex",
      },
      {
        "kind": "rate",
        "riseMin": 10000000,
        "sampleType": "delay/nanoseconds",
        "type": "block",
      },
      {
        "kind": "rate",
        "riseMin": 1048576,
        "sampleType": "alloc_space/bytes",
        "type": "memory",
      },
      {
        "isFault": true,
        "kind": "gauge",
        "riseMin": 1,
        "sampleType": "goroutineleak/count",
        "type": "goroutine_leak",
      },
    ]
  `);
});

it("allocation is a rate of memory profiles, and memory in use a gauge", () => {
  expect(measureOf("memory", "alloc_space/bytes").kind).toBe("rate");
  expect(measureOf("memory", "inuse_space/bytes").kind).toBe("gauge");
  expect(() => measureOf("memory", "alloc_objects/count")).toThrow("not watched");
});

it("allocation says nothing about the traffic of other series", () => {
  expect(isMainSeries({ type: "memory", sampleType: "alloc_space/bytes" })).toBe(false);
  expect(isMainSeries({ type: "memory", sampleType: "inuse_space/bytes" })).toBe(true);
  expect(isMainSeries({ type: "custom", sampleType: "open_carts/count" })).toBe(false);
});

it.each([
  ["open_carts/count", 5],
  ["shop/open_carts/count", 5],
  ["heap_live/bytes", 1024 * 1024],
  ["alloc_space/bytes", undefined],
  ["lock_events/count", undefined],
  ["wall/nanoseconds", undefined],
  ["constructor/toString", undefined],
])("of custom profiles %s is watched from a rise of %s on", (sampleType, riseMin) => {
  expect(customSeries(sampleType)?.riseMin).toBe(riseMin);
});
