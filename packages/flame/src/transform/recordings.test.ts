import {
  defaultLimits,
  pairStacks,
  readProfile,
  type StackTable,
  sumStacks,
  withoutShapes,
} from "@flamekeep/profile";
import {
  type FunctionTruth,
  inflatedRecording,
  type PartTruth,
  type PeekTruth,
  partsOfRecordings,
  peeksOfRecordings,
} from "@flamekeep/profile/testing/recordings";
import { describe, expect, it } from "vitest";
import { buildCallTree, buildComparison } from "../tree/build-call-tree.ts";
import type { CallTree } from "../tree/call-tree.ts";
import { functionTotals, totalsByColumn } from "../tree/function-totals.ts";
import { type BothSides, sandwichTree, transformTree } from "./apply.ts";
import type { Transform } from "./transform.ts";

function stacksIn(file: string): StackTable {
  const result = readProfile(inflatedRecording(file)!, defaultLimits);
  if (!result.ok) throw new Error(`${file}: ${result.error.message}`);
  return sumStacks(result.profile);
}

/** A call tree merges the shapes of generic functions, which Go lists one by one. */
const isShape = (name: string) => name.includes("[go.shape.") || name.includes("[...]");

/** Self and total of the functions after a transform, by name. */
function valuesOf({ files, sampleIndex }: PartTruth, transform: Transform): Map<string, string> {
  const [first, second] = files.map(stacksIn);
  const values = new Map<string, string>();
  if (second === undefined) {
    const tree = transformTree(buildCallTree(first!, sampleIndex), [transform]);
    const { self, total } = functionTotals(tree);
    for (const [id, name] of tree.functions.name.entries()) values.set(name, `${self[id]}/${total[id]}`);
    return values;
  }
  const comparison = buildComparison(
    pairStacks({ stacks: first!, sampleType: sampleIndex }, { stacks: second, sampleType: sampleIndex }),
  );
  const tree = transformTree(comparison, [transform]);
  const [before, after] = totalsByColumn(tree);
  for (const [id, name] of tree.functions.name.entries()) {
    const self = after!.self[id]! - before!.self[id]!;
    values.set(name, `${self}/${after!.total[id]! - before!.total[id]!}`);
  }
  return values;
}

function comparable(functions: readonly FunctionTruth[]): FunctionTruth[] {
  const merged = new Set(functions.filter(([name]) => isShape(name)).map(([name]) => withoutShapes(name)));
  return functions.filter(
    ([name, self, total]) =>
      (self !== 0 || total !== 0) &&
      !merged.has(withoutShapes(name)) &&
      name !== "<unknown>" &&
      !name.startsWith("["),
  );
}

describe("a transform of a recorded profile", () => {
  it.each(["focus", "ignore", "hide", "show"] as const)("has the values of go tool pprof -%s", (option) => {
    let functions = 0;
    let comparisons = 0;
    const wrong: string[] = [];
    for (const part of partsOfRecordings().filter((each) => each.option === option)) {
      const values = valuesOf(part, { name: option, target: { by: "search", text: `/${part.pattern}/` } });
      for (const [name, self, total] of comparable(part.functions)) {
        const found = values.get(name);
        if (found !== `${self}/${total}`)
          wrong.push(`${part.files} ${part.pattern} ${name}: ${found} instead of ${self}/${total}`);
        functions++;
      }
      if (part.files.length === 2) comparisons++;
    }
    expect(wrong).toEqual([]);
    expect(functions).toBeGreaterThan(300);
    expect(comparisons).toBeGreaterThan(0);
  });
});

/** The calls between a function and the next ones on one side of its sandwich. */
function callsIn(tree: CallTree): Map<string, number> {
  const calls = new Map<string, number>();
  for (let node = tree.firstChild[1]!; node < tree.firstChild[2]!; node++)
    calls.set(tree.functions.name[tree.fn[node]!]!, tree.total[node]!);
  return calls;
}

/** Whether a function calls itself, also through others: a sandwich shows the calls at its outermost place, pprof all of them. */
function isRecursive(callees: CallTree, name: string): boolean {
  const id = callees.functions.name.indexOf(name);
  return callees.fn.filter((fn) => fn === id).length > 1;
}

function wrongCalls(sides: BothSides, { name, total, callers, callees }: PeekTruth): string[] {
  const wrong: string[] = [];
  for (const side of [sides.callers, sides.callees])
    if (side.total[1] !== total) wrong.push(`${name}: ${side.total[1]} instead of ${total}`);
  if (isRecursive(sides.callees, name)) return wrong;
  const named = (calls: Iterable<readonly [string, number]>) =>
    [...calls].map(([other, value]) => `${other} ${value}`).sort();
  for (const [found, expected] of [
    [named(callsIn(sides.callers)), named(callers)],
    [named(callsIn(sides.callees)), named(callees)],
  ])
    if (found!.join() !== expected!.join()) wrong.push(`${name}: ${found} instead of ${expected}`);
  return wrong;
}

describe("a sandwich of a function in a recorded profile", () => {
  it("has the callers and callees of go tool pprof -peek, and counts recursion once", () => {
    let functions = 0;
    let recursive = 0;
    const wrong: string[] = [];
    for (const { file, sampleIndex, functions: peeks } of peeksOfRecordings()) {
      const tree = buildCallTree(stacksIn(file), sampleIndex);
      const comparablePeeks = peeks.filter(
        (peek) => ![peek.name, ...[...peek.callers, ...peek.callees].map(([name]) => name)].some(isShape),
      );
      for (const peek of comparablePeeks) {
        const sides = sandwichTree(tree, { by: "function", text: peek.name });
        wrong.push(...wrongCalls(sides, peek).map((line) => `${file} ${line}`));
        functions++;
        if (isRecursive(sides.callees, peek.name)) recursive++;
      }
    }
    expect(wrong).toEqual([]);
    expect(functions).toBeGreaterThan(150);
    expect(recursive).toBeGreaterThan(5);
  });
});
