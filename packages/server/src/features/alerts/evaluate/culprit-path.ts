import { functionKey, matchFunctions, side } from "@flamekeep/profile";
import type { z } from "zod";
import { datesOf, type Span } from "#alerts/detect/series/series.ts";
import { culpritOf, type GrownFunction } from "#alerts/row/stored-alert.ts";
import type { Context } from "#context";
import { type functionGrowth, type functionsOfBoth, functionsOfStack } from "./describe-queries.ts";

/** A function that grew, with the path to it if it is the culprit. */
type WithPath = Omit<GrownFunction, "path"> & Partial<Pick<GrownFunction, "path">>;

/** Adds the path to the culprit, on the stack in which most of its increase is. */
export async function withPath(
  ctx: Context,
  orgId: string,
  functions: readonly Omit<GrownFunction, "path">[],
  growth: readonly z.output<(typeof functionGrowth)["row"]>[],
  span: Span,
): Promise<WithPath[]> {
  const culprit = culpritOf(functions);
  const row = growth.find(({ name }) => name === culprit?.name);
  if (culprit === undefined || row === undefined) return [...functions];
  const { stackId } = row;
  const stack = await ctx.columns.query(functionsOfStack, { orgId, ...datesOf(span), stackId });
  // A function that needs its file is named `handler (src/a.js)` here, and `handler` in the stack.
  const isCulprit = ({ name, file }: (typeof stack)[number]) =>
    name === culprit.name || (file === row.file && culprit.name.startsWith(`${name} (`));
  const at = stack.findIndex(isCulprit);
  const path = pathTo(
    culprit.name,
    stack.map(({ name }, index) => (index === at ? culprit.name : name)),
  );
  return functions.map((grown) => (grown === culprit ? { ...grown, path } : grown));
}

/** Root, entry points and the nearest callers of a deep function: what lies between is cut out. */
const pathRootFrames = 2;
const pathNearFrames = 6;

/** From the root to the function, without frames of the runtime; `fromLeaf` is a stack. Empty if the function is not on it. */
export function pathTo(name: string, fromLeaf: readonly string[]): string[] {
  const at = fromLeaf.indexOf(name);
  if (at < 0) return [];
  const path = fromLeaf
    .slice(at)
    .filter((each) => !each.startsWith("runtime."))
    .toReversed();
  if (path.length <= pathRootFrames + pathNearFrames) return path;
  return [...path.slice(0, pathRootFrames), ...path.slice(-pathNearFrames)];
}

/** Joins the rows of the growth queries that are one function. Pure. */
type FunctionRow = z.output<(typeof functionsOfBoth)["row"]>;
type GrowthRow = z.output<(typeof functionGrowth)["row"]>;

const keyOf = ({ name, file, startLine }: FunctionRow) => functionKey(name, file, startLine);

/** Names that are functions only together with their file, as `handler` in Node and `__init__` in Python. */
export function namesInFiles(functions: readonly FunctionRow[]): ReadonlySet<string> {
  return new Set(functions.filter((each) => keyOf(each) !== each.name).map(({ name }) => name));
}

/** As `identity` in `describe-queries.ts`. */
export function identityOf({ name, file, startLine }: FunctionRow, inFiles: ReadonlySet<string>): string {
  return inFiles.has(name) ? [name, file, startLine].join("\n") : name;
}

/**
 * One row for each function; builds in different folders are one. The name becomes the function's key, by which links
 * find the function: `handler (src/a.js)`.
 */
export function mergedGrowth(rows: readonly GrowthRow[]): GrowthRow[] {
  const byKey = [...Map.groupBy(rows, keyOf)].map(([key, same]) => ({ key, row: same.reduce(sumOf) }));
  const sides = Uint8Array.from(
    byKey,
    ({ row }) => (row.totalBefore === 0 ? 0 : side.before) | (row.totalAfter === 0 ? 0 : side.after),
  );
  const functions = byKey.map(({ row }) => row);
  const matched = matchFunctions(
    {
      name: functions.map(({ name }) => name),
      file: functions.map(({ file }) => file),
      startLine: functions.map(({ startLine }) => startLine),
    },
    sides,
  );
  return [...Map.groupBy(byKey.keys(), (id) => matched[id]!)].map(([id, ids]) => ({
    ...ids.map((each) => functions[each]!).reduce(sumOf),
    name: byKey[id]!.key,
  }));
}

/** Takes the place and the stack from the part that grew most. */
function sumOf(a: GrowthRow, b: GrowthRow): GrowthRow {
  const place = b.ownAfter - b.ownBefore > a.ownAfter - a.ownBefore ? b : a;
  return {
    ...place,
    selfBefore: a.selfBefore + b.selfBefore,
    selfAfter: a.selfAfter + b.selfAfter,
    ownBefore: a.ownBefore + b.ownBefore,
    ownAfter: a.ownAfter + b.ownAfter,
    totalBefore: a.totalBefore + b.totalBefore,
    totalAfter: a.totalAfter + b.totalAfter,
  };
}
