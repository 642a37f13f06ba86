import { type Profile, profileOfStacks, type StackFacts, type StackTable, sumStacks } from "../index.ts";

export interface PictureFacts extends StackFacts {
  /** `type/unit` of each value; `samples/count` where left out. */
  readonly sampleTypes?: readonly string[];
}

/**
 * A profile drawn as text: columns are samples, rows are depth with the root on top, the last row holds the
 * values (`30`, or `3,300` for two sample types). A cell is a function name, with `@file:line` where that
 * matters. Cells of shorter stacks stay blank, so cells must be below one another.
 *
 * ```
 * profileOf(`
 *   main     main     main
 *   handle   handle   gc
 *   encode   query
 *   30       50       20`)
 * ```
 */
export function profileOf(picture: string, facts: PictureFacts = {}): Profile {
  const lines = picture.split("\n").filter((line) => line.trim() !== "");
  const values = cellsOf(lines.pop() ?? "");
  const stacks = values.map(() => [] as string[]);
  for (const line of lines) {
    const cells = cellsOf(line);
    cells.forEach((cell, i) => {
      const column = cells.length === values.length ? i : columnAt(values, cell);
      stacks[column]!.unshift(cell.text);
    });
  }
  const { sampleTypes = ["samples/count"] } = facts;
  const numbers = values.map((cell) => cell.text.split(",").map(BigInt));
  for (const row of numbers) {
    if (row.length !== sampleTypes.length) throw new Error(`A sample has ${row.length} values: ${picture}`);
  }
  return profileOfStacks(tableOf(stacks, numbers, sampleTypes), facts);
}

/** The stacks of a picture, equal ones summed. */
export function stacksOf(picture: string, facts: PictureFacts = {}): StackTable {
  return sumStacks(profileOf(picture, facts));
}

interface Cell {
  readonly text: string;
  readonly at: number;
}

function cellsOf(line: string): Cell[] {
  return [...line.matchAll(/\S+/g)].map((match) => ({ text: match[0], at: match.index }));
}

function columnAt(columns: readonly Cell[], cell: Cell): number {
  const column = columns.findIndex((value) => value.at === cell.at);
  if (column < 0) throw new Error(`"${cell.text}" is not below a column of the picture.`);
  return column;
}

function tableOf(
  stacks: readonly string[][],
  numbers: readonly bigint[][],
  sampleTypes: readonly string[],
): StackTable {
  const cells = [...new Set(stacks.flat())];
  const parts = cells.map((cell) => /^([^@]*)(?:@(.*?)(?::(\d+))?)?$/.exec(cell)!);
  const start = new Uint32Array(stacks.length + 1);
  stacks.forEach((stack, i) => {
    start[i + 1] = start[i]! + stack.length;
  });
  return {
    sampleTypes: sampleTypes.map((name) => {
      const slash = name.lastIndexOf("/");
      return { type: name.slice(0, slash), unit: name.slice(slash + 1) };
    }),
    frames: {
      length: cells.length,
      functionName: parts.map((part) => part[1]!),
      file: parts.map((part) => part[2] ?? ""),
      line: Int32Array.from(parts, (part) => Number(part[3] ?? 0)),
      startLine: new Int32Array(cells.length),
    },
    length: stacks.length,
    start,
    frame: Uint32Array.from(stacks.flatMap((stack) => stack.map((cell) => cells.indexOf(cell)))),
    values: sampleTypes.map((_, type) => columnOf(numbers.map((row) => row[type]!))),
  };
}

function columnOf(values: readonly bigint[]): Float64Array | BigInt64Array {
  const magnitude = values.reduce((sum, value) => sum + (value < 0n ? -value : value), 0n);
  return magnitude > 2n ** 53n - 1n ? BigInt64Array.from(values) : Float64Array.from(values, Number);
}
