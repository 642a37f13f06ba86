import { type Resolved, type StoredStacks, tableWithRows } from "#stacks/ranges/stored-stacks.ts";
import { type CostFilter, type FunctionCosts, functionCosts } from "./costs.ts";

interface CostTask {
  /** With one column: the values of all services, one service after the other. */
  readonly stored: StoredStacks;
  /** The service of each value. */
  readonly service: Uint32Array;
  /** By service. */
  readonly divisors: Float64Array;
  readonly filter: CostFilter;
}

/** The cost of functions over all services. Runs in the decoding thread. */
export function costsOfFunctions({ stored, service, divisors, filter }: CostTask): Resolved<FunctionCosts> {
  const resolved = tableWithRows(stored);
  if (resolved.missing !== undefined) return resolved;
  const { table, rows } = resolved.value;
  const value = Float64Array.from(
    stored.columns[0]!.values,
    (total, at) => Number(total) / divisors[service[at]!]!,
  );
  return { missing: undefined, value: functionCosts(table, { stack: rows[0]!, service, value }, filter) };
}
