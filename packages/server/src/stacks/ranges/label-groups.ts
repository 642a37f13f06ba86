import { foldedValue, groupStacks, type StackTable } from "@flamekeep/profile";

/** Numbers of the groups in the replies of queries over labels; the numbers of values follow. */
export const groupNumbers = { none: 0, folded: 1, unrecorded: 2, first: 3, notMatching: 65_535 } as const;

/** The frame above the stacks with one value of a label. Only the frame of a value begins with the key and a colon. */
export function groupName(key: string, value: string | undefined): string {
  if (value === undefined) return `without ${key}`;
  return value === foldedValue ? `further values of ${key}` : `${key}: ${value}`;
}

/** The frame of a group as `labelledStackTotals` numbers it. */
export function numberedGroupName(key: string, number: number, values: readonly string[]): string {
  if (number === groupNumbers.unrecorded) return `${key} not recorded`;
  if (number < groupNumbers.first)
    return groupName(key, number === groupNumbers.none ? undefined : foldedValue);
  return groupName(key, values[number - groupNumbers.first]);
}

/** Turns a table with the columns of every group one after the other into one with the groups as roots. */
export function underGroups(stacks: StackTable, names: readonly string[]): StackTable {
  if (names.length === 0) return stacks;
  const width = stacks.values.length / names.length;
  const groups = names.map((name, index) => ({
    name,
    values: stacks.values
      .slice(index * width, (index + 1) * width)
      .map((column) => Float64Array.from(column, Number)),
  }));
  return groupStacks({ ...stacks, sampleTypes: stacks.sampleTypes.slice(0, width) }, groups);
}
