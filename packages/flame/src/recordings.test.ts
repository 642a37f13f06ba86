import { defaultLimits, pairStacks, readProfile, sumStacks, withoutShapes } from "@flamekeep/profile";
import {
  combinedRecordings,
  fileFunctionsOfRecordings,
  inflatedRecording,
  recordedProfiles,
  type TypeTruth,
} from "@flamekeep/profile/testing/recordings";
import { describe, expect, it } from "vitest";
import { stacksOf } from "./testing/index.ts";
import { buildCallTree, buildComparison } from "./tree/build-call-tree.ts";
import type { CallTree } from "./tree/call-tree.ts";
import { byInstantiation } from "./tree/function-index.ts";
import { functionTotals, totalsByColumn } from "./tree/function-totals.ts";
import { whatChanged } from "./tree/what-changed.ts";
import { type ComparisonMeta, decodeComparison } from "./wire/comparison-meta.ts";
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

const side = {
  profileId: "p",
  service: "s",
  from: "",
  to: "",
  tags: {},
  profiles: 1,
  durationMs: 1,
  total: 0,
};
const comparisonMeta: ComparisonMeta = {
  type: "cpu",
  hash: "h",
  sampleTypes: [],
  aggregation: "sum",
  before: side,
  after: side,
  normalisations: [{ per: "profile", before: 1, after: 1 }],
  noRequests: null,
};

function changedDifferently(tree: CallTree, truth: TypeTruth): string[] {
  const [before, after] = totalsByColumn(tree);
  const ids = new Map(tree.functions.name.map((name, id) => [name, id]));
  const total = tree.columns[1].total[0] - tree.columns[0].total[0];
  const wrong = String(total) === truth.total ? [] : [`total ${total} instead of ${truth.total}`];
  // Go 1.19 names the shapes that Go 1.26 does not: a call tree merges them.
  const shapes = truth.functions.map(([name]) => name).filter((name) => name.includes("[go.shape."));
  const merged = new Set(shapes.map(withoutShapes));
  for (const [name, self, all] of comparable(truth).filter((each) => !merged.has(withoutShapes(each[0])))) {
    const id = ids.get(withoutShapes(name)) ?? -1;
    const found = `${after.self[id] - before.self[id]}/${after.total[id] - before.total[id]}`;
    if (found !== `${self}/${all}`) wrong.push(`${name}: ${found} instead of ${self}/${all}`);
  }
  return wrong;
}

/** The functions whose self values pprof finds changed, the largest change first. */
function rankedDifferently(tree: CallTree, truth: TypeTruth): string[] {
  const { functions } = whatChanged(tree, "cpu");
  const changes = new Map(functions.map(({ fn, change }) => [tree.functions.name[fn], change]));
  const shapes = truth.functions.map(([name]) => name).filter((name) => name.includes("[go.shape."));
  const merged = new Set(shapes.map(withoutShapes));
  const isRanked = functions.every(
    ({ change }, at) => at === 0 || Math.abs(change) <= Math.abs(functions[at - 1]!.change),
  );
  return comparable(truth)
    .filter(([name, self]) => self !== 0 && !merged.has(withoutShapes(name)))
    .filter(([name, self]) => changes.get(withoutShapes(name)) !== self)
    .map(([name, self]) => `${name}: ranked with ${changes.get(withoutShapes(name))} instead of ${self}`)
    .concat(isRanked ? [] : ["not ranked"]);
}

describe("comparisons of recorded profiles", () => {
  it.each(["subtracted", "compared"] as const)(
    "have the differences that go tool pprof finds when they are %s, before and after the wire",
    (kind) => {
      let functions = 0;
      const wrong: string[] = [];
      for (const { files, types } of combinedRecordings(kind)) {
        const [before, after] = files.map(stacksIn);
        for (const type of types) {
          const indexIn = ({ sampleTypes }: typeof before) =>
            sampleTypes.findIndex((each) => each.type === type.type && each.unit === type.unit);
          if (indexIn(before) === -1 || indexIn(after) === -1) continue;
          const comparison = buildComparison(
            pairStacks(
              { stacks: before, sampleType: indexIn(before) },
              { stacks: after, sampleType: indexIn(after) },
            ),
          );
          const found = changedDifferently(comparison, type);
          found.push(...rankedDifferently(comparison, type));
          wrong.push(...found.map((line) => `${files.join(" ")} ${type.type} ${line}`));
          const bytes = encodeFlameGraph(comparison, comparisonMeta);
          expect(decodeComparison(bytes).tree).toEqual(comparison);
          functions += comparable(type).length;
        }
      }
      expect(wrong).toEqual([]);
      expect(functions).toBeGreaterThan(kind === "compared" ? 500 : 1000);
    },
  );
});

/** As Go's `path.Clean` does. */
function cleanPath(file: string): string {
  return file.replaceAll("//", "/");
}

/** `NAME FILE self/total` of each function with a value. Neither the root nor its frame of truncated stacks is one. */
function fileFunctionsIn(tree: CallTree): string[] {
  const { self, total } = functionTotals(tree);
  const { name, file } = tree.functions;
  return name
    .map((each, fn) => `${each}${file[fn] === "" ? "" : ` ${cleanPath(file[fn]!)}`} ${self[fn]}/${total[fn]}`)
    .filter((_, fn) => fn > 0 && name[fn] !== "[truncated]" && (self[fn] !== 0 || total[fn] !== 0))
    .sort();
}

describe("the functions of a graph", () => {
  it.each(fileFunctionsOfRecordings())("are those of go tool pprof -filefunctions: $file", (truth) => {
    const { file, sampleIndex, functions } = truth;
    const tree = buildCallTree(byInstantiation(stacksIn(file)), sampleIndex);
    const expected = functions.filter(([, self, total]) => self !== 0 || total !== 0);
    expect(fileFunctionsIn(tree)).toEqual(
      expected.map(([name, self, total]) => `${name} ${self}/${total}`).sort(),
    );
    expect(expected.length).toBeGreaterThan(3);
  });

  it("are two where two files have one name, as in go tool pprof -filefunctions -top", () => {
    const stacks = stacksOf(
      "main@main.js:1;handler@a.js:10 900\nmain@main.js:1;handler@b.js:10 100\nmain@main.js:1;handler@b.js:12;handler@a.js:11 5",
    );
    // The rows for the profile of these stacks:
    //     flat  flat%   sum%        cum   cum%
    //      905 90.05% 90.05%        905 90.05%  handler a.js
    //      100  9.95%   100%        105 10.45%  handler b.js
    //        0     0%   100%       1005   100%  main main.js
    expect(fileFunctionsIn(buildCallTree(stacks, 0))).toEqual([
      "handler a.js 905/905",
      "handler b.js 100/105",
      "main main.js 0/1005",
    ]);
  });
});
