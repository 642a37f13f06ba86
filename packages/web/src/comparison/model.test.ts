import type { ComparisonMeta, SideMeta } from "@flamekeep/flame/compare";
import { describe, expect, it } from "vitest";
import {
  analysisSubjectOf,
  deployBetween,
  differentTags,
  emptySides,
  isComparable,
  swapped,
  windowsOf,
} from "./model.ts";
import { timesOf } from "./shared-comparison.ts";

const at = (hour: number, minute = 0) => Date.UTC(2026, 10, 20, hour, minute);
const side = (fromMs: number, toMs: number) =>
  ({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }) as SideMeta;
const metaOf = (before: SideMeta, after: SideMeta) => ({ before, after }) as ComparisonMeta;

describe("the timelines of two ranges", () => {
  it("are one axis where both ranges are close, with time around them, not after now", () => {
    const meta = metaOf(side(at(8), at(9)), side(at(9), at(10)));
    const both = { fromMs: at(7, 30), toMs: at(10, 5) };
    expect(windowsOf(meta, at(10, 5))).toEqual({ before: both, after: both });
    expect(windowsOf(meta, at(20)).after.toMs).toBe(at(10, 30));
  });

  it("are two where the ranges are far apart", () => {
    const windows = windowsOf(metaOf(side(at(0), at(1)), side(at(20), at(21))), at(23));
    expect(windows).toEqual({
      before: { fromMs: at(-2), toMs: at(3) },
      after: { fromMs: at(18), toMs: at(23) },
    });
  });
});

it("the address of a comparison to share has the times of both ranges, however it was opened", () => {
  const meta = metaOf(side(at(8), at(9)), side(at(9), at(10)));
  const [before_from, before_to, after_to] = [at(8), at(9), at(10)].map((ms) => new Date(ms).toISOString());
  expect(timesOf({ service: "checkout", type: "cpu" }, meta)).toEqual({
    before_from,
    before_to,
    after_from: before_to,
    after_to,
  });
  const profile = "0".repeat(32);
  expect(timesOf({ before_profile: profile, after_profile: profile }, meta)).toEqual({});
});

describe("an empty side of a comparison", () => {
  const filled = { profiles: 3, total: 100, labels: undefined } as unknown as SideMeta;
  const withAfter = (change: Partial<SideMeta>) => metaOf(filled, { ...filled, ...change });

  it.each<[string, Partial<SideMeta>, boolean]>([
    ["no profiles", { profiles: 0, total: 0 }, true],
    ["no samples with its labels", { labels: { handler: "/cart" }, total: 0 }, true],
    ["samples with its labels", { labels: { handler: "/cart" } }, false],
    ["profiles in which nothing happened", { total: 0 }, false],
  ])("may be one with %s", (_, change, isEmpty) => {
    const meta = withAfter(change);
    expect(emptySides(meta)).toEqual(isEmpty ? ["after"] : []);
    expect(isComparable({ length: 20 }, meta)).toBe(!isEmpty);
  });

  it("is not all that prevents a comparison: graphs without frames do too", () =>
    expect(isComparable({ length: 1 }, metaOf(filled, filled))).toBe(false));
});

describe("the analysis of a comparison", () => {
  const [earlier, later] = [side(at(8), at(9)), side(at(9), at(10))].map((each) => ({
    ...each,
    service: "checkout",
    tags: { region: "eu" },
    profileId: null,
    profiles: 3,
  }));
  const subject = (change: Partial<SideMeta> = {}) =>
    analysisSubjectOf({ type: "cpu" }, metaOf(earlier as SideMeta, { ...later, ...change } as SideMeta));

  it("is about the later range, with the earlier one as its baseline", () =>
    expect(subject()).toEqual({
      kind: "range",
      service: "checkout",
      type: "cpu",
      tags: { region: "eu" },
      range: { from: "2026-11-20T09:00:00.000Z", to: "2026-11-20T10:00:00.000Z" },
      baseline: { from: "2026-11-20T08:00:00.000Z", to: "2026-11-20T09:00:00.000Z" },
    }));

  it.each<[string, Partial<SideMeta>]>([
    ["a single profile", { profileId: "3f9a1c07be52d8e4460b7c91691e9f40" }],
    ["an empty range", { profiles: 0 }],
    ["another service", { service: "catalog" }],
    ["other tags", { tags: { region: "us" } }],
    ["more tags", { tags: { region: "eu", version: "2" } }],
  ])("does not exist for %s", (_, change) => expect(subject(change)).toBeUndefined());
});

describe("the sides of a link", () => {
  it("are exchanged without the zoom, and back", () => {
    const search = {
      service: "checkout",
      type: "cpu",
      before_from: "2026-11-20T08:00:00Z",
      before_to: "2026-11-20T09:00:00Z",
      after_profile: "3f9a1c07be52d8e4460b7c91691e9f40",
      after_tags: { version: "2" },
      zoom: "0.1",
    } as const;
    const there = swapped(search);
    expect(there).toMatchObject({
      service: "checkout",
      before_profile: search.after_profile,
      before_tags: { version: "2" },
      after_from: search.before_from,
      zoom: undefined,
      callers: undefined,
    });
    expect(swapped(there)).toMatchObject({ ...search, zoom: undefined });
  });
});

describe("the release between both sides", () => {
  const deployAt = (hour: number, value: string) => ({
    timestamp: new Date(at(hour)).toISOString(),
    tag: "version",
    value,
    previous: "0",
  });
  const deploys = [deployAt(7, "1"), deployAt(9, "2"), deployAt(10, "3")];

  it("is the one nearest to the begin of the later side", () => {
    const [before, after] = [side(at(8), at(9)), side(at(9), at(10))];
    expect(deployBetween(metaOf(before, after), deploys)?.value).toBe("2");
    expect(deployBetween(metaOf(after, before), deploys)?.value).toBe("2");
    expect(deployBetween(metaOf(side(at(11), at(12)), side(at(12), at(13))), deploys)).toBeUndefined();
  });

  it("is the difference of the tags where both sides have a tag", () => {
    const tagged = (tags: SideMeta["tags"]) => ({ ...side(at(8), at(9)), tags });
    const [before, after] = [
      tagged({ version: "1.8", region: "eu" }),
      tagged({ version: "1.9", region: "eu" }),
    ];
    expect(differentTags(metaOf(before, after))).toBe("version: 1.8 → 1.9");
    expect(differentTags(metaOf(tagged({}), after))).toBe("");
  });
});
