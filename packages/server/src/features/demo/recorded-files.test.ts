import { defaultLimits, readProfile, sumStacks } from "@flamekeep/profile";
import { expect, it } from "vitest";
import { shiftMetrics, shiftProfile } from "./recorded-files.ts";
import { recordedProfiles } from "./testing/recorded.ts";

const recorded = [
  '{"timestamp":"2026-01-01T00:00:01.250Z","duration":0.5,"status_code":200,"method":"GET","path":"/a","request_id":"r2"}',
  '{"timestamp":"2026-01-01T00:00:00.250Z","duration":0.1,"status_code":404,"method":"PUT","path":"/b","request_id":"r1"}',
].join("\n");

it("puts the first request at the time asked for and keeps distances, order and all else", () => {
  const shifted = shiftMetrics(`${recorded}\n`, Date.UTC(2030, 0, 2, 3));
  expect(
    shifted
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    {
      timestamp: "2030-01-02T03:00:01.000Z",
      duration: 0.5,
      status_code: 200,
      method: "GET",
      path: "/a",
      request_id: "r2",
    },
    {
      timestamp: "2030-01-02T03:00:00.000Z",
      duration: 0.1,
      status_code: 404,
      method: "PUT",
      path: "/b",
      request_id: "r1",
    },
  ]);
});

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
