import { expect, it } from "vitest";
import { DayUnavailable, faultIn } from "./day-unavailable.ts";

it.each([
  ["the folder can be changed", undefined, "unwritable", /Profiles of other days are not affected\.$/],
  ["the folder belongs to another user", "EPERM", "unwritable", /Profiles of other days/],
  ["the disk is read-only", "EROFS", "unwritable_disk", /the disk of the server cannot be written/],
  ["the disk reports errors", "EIO", "unwritable_disk", /the disk of the server cannot be written/],
])("a file that cannot be opened while %s", (_, code, fault, sentence) => {
  const found = faultIn("/nowhere", new Error("no file"), () => {
    if (code !== undefined) throw Object.assign(new Error(code), { code });
  });
  expect(found).toBe(fault);
  expect(new DayUnavailable("stored", "2026-11-20", found).message).toMatch(sentence);
});
