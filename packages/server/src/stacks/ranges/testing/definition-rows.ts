import type { StackTable } from "@flamekeep/profile";

/** Definitions as the column store answers them, in RowBinary. */
export const row = {
  /** Stack ids with their frame ids, leaf first. */
  stacks: (rows: readonly (readonly [id: bigint, frameIds: readonly bigint[]])[]) =>
    joined(rows.flatMap(([id, frames]) => [word(id), length(frames.length), ...frames.map(word)])),
  /** Frame ids with their function names. */
  frames: (rows: readonly (readonly [id: bigint, name: string])[]) =>
    joined(rows.flatMap(([id, name]) => [word(id), text(name), text("main.go"), word(7n), word(1n)])),
};

function joined(parts: readonly Buffer[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

function word(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

function text(value: string): Buffer {
  return Buffer.concat([length(Buffer.byteLength(value)), Buffer.from(value)]);
}

function length(count: number): Buffer {
  return count < 128 ? Buffer.of(count) : Buffer.of((count & 127) | 128, count >> 7);
}

/** `main;read 7.5` lines in the order of the table. */
export function fold(table: StackTable, type: number): string[] {
  return Array.from({ length: table.length }, (_, stack) => {
    const frames = table.frame.subarray(table.start[stack], table.start[stack + 1]).toReversed();
    const names = Array.from(frames, (frame) => table.frames.functionName[frame]);
    return `${names.join(";")} ${table.values[type]?.[stack]}`;
  });
}
