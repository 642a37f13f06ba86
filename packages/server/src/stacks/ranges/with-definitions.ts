import { dayMs } from "@flamekeep/contract/durations";
import type { DefinitionBytes } from "#store/column/awaited-rows.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import { utcDayOf } from "#store/column/utc.ts";
import { readDefinitions } from "#store/stacks/definitions.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import type { Resolved, StackColumn, StoredStacks } from "./stored-stacks.ts";

export interface StackRange {
  readonly orgId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly columns: readonly StackColumn[];
}

/** Three are enough unless definitions are dropped in between. */
const triesMax = 6;

/**
 * Runs a task of the decoding thread over stored stacks. The thread caches definitions of stacks, so most calls take one
 * try. Missing definitions are read from the last two days of the range, which have nearly all of them, then from all
 * of its days. Between two tries another task, or a new thread, may have dropped definitions: they are read again.
 */
export async function withDefinitions<T>(
  store: Pick<ColumnStore, "awaitedRows" | "direct">,
  { orgId, fromMs, toMs, columns }: StackRange,
  run: (stored: StoredStacks) => Promise<Resolved<T>>,
): Promise<T> {
  const last = utcDayOf(toMs - 1);
  const firstOfTwo = utcDayOf(Math.max(fromMs, toMs - dayMs));
  let definitions: DefinitionBytes | undefined;
  let searched: BigUint64Array = new BigUint64Array();
  for (let tries = 1; tries <= triesMax; tries++) {
    const result = await run({ orgId, columns, definitions, searched });
    if (result.missing === undefined) return result.value;
    const first = tries === 1 ? firstOfTwo : utcDayOf(fromMs);
    definitions = await readDefinitions(store, orgId, { first, last }, result.missing);
    if (first === utcDayOf(fromMs)) searched = concat(searched, result.missing);
  }
  throw new StoreUnavailable("Definitions of stacks were dropped faster than they were read");
}

function concat(a: BigUint64Array, b: BigUint64Array): BigUint64Array {
  const both = new BigUint64Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
