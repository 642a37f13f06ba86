import type { z } from "zod";
import { datesOf, type Span } from "#alerts/detect/series/series.ts";
import { culpritOf, type GrownFunction } from "#alerts/row/stored-alert.ts";
import type { Context } from "#context";
import { type functionGrowth, functionsOfStack } from "./describe-queries.ts";

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
