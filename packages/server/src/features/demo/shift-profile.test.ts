import { defaultLimits, readProfile, sumStacks } from "@flamekeep/profile";
import { expect, it } from "vitest";
import { shiftProfile } from "./shift-profile.ts";
import { recordedProfiles } from "./testing/recorded.ts";

it("moves a profile in time and leaves everything else as it was", async () => {
  const at = Date.UTC(2031, 4, 6, 7, 8, 9, 123);
  const profiles = await recordedProfiles("checkout", "before");
  expect(profiles.length).toBeGreaterThan(5);
  for (const { path, raw } of profiles) {
    const before = read(raw);
    const after = read(shiftProfile(raw, at));
    expect(after.timeNs, path).toBe(BigInt(at) * 1_000_000n);
    expect({ ...after, timeNs: before.timeNs }, path).toEqual(before);
    expect(sumStacks(after), path).toEqual(sumStacks(before));
  }
});

it("is undone by moving back", async () => {
  const [{ raw } = { raw: new Uint8Array() }] = await recordedProfiles("search", "after");
  const { timeNs } = read(raw);
  const ms = Number(timeNs / 1_000_000n);
  expect(shiftProfile(shiftProfile(raw, ms + 86_400_000), ms)).toEqual(shiftProfile(raw, ms));
});

it("refuses bytes that are no profile", () => {
  expect(() => shiftProfile(new Uint8Array(), 1)).toThrow("Not a recorded profile");
  expect(() => shiftProfile(Uint8Array.of(0x0d, 1, 2, 3, 4), 1)).toThrow("Not a recorded profile");
});

function read(raw: Uint8Array) {
  const result = readProfile(raw, defaultLimits);
  if (!result.ok) throw new Error(result.error.message);
  return result.profile;
}
