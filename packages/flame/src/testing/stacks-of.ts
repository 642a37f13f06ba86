import type { StackTable } from "@flamekeep/profile";

/**
 * Stacks from folded text: one stack a line, root first, the value last. A frame may carry file and line:
 *
 * ```
 * main;handle@handle.go:12;encode 30
 * main;gc 20
 * ```
 */
export function stacksOf(folded: string, valueType = { type: "samples", unit: "count" }): StackTable {
  const rows = folded
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const space = line.lastIndexOf(" ");
      return { frames: line.slice(0, space).split(";"), value: Number(line.slice(space + 1)) };
    });
  return stacksFrom(rows, valueType);
}

/** @param rows frames root first, each `function` or `function@file:line` */
export function stacksFrom(
  rows: readonly { readonly frames: readonly string[]; readonly value: number }[],
  valueType = { type: "samples", unit: "count" },
): StackTable {
  const ids = new Map<string, number>();
  const frame: number[] = [];
  const start = [0];
  for (const row of rows) {
    for (const text of row.frames.toReversed()) {
      if (!ids.has(text)) ids.set(text, ids.size);
      frame.push(ids.get(text)!);
    }
    start.push(frame.length);
  }
  const parts = [...ids.keys()].map((text) => /^(.*?)(?:@([^@]*):(\d+))?$/su.exec(text)!);
  return {
    sampleTypes: [valueType],
    frames: {
      length: parts.length,
      functionName: parts.map((part) => part[1]!),
      file: parts.map((part) => part[2] ?? ""),
      line: Int32Array.from(parts, (part) => Number(part[3] ?? 0)),
      startLine: new Int32Array(parts.length),
    },
    length: rows.length,
    start: Uint32Array.from(start),
    frame: Uint32Array.from(frame),
    values: [Float64Array.from(rows, (row) => row.value)],
  };
}
