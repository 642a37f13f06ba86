import type { StackTable } from "#model/stack-table.ts";

/**
 * Collapsed stacks: one line `root;...;leaf value` for each list of function names, in the order of the stacks.
 * Names that would break the format have `;` written as `:` and line breaks as spaces.
 */
export function foldStacks(table: StackTable, sampleType: number): string {
  const column = table.values[sampleType];
  if (column === undefined) return "";
  const names = table.frames.functionName.map((name) => name.replaceAll(";", ":").replaceAll(/[\r\n]/g, " "));
  const sums = new Map<string, number | bigint>();
  for (let i = 0; i < table.length; i++) {
    const path: string[] = [];
    for (let j = table.start[i + 1] - 1; j >= table.start[i]; j--) path.push(names[table.frame[j]]);
    const key = path.join(";");
    const value = column[i];
    const sum = sums.get(key) ?? (typeof value === "bigint" ? 0n : 0);
    sums.set(key, add(sum, value));
  }
  let text = "";
  for (const [path, value] of sums) if (value !== 0 && value !== 0n) text += `${path} ${value}\n`;
  return text;
}

function add(a: number | bigint, b: number | bigint): number | bigint {
  return typeof a === "bigint" || typeof b === "bigint" ? BigInt(a) + BigInt(b) : a + b;
}
