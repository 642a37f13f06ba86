import { type Resolved, type StoredStacks, tableOf } from "#stacks/ranges/stored-stacks.ts";
import { ownFunction, type Waits, waitsOf } from "./attribute.ts";

/** The key of the function that only a route runs. The first column has the values of the route, the second the values of all. */
export function functionOfRoute(stored: StoredStacks): Resolved<string | undefined> {
  const table = tableOf(stored);
  return table.missing === undefined ? { missing: undefined, value: ownFunction(table.value) } : table;
}

interface WaitsTask {
  readonly stored: StoredStacks;
  readonly type: "mutex" | "block";
  /** The key of the function whose stacks count; undefined for all. */
  readonly through: string | undefined;
}

export function waitsOfStacks({ stored, type, through }: WaitsTask): Resolved<Waits> {
  const table = tableOf(stored);
  return table.missing === undefined
    ? { missing: undefined, value: waitsOf(table.value, type, through) }
    : table;
}
