import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { defaultLimits, readProfile, type StackTable, sumStacks, withoutShapes } from "@flamekeep/profile";
import { corpus } from "@flamekeep/profile/testing/corpus";
import { describe, expect, it } from "vitest";
import { buildCallTree } from "./tree/build-call-tree.ts";
import type { CallTree } from "./tree/call-tree.ts";
import { functionTotals } from "./tree/function-totals.ts";
import { decodeFlameGraph } from "./wire/decode.ts";
import { encodeFlameGraph } from "./wire/encode.ts";

interface Truth {
  readonly file: string;
  readonly types: readonly TypeTruth[];
}

interface TypeTruth {
  readonly total: number;
  readonly top_flat: readonly TopFunction[] | null;
  readonly top_cum: readonly TopFunction[] | null;
}

interface TopFunction {
  readonly name: string;
  readonly flat: number;
  readonly cum: number;
}

const meta = { profileId: "p", totalSamples: 0, durationMs: 0, profileHash: "h" };

/** Names that pprof writes in its own way or that our limits shorten, sums beyond 2^53 or wrapped around in 64 bits. */
const notComparable = /hostile-names|name-1MB|overflow|above-2p53|invalid_utf8/u;

function stacksIn(file: string): StackTable | null {
  const path = new URL(`open/${encodeURIComponent(file)}`, corpus);
  if (!existsSync(path)) return null;
  const bytes = readFileSync(path);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return null;
  const result = readProfile(new Uint8Array(gunzipSync(bytes)), defaultLimits);
  return result.ok ? sumStacks(result.profile) : null;
}

/** Lines that say where a tree differs from the truth; none where it agrees. */
function differences(
  tree: CallTree,
  truth: TypeTruth,
): { readonly compared: number; readonly wrong: string[] } {
  const totals = functionTotals(tree);
  const ids = Map.groupBy(tree.functions.name.keys(), (id) => tree.functions.name[id]!);
  const wrong = tree.total[0] === truth.total ? [] : [`total ${tree.total[0]} for ${truth.total}`];
  // Functions without a name are called by their address there and by mapping and address here. The copies of a generic one
  // are apart there where their names tell the shapes.
  const functions = [...(truth.top_flat ?? []), ...(truth.top_cum ?? [])].filter(
    ({ name, flat, cum }) =>
      (flat !== 0 || cum !== 0) && !name.startsWith("0x") && !name.includes("[go.shape."),
  );
  for (const { name, flat, cum } of functions) {
    // The truth is of names. Functions of one name in several files can be below each other: only their self values add up.
    const all = ids.get(withoutShapes(name)) ?? [];
    const self = all.reduce((sum, id) => sum + totals.self[id]!, 0);
    const total = all.length === 1 ? totals.total[all[0]!] : cum;
    if (self !== flat || total !== cum) wrong.push(`${name}: ${self}/${total} for ${flat}/${cum}`);
  }
  return { compared: functions.length, wrong };
}

describe.skipIf(!existsSync(corpus))("call trees of profiles collected outside the repository", () => {
  it("have the totals that go tool pprof finds", () => {
    let types = 0;
    let functions = 0;
    const wrong: string[] = [];
    for (const name of readdirSync(new URL("truth/json/", corpus))) {
      const truth: Truth = JSON.parse(
        readFileSync(new URL(`truth/json/${encodeURIComponent(name)}`, corpus), "utf8"),
      );
      const stacks = notComparable.test(truth.file) ? null : stacksIn(truth.file);
      if (stacks === null || stacks.length > 20_000) continue;
      for (const [sampleType, type] of truth.types.entries()) {
        const tree = buildCallTree(stacks, sampleType);
        const result = differences(tree, type);
        wrong.push(...result.wrong.map((line) => `${name} ${line}`));
        expect(decodeFlameGraph(encodeFlameGraph(tree, meta)).tree).toEqual(tree);
        types++;
        functions += result.compared;
      }
    }
    console.info(`compared ${types} sample types and ${functions} functions with go tool pprof`);
    expect(wrong).toEqual([]);
    expect(types).toBeGreaterThan(50);
    expect(functions).toBeGreaterThan(1000);
  });
});
