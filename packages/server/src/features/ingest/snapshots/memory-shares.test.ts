import { expect, test } from "vitest";
import { seriesKey } from "#ingest/rows/encoded.ts";
import { MemoryShares } from "./memory-shares.ts";

test("the organization that takes the most gives up its oldest entries first", () => {
  const shares = new MemoryShares({ sizeMax: 10, entrySizeMax: 4 });
  expect(shares.use("quiet", "quiet/a", 2)).toEqual([]);
  expect(shares.use("busy", "busy/a", 3)).toEqual([]);
  expect(shares.use("busy", "busy/b", 3)).toEqual([]);
  expect(shares.use("busy", "busy/a", 3)).toEqual([]);
  expect(shares.use("busy", "busy/c", 3)).toEqual(["busy/b"]);
  expect(shares.use("new", "new/a", 4)).toEqual(["busy/a"]);
  expect(shares.size).toBe(9);
});

test("an entry above its limit evicts itself alone", () => {
  const shares = new MemoryShares({ sizeMax: 10, entrySizeMax: 4 });
  shares.use("one", "one/a", 4);
  shares.use("other", "other/a", 4);
  expect(shares.use("other", "other/b", 1000)).toEqual(["other/b"]);
  expect(shares.use("other", "other/a", 5)).toEqual(["other/a"]);
  expect(shares.size).toBe(4);
});

test("a removed entry has no size", () => {
  const shares = new MemoryShares({ sizeMax: 10, entrySizeMax: 10 });
  shares.use("one", "one/a", 6);
  shares.remove("one/a");
  shares.remove("one/a");
  expect(shares.size).toBe(0);
  expect(shares.use("one", "one/b", 10)).toEqual([]);
  shares.clear();
  expect(shares.size).toBe(0);
});

test("the key of a series is short, however long its tags are, and differs between series", () => {
  const keyWith = (last: string) =>
    seriesKey({
      orgId: "0198f0a0-0000-7000-8000-000000000000",
      service: "s",
      type: "memory",
      sampleTypes: ["alloc_space/bytes"],
      isCounter: [true],
      tags: new Map([
        ...Array.from({ length: 31 }, (_, i) => [`tag${i}`, "x".repeat(1000)] as const),
        ["last", last],
      ]),
    });
  expect(keyWith("a").length).toBeLessThan(100);
  expect(keyWith("a")).toBe(keyWith("a"));
  expect(keyWith("a")).not.toBe(keyWith("b"));
});
