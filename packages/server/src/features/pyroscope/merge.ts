import type { Context } from "#context";
import { Failure } from "#failure";
import { taskFile } from "#stacks/pool.ts";
import { isAveraged, readRangeContent, stackTotals } from "#stacks/ranges/merge-range.ts";
import type { MergeRange } from "#stacks/ranges/requested-range.ts";
import type { Resolved, StackColumn } from "#stacks/ranges/stored-stacks.ts";
import { withDefinitions } from "#stacks/ranges/with-definitions.ts";
import { mergeRanges, type Selection } from "./select/selection.ts";
import type * as tasks from "./tasks.ts";
import type { GraphTask } from "./tasks.ts";

export const readerTasks = taskFile<typeof tasks>(new URL("./tasks.ts", import.meta.url));

/** Merges that run at the same time for one request. */
const mergesMax = 4;

/** The stacks of selections: of one, or of the two sides of a comparison. */
interface MergedStacks {
  readonly columns: readonly StackColumn[];
  readonly sides: readonly number[];
  readonly sideCount: 1 | 2;
}

async function mergeSelections(ctx: Context, selections: readonly Selection[]): Promise<MergedStacks> {
  const columns: StackColumn[] = [];
  const sides: number[] = [];
  for (const [side, selection] of selections.entries()) {
    const ranges = mergeRanges(selection);
    for (let at = 0; at < ranges.length; at += mergesMax) {
      const some = ranges.slice(at, at + mergesMax);
      const read = await Promise.all(some.map((range) => columnOf(ctx, range, selection.named.sampleType)));
      for (const column of read) {
        if (column === undefined) continue;
        columns.push(column);
        sides.push(side);
      }
    }
  }
  return { columns, sides, sideCount: selections.length === 2 ? 2 : 1 };
}

/** Undefined if the range has no such profile. */
async function columnOf(
  ctx: Context,
  range: MergeRange,
  sampleType: string,
): Promise<StackColumn | undefined> {
  try {
    const content = await readRangeContent(ctx, range, sampleType);
    if (content.profiles === 0) return undefined;
    const column = await stackTotals(ctx, range, content);
    return { ...column, divisor: isAveraged(content.sampleType) ? content.profiles : 1 };
  } catch (error) {
    // Readers ask for types that a service does not send: other servers have an empty graph for them.
    if (error instanceof Failure && error.code === "unprocessable") return undefined;
    throw error;
  }
}

/** Runs a task over the merged stacks; undefined if there are none. */
export async function overStacks<T>(
  ctx: Context,
  selections: readonly Selection[],
  run: (stacks: Pick<GraphTask, "stored" | "sides" | "sideCount">) => Promise<Resolved<T>>,
): Promise<T | undefined> {
  const { columns, sides, sideCount } = await mergeSelections(ctx, selections);
  if (columns.length === 0) return undefined;
  const { orgId } = selections[0]!;
  const fromMs = Math.min(...selections.map(({ range }) => range.fromMs));
  const toMs = Math.max(...selections.map(({ range }) => range.toMs));
  const span = { orgId, fromMs: fromMs - 60_000, toMs: toMs + 60_000, columns };
  return withDefinitions(ctx.columns, span, (stored) => run({ stored, sides, sideCount }));
}
