import { dayMs } from "@flamekeep/contract/durations";
import type { ColumnStore } from "#store/column/column-store.ts";
import { utcDayOf } from "#store/column/utc.ts";
import { type DefinitionBytes, readDefinitions } from "#store/stacks/definitions.ts";
import type { Resolved, StackColumn, StoredStacks } from "./stored-stacks.ts";

export interface StackRange {
  readonly orgId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly columns: readonly StackColumn[];
}

/**
 * Runs a task of the decoding thread over stored stacks. The thread caches definitions of stacks, so most calls take one
 * try. Missing definitions are read from the last two days of the range, which have nearly all of them, then from all
 * of its days.
 */
export async function withDefinitions<T>(
  store: ColumnStore,
  { orgId, fromMs, toMs, columns }: StackRange,
  run: (stored: StoredStacks) => Promise<Resolved<T>>,
): Promise<T> {
  const last = utcDayOf(toMs - 1);
  let definitions: DefinitionBytes | undefined;
  for (const firstMs of [Math.max(fromMs, toMs - dayMs), fromMs]) {
    const result = await run({ orgId, columns, definitions, isLastTry: false });
    if (result.missing === undefined) return result.value;
    definitions = await readDefinitions(store, orgId, { first: utcDayOf(firstMs), last }, result.missing);
  }
  const result = await run({ orgId, columns, definitions, isLastTry: true });
  if (result.missing === undefined) return result.value;
  throw new Error("The last try over stored stacks still misses definitions");
}
