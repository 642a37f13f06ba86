import type { Levels } from "./levels.ts";

/**
 * A call tree in the bytes of Pyroscope's clients: depth first, for each frame the length of its name, the name, its self value and the number of
 * its callees, all numbers as varints. The first frame is the root: without a name, and empty.
 */
export function treeBytes(levels: Levels): Uint8Array {
  const parts: Uint8Array[] = [];
  const [root] = framesOf(levels);
  if (root === undefined || root.callees.length === 0) return new Uint8Array();
  const open = [{ ...root, name: "", self: 0 }];
  for (let frame = open.pop(); frame !== undefined; frame = open.pop()) {
    const name = Buffer.from(frame.name);
    parts.push(varint(name.length), name, varint(frame.self), varint(frame.callees.length));
    open.push(...frame.callees);
  }
  return Buffer.concat(parts);
}

interface Frame {
  readonly name: string;
  readonly self: number;
  readonly callees: Frame[];
}

/** The frames of the first row, with all below them. */
function framesOf({ levels, names }: Levels): Frame[] {
  let above: { readonly frame: Frame; readonly end: number }[] = [];
  let first: Frame[] = [];
  for (const [depth, values] of levels.entries()) {
    const row: typeof above = [];
    let end = 0;
    let parent = 0;
    for (let at = 0; at < values.length; at += 4) {
      const left = end + values[at]!;
      end = left + values[at + 1]!;
      const frame = { name: names[values[at + 3]!]!, self: values[at + 2]!, callees: [] };
      while (parent < above.length - 1 && above[parent]!.end <= left) parent++;
      above[parent]?.frame.callees.push(frame);
      row.push({ frame, end });
    }
    if (depth === 0) first = row.map(({ frame }) => frame);
    above = row;
  }
  return first;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = Math.max(0, value);
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Uint8Array.of(...bytes, rest);
}
