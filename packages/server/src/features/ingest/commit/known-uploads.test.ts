import { expect, test } from "vitest";
import { duplicateNotice, KnownUploads } from "./known-uploads.ts";

const profile = (profileId: string) => ({ orgId: "o", profileId, startedAtMs: 0 });

test("the same content is the profile before it only where that was stored", async () => {
  const known = new KnownUploads();
  expect(known.sameContent("content", profile("a"), 0)).toEqual(profile("a"));
  const failing = Promise.reject(new Error("the store is away"));
  known.add(profile("a"), failing);
  expect(known.sameContent("content", profile("b"), 1)).toEqual(profile("a"));
  await failing.catch(() => undefined);
  expect(known.sameContent("content", profile("c"), 2)).toEqual(profile("c"));
  const stored = Promise.resolve("stored" as const);
  known.add(profile("c"), stored);
  await stored;
  expect(known.sameContent("content", profile("d"), 3)).toEqual(profile("c"));
  expect(await known.find(profile("c"))).toBe("stored");
  expect(known.sameContent("content", profile("e"), 11 * 60_000)).toEqual(profile("e"));
});

test("the tags of a duplicate that the store found are not those of the first upload", async () => {
  const known = new KnownUploads();
  known.add(profile("a"), Promise.resolve("stored" as const), "v1");
  known.add(profile("b"), Promise.resolve("duplicate" as const), "v1");
  expect(known.tagsOf(profile("a"))).toBe("v1");
  await known.find(profile("b"));
  expect([known.tagsOf(profile("a")), known.tagsOf(profile("b"))]).toEqual(["v1", undefined]);
  expect(duplicateNotice("v1", "v1")).toBeUndefined();
  expect(duplicateNotice("v1", undefined)).toMatch(/Tags that differ in this upload were not stored/);
  expect(duplicateNotice(undefined, undefined)).toBeUndefined();
});
