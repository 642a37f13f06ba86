import { expect, test } from "vitest";
import { duplicateNotice, KnownUploads } from "./known-uploads.ts";

const profile = (profileId: string) => ({ orgId: "o", profileId, startedAtMs: 0 });

test("the same content counts as the earlier profile only if that was stored", async () => {
  const uploads = new KnownUploads();
  expect(uploads.earlierWithContent("content", profile("a"), 0)).toEqual(profile("a"));
  const failing = Promise.reject(new Error("the store is away"));
  uploads.add(profile("a"), failing);
  expect(uploads.earlierWithContent("content", profile("b"), 1)).toEqual(profile("a"));
  await failing.catch(() => undefined);
  expect(uploads.earlierWithContent("content", profile("c"), 2)).toEqual(profile("c"));
  const stored = Promise.resolve("stored" as const);
  uploads.add(profile("c"), stored);
  await stored;
  expect(uploads.earlierWithContent("content", profile("d"), 3)).toEqual(profile("c"));
  expect(await uploads.find(profile("c"))).toBe("stored");
  expect(uploads.earlierWithContent("content", profile("e"), 11 * 60_000)).toEqual(profile("e"));
});

test("the tags of a duplicate that the store found are not those of the first upload", async () => {
  const uploads = new KnownUploads();
  uploads.add(profile("a"), Promise.resolve("stored" as const), "v1");
  uploads.add(profile("b"), Promise.resolve("duplicate" as const), "v1");
  expect(uploads.tagsOf(profile("a"))).toBe("v1");
  await uploads.find(profile("b"));
  expect([uploads.tagsOf(profile("a")), uploads.tagsOf(profile("b"))]).toEqual(["v1", undefined]);
  expect(duplicateNotice("v1", "v1")).toBeUndefined();
  expect(duplicateNotice("v1", undefined)).toMatch(/Different tags of this upload were not stored/);
  expect(duplicateNotice(undefined, undefined)).toBeUndefined();
});
