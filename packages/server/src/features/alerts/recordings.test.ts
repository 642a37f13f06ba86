import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { defaultLimits, readProfile, type StackTable, sumStacks } from "@flamekeep/profile";
import { describe, expect, it } from "vitest";
import { compare } from "./detect/opening/first-days.ts";
import { watchedSeries } from "./detect/watched/measure.ts";
import { isParked } from "./evaluate/parked-functions.ts";
import { severityOf } from "./store/present.ts";

const recorded = new URL("../../../../../examples/shop/recorded/", import.meta.url);

function read(path: string): StackTable {
  const result = readProfile(gunzipSync(readFileSync(new URL(path, recorded))), defaultLimits);
  if (!result.ok) throw new Error(`${path}: ${result.error.message}`);
  return sumStacks(result.profile);
}

function total(stacks: StackTable, sampleType: string, keep: (leaf: string) => boolean = () => true): number {
  const column = stacks.values[stacks.sampleTypes.findIndex(({ type }) => type === sampleType)];
  if (column === undefined) throw new Error(`no ${sampleType}`);
  let sum = 0;
  for (let stack = 0; stack < stacks.length; stack++) {
    const leaf = stacks.frames.functionName[stacks.frame[stacks.start[stack]!]!]!;
    if (keep(leaf)) sum += Number(column[stack]);
  }
  return sum;
}

/** A total for each of the eight windows of ten seconds. */
function totals(folder: string, kind: string, sampleType: string): number[] {
  const names = readdirSync(new URL(`${folder}/`, recorded)).filter((name) => name.startsWith(`${kind}-`));
  expect(names).toHaveLength(8);
  return names.sort().map((name) => total(read(`${folder}/${name}`), sampleType));
}

function riseMinOf(type: string): number {
  return watchedSeries.find((series) => series.type === type)!.riseMin;
}

describe("the example shop, recorded before and after a release", () => {
  it.each([
    ["checkout", "cpu", "cpu", "cpu", "critical"],
    ["catalog", "memory", "memory", "inuse_space", "warning"],
    ["search", "goroutine", "goroutine", "goroutine", "critical"],
  ] as const)("alerts about %s: %s", (service, measure, kind, sampleType, severity) => {
    const [before, after] = ["before", "after"].map((variant) =>
      totals(`${service}/${variant}`, kind, sampleType),
    );
    const change = compare(after!, before!, { riseMin: riseMinOf(measure) });
    expect([change.isSupported, severityOf(change.increase)]).toEqual([true, severity]);
  });

  it.each([
    ["search", "cpu", "cpu", "cpu"],
    ["checkout", "memory", "memory", "inuse_space"],
    ["checkout", "goroutine", "goroutine", "goroutine"],
  ] as const)("stays silent about %s: %s, which did not change", (service, measure, kind, sampleType) => {
    const [before, after] = ["before", "after"].map((variant) =>
      totals(`${service}/${variant}`, kind, sampleType),
    );
    expect(compare(after!, before!, { riseMin: riseMinOf(measure) }).isSupported).toBe(false);
  });

  it("finds that parked goroutines are most of what a block profile counts", () => {
    for (const variant of ["before", "after"]) {
      const block = read(`search/${variant}/block-01.pb.gz`);
      expect(total(block, "delay", (leaf) => !isParked(leaf))).toBeLessThan(total(block, "delay") / 2);
    }
  });
});
