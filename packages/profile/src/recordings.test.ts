import { describe, expect, it } from "vitest";
import { functionTotals } from "./describe/function-totals.ts";
import { readerOf } from "./formats/sniff.ts";
import { defaultLimits, type ReadLimits } from "./model/limits.ts";
import type { StackTable } from "./model/stack-table.ts";
import { readProfile } from "./read/read-profile.ts";
import { readStacks } from "./read-stacks.ts";
import { diffStacks, mergeStacks } from "./stacks/combine-stacks.ts";
import { sumStacks } from "./stacks/sum-stacks.ts";
import { totalOf } from "./stacks/total-of.ts";
import {
  combinedRecordings,
  inflatedRecording,
  recordedFile,
  recordedProfiles,
  refusedRecordings,
  type TypeTruth,
} from "./testing/recordings.ts";
import { treeNodes } from "./testing/tree-nodes.ts";
import { writeProfile } from "./write/write-profile.ts";

const unbounded: ReadLimits = { ...defaultLimits, depth: 1_000_000, labelsPerSample: 1e6 };

function profileIn(file: string) {
  const result = readProfile(inflatedRecording(file)!, unbounded);
  if (!result.ok) throw new Error(`${file}: ${result.error.message}`);
  return result.profile;
}

const stacksIn = (file: string): StackTable => sumStacks(profileIn(file));

describe("the recorded profiles", () => {
  it("are read, and the damaged ones refused with field and sentence", () => {
    const refused = refusedRecordings();
    expect(refused.length).toBeGreaterThan(20);
    for (const file of refused) {
      const raw = inflatedRecording(file);
      // Go's parser refuses texts without a binary; their comments name the functions.
      if (raw !== null && readerOf(raw) !== undefined) continue;
      const result = raw === null ? null : readProfile(raw);
      expect([file, result?.ok ?? false]).toEqual([file, false]);
      if (result?.ok === false) expect([result.error.field, result.error.message]).not.toContain("");
    }
    const profiles = recordedProfiles();
    expect(profiles.length).toBeGreaterThan(70);
    for (const { file } of profiles)
      expect([file, readProfile(inflatedRecording(file)!).ok]).toEqual([file, true]);
  });

  it.each(["recipes/damaged-html.pb.gz", "recipes/damaged-message.pb.gz"])("%s is not pprof", (file) => {
    expect(readProfile(recordedFile(file))).toMatchObject({ ok: false, error: { code: "not_pprof" } });
  });

  it.each([
    ["go1.26/goroutine-debug1.txt", "goroutine"],
    ["go1.26/goroutine-debug2.txt", "goroutine"],
    ["go1.19/mutex-debug1.txt", "contentions"],
    ["go1.19/threadcreate-debug1.txt", "threadcreate"],
  ])("%s is read", (file, type) => {
    const { sampleTypes, samples } = profileIn(file);
    expect([sampleTypes[0]!.type, samples.length > 0]).toEqual([type, true]);
  });

  it("have the totals, depths, call trees and functions that go tool pprof finds", () => {
    let functions = 0;
    const wrong: string[] = [];
    for (const { file, truth } of recordedProfiles()) {
      const stacks = stacksIn(file);
      const types = stacks.sampleTypes.map(({ type, unit }) => `${type}/${unit}`);
      expect([file, ...types]).toEqual([file, ...truth.types.map(({ type, unit }) => `${type}/${unit}`)]);
      wrong.push(...unequal(`${file} depth`, depthOf(stacks), truth.depth));
      for (const [t, type] of truth.types.entries()) {
        const column = stacks.values[t];
        const name = `${file} ${type.type}`;
        wrong.push(...unequal(`${name} total`, totalOf(column), type.total));
        // Go leaves out nodes in which negative and positive values cancel.
        if (!column.some((value) => value < 0))
          wrong.push(...unequal(`${name} tree nodes`, treeNodes(stacks, column), type.treeNodes));
        wrong.push(...functionDifferences(stacks, t, type).map((line) => `${name} ${line}`));
        functions += type.functions.length;
      }
    }
    expect(wrong).toEqual([]);
    expect(functions).toBeGreaterThan(10_000);
  });

  it("have the functions that go tool pprof finds when merged or subtracted", () => {
    let functions = 0;
    const wrong: string[] = [];
    for (const kind of ["merged", "subtracted"] as const)
      for (const { files, types } of combinedRecordings(kind)) {
        const tables = files.map(stacksIn);
        const stacks = kind === "merged" ? mergeStacks(tables) : diffStacks(tables[0], tables[1]);
        for (const [t, type] of types.entries()) {
          const name = `${kind} ${files.join(" ")} ${type.type}`;
          wrong.push(...unequal(`${name} total`, totalOf(stacks.values[t]), type.total));
          wrong.push(...functionDifferences(stacks, t, type).map((line) => `${name} ${line}`));
          functions += type.functions.length;
        }
      }
    expect(wrong).toEqual([]);
    expect(functions).toBeGreaterThan(3000);
  });

  it("read the same again after writing", () => {
    const profiles = recordedProfiles();
    expect(profiles.length).toBeGreaterThan(70);
    for (const { file } of profiles) {
      const first = profileIn(file);
      const second = readProfile(writeProfile(first), unbounded);
      expect(second, file).toEqual({ ok: true, profile: first });
    }
  });

  it("are empty minus themselves, and twice themselves are twice their totals", () => {
    const profiles = recordedProfiles();
    expect(profiles.length).toBeGreaterThan(70);
    for (const { file } of profiles) {
      const stacks = stacksIn(file);
      expect(diffStacks(stacks, stacks).length, file).toBe(0);
      const totals = mergeStacks([stacks, stacks]).values.map((column) => BigInt(totalOf(column)));
      const doubled = stacks.values.map((column) => BigInt.asIntN(64, BigInt(totalOf(column)) * 2n));
      expect(totals, file).toEqual(doubled);
    }
  });

  it("have the same stacks when read in one pass", () => {
    const profiles = recordedProfiles();
    expect(profiles.length).toBeGreaterThan(70);
    for (const { file } of profiles) {
      const result = readStacks(inflatedRecording(file)!, unbounded);
      expect(result.ok && result.profile.stacks, file).toEqual(stacksIn(file));
    }
  });
});

function unequal(name: string, ours: unknown, theirs: unknown): string[] {
  return String(ours) === String(theirs) ? [] : [`${name}: ${ours}, go tool pprof finds ${theirs}`];
}

function depthOf({ length, start }: StackTable): number {
  let depth = 0;
  for (let i = 0; i < length; i++) depth = Math.max(depth, start[i + 1] - start[i]);
  return depth;
}

/** Go's reports name frames without a function by their mapping, or by nothing: those are left out. */
function functionDifferences(stacks: StackTable, index: number, truth: TypeTruth): string[] {
  const totals = functionTotals(stacks, Float64Array.from(stacks.values[index], Number));
  const at = new Map(totals.names.map((name, i) => [name, i]));
  return truth.functions.flatMap(([name, self, total]) => {
    if (name === "<unknown>" || name.startsWith("[")) return [];
    const i = at.get(name);
    const ours = i === undefined ? "0/0" : `${totals.self[i]}/${totals.cum[i]}`;
    return unequal(name, ours, `${self}/${total}`);
  });
}
