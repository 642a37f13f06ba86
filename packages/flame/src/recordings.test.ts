import { defaultLimits, readProfile, sumStacks, withoutShapes } from "@flamekeep/profile";
import { inflatedRecording, recordedProfiles, type TypeTruth } from "@flamekeep/profile/testing/recordings";
import { describe, expect, it } from "vitest";
import { buildCallTree } from "./tree/build-call-tree.ts";
import type { CallTree } from "./tree/call-tree.ts";
import { functionTotals } from "./view/function-totals.ts";
import { decodeFlameGraph } from "./wire/decode.ts";
import { encodeFlameGraph } from "./wire/encode.ts";

const meta = { profileId: "p", totalSamples: 0, durationMs: 0, profileHash: "h" };

/** Sums beyond 2^53, which are not exact as numbers. */
const notComparable = /above-2p53|sum-overflows/;

function stacksIn(file: string) {
  const result = readProfile(inflatedRecording(file)!, defaultLimits);
  if (!result.ok) throw new Error(`${file}: ${result.error.message}`);
  return sumStacks(result.profile);
}

/**
 * Go names frames without a function by their mapping, and lists each shape of a generic function; a call tree names the
 * former by mapping and address and merges the latter. Both are left out.
 */
function comparable({ functions }: TypeTruth): TypeTruth["functions"] {
  return functions.filter(
    ([name, self, total]) =>
      (self !== 0 || total !== 0) &&
      name !== "<unknown>" &&
      !name.startsWith("[") &&
      !name.includes("[go.shape."),
  );
}

function differences(tree: CallTree, truth: TypeTruth): string[] {
  const totals = functionTotals(tree);
  const ids = new Map(tree.functions.name.map((name, id) => [name, id]));
  const wrong =
    String(tree.total[0]) === truth.total ? [] : [`total ${tree.total[0]} instead of ${truth.total}`];
  for (const [name, self, total] of comparable(truth)) {
    const id = ids.get(withoutShapes(name));
    const found = id === undefined ? "nothing" : `${totals.self[id]}/${totals.total[id]}`;
    if (found !== `${self}/${total}`) wrong.push(`${name}: ${found} instead of ${self}/${total}`);
  }
  return wrong;
}

describe("call trees of the recorded profiles", () => {
  it("have the totals that go tool pprof finds, before and after the wire", () => {
    let types = 0;
    let functions = 0;
    const wrong: string[] = [];
    for (const { file, truth } of recordedProfiles()) {
      if (notComparable.test(file)) continue;
      const stacks = stacksIn(file);
      for (const [index, type] of truth.types.entries()) {
        const tree = buildCallTree(stacks, index);
        wrong.push(...differences(tree, type).map((line) => `${file} ${type.type} ${line}`));
        expect(decodeFlameGraph(encodeFlameGraph(tree, meta)).tree).toEqual(tree);
        types++;
        functions += comparable(type).length;
      }
    }
    expect(wrong).toEqual([]);
    expect(types).toBeGreaterThan(120);
    expect(functions).toBeGreaterThan(10_000);
  });
});
