/** Joins the rows of the growth queries that are one function. Pure. */
import { functionKey, matchFunctions, side } from "@flamekeep/profile";
import type { z } from "zod";
import type { functionGrowth, functionsOfBoth } from "./describe-queries.ts";

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
