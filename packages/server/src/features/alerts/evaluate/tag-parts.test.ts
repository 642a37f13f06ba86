import { expect, it } from "vitest";
import { isMuted } from "#alerts/mutes/queries.ts";
import { risenAlone } from "#alerts/row/stored-alert.ts";
import { partsOfProfiles, partsOfRise } from "./tag-parts.ts";

interface Sums {
  readonly before?: number;
  readonly after?: number;
}

/** One profile in each range that has a value. */
function sums(tags: Record<string, string>, { before, after }: Sums) {
  const profiles = {
    profilesBefore: before === undefined ? 0 : 1,
    profilesAfter: after === undefined ? 0 : 1,
  };
  return { tags, before: before ?? 0, after: after ?? 0, ...profiles };
}

const staging = { env: "staging" };
const production = { env: "production" };

function isMutedBy(tags: Record<string, string>, parts: ReturnType<typeof partsOfRise>, increase: number) {
  const circumstances = JSON.stringify({ hasRequests: true, release: null, parts });
  const alert = { service: "checkout", type: "cpu", increase, circumstances };
  return isMuted(alert, [{ service: null, type: null, tags }]);
}

it("a rise in staging alone is muted by its tag, and not by the tag of production", () => {
  const parts = partsOfRise(
    [sums(staging, { before: 100, after: 200 }), sums(production, { before: 100, after: 102 })],
    100,
  );
  expect(isMutedBy(staging, parts, 0.51)).toBe(true);
  expect(isMutedBy(production, parts, 0.51)).toBe(false);
});

it("a rise in both is not muted by one tag, if the rest alone would open an alert", () => {
  const parts = partsOfRise(
    [sums(staging, { before: 100, after: 200 }), sums(production, { before: 100, after: 140 })],
    100,
  );
  expect(isMutedBy(staging, parts, 0.7)).toBe(false);
});

it("a small rise that is mostly elsewhere is not muted, although the rest is small", () => {
  const parts = partsOfRise(
    [sums(staging, { before: 100, after: 110 }), sums(production, { before: 100, after: 130 })],
    100,
  );
  expect(isMutedBy(staging, parts, 0.2)).toBe(false);
});

it("instances that a deploy replaced bring no rise by themselves", () => {
  const rows = [
    sums({ ...staging, pod: "a" }, { before: 100 }),
    sums({ ...staging, pod: "b" }, { after: 100 }),
    sums({ ...production, pod: "c" }, { before: 100 }),
    sums({ ...production, pod: "d" }, { after: 200 }),
  ];
  const parts = partsOfRise(rows, 100);
  expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  expect(isMutedBy(staging, parts, 0.5)).toBe(false);
  expect(isMutedBy(production, parts, 0.5)).toBe(true);
});

it("what requests explain is no part of the rise", () => {
  const rows = [sums(staging, { before: 100, after: 200 }), sums(production, { before: 100, after: 300 })];
  const parts = partsOfRise(rows, 200);
  expect(parts.find(({ tags }) => tags.env === "staging")?.share).toBeCloseTo(0);
  expect(parts.find(({ tags }) => tags.env === "production")?.share).toBeCloseTo(1);
});

it("several tags must be on the same profiles", () => {
  const rows = [
    sums({ ...staging, region: "eu" }, { before: 100, after: 200 }),
    sums({ ...staging, region: "us" }, { before: 100, after: 100 }),
  ];
  const parts = partsOfRise(rows, 100);
  expect(isMutedBy({ ...staging, region: "eu" }, parts, 0.5)).toBe(true);
  expect(isMutedBy({ ...staging, region: "us" }, parts, 0.5)).toBe(false);
});

it("an alert about requests is muted by a tag that all profiles have", () => {
  const both = partsOfProfiles([sums(staging, { after: 1 }), sums(production, { after: 1 })]);
  expect(isMutedBy(staging, both, 3)).toBe(false);
  expect(isMutedBy(staging, partsOfProfiles([sums(staging, { after: 1 })]), 3)).toBe(true);
});

it("of many instances the tags that they share are kept", () => {
  const rows = Array.from({ length: 200 }, (_, index) =>
    sums({ ...staging, pod: `pod-${index}` }, { before: 100, after: 150 }),
  );
  expect(partsOfRise(rows, 100)).toEqual([{ tags: staging, share: expect.closeTo(1) }]);
});

it("tags of alerts of earlier versions are not known: no tag mutes them", () => {
  const alert = { service: "checkout", type: "cpu", increase: 0.5, circumstances: null };
  expect(isMuted(alert, [{ service: "checkout", type: "cpu", tags: staging }])).toBe(false);
  expect(isMuted(alert, [{ service: "checkout", type: null, tags: {} }])).toBe(true);
  expect(isMuted(alert, [{ service: "search", type: null, tags: {} }])).toBe(false);
});

it.each([
  ["a leak in one of three pods is named", [100, 160, 102], { name: "cart-1", all: 3 }],
  ["a rise in all is of the service", [150, 160, 155], undefined],
  ["a rise in two of three is of the service", [100, 160, 150], undefined],
])("%s", (_, after, expected) => {
  const rows = after.map((value, index) => sums({ pod: `cart-${index}` }, { before: 100, after: value }));
  expect(risenAlone(partsOfRise(rows, 100))).toEqual(expected);
});

it("a pod that has replaced another is not named", () => {
  const rows = [
    sums({ pod: "cart-1" }, { before: 100, after: 100 }),
    sums({ pod: "cart-2" }, { before: 100 }),
    sums({ pod: "cart-3" }, { after: 160 }),
  ];
  expect(risenAlone(partsOfRise(rows, 100))).toBeUndefined();
  expect(risenAlone([{ tags: { env: "production" }, share: 1 }])).toBeUndefined();
});
