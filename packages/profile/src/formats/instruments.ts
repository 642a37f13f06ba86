import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { decodeText } from "#wire/wire-reader.ts";
import { forEachLine, StackLines } from "#write/stack-lines.ts";

export const instrumentsBeginning =
  /^(?:Weight\tSelf Weight|Running Time\tSelf|Bytes Used\tCount)\b[^\n]{0,60}\tSymbol Names?\r?\n/;

interface Unit {
  readonly sampleType: ValueType;
  readonly scale: number;
}

const time = { type: "cpu", unit: "nanoseconds" };
const bytes = { type: "inuse_space", unit: "bytes" };
const cycles = { type: "cycles", unit: "count" };
const units: Readonly<Record<string, Unit>> = {
  ns: { sampleType: time, scale: 1 },
  µs: { sampleType: time, scale: 1e3 },
  us: { sampleType: time, scale: 1e3 },
  ms: { sampleType: time, scale: 1e6 },
  s: { sampleType: time, scale: 1e9 },
  min: { sampleType: time, scale: 60e9 },
  Bytes: { sampleType: bytes, scale: 1 },
  KB: { sampleType: bytes, scale: 1024 },
  MB: { sampleType: bytes, scale: 1024 ** 2 },
  GB: { sampleType: bytes, scale: 1024 ** 3 },
  cycles: { sampleType: cycles, scale: 1 },
  Kc: { sampleType: cycles, scale: 1e3 },
  kc: { sampleType: cycles, scale: 1e3 },
  Mc: { sampleType: cycles, scale: 1e6 },
  Gc: { sampleType: cycles, scale: 1e9 },
};

/** Total, share, and after the last tab the name behind as many spaces as its depth. */
const row =
  /^\s{0,20}(\d{1,15}(?:\.\d{1,6})?) ?([A-Za-zµ]{1,6})\s{1,20}[\d.]{1,8}%\t(?:[^\t]{0,40}\t){1,3}( {0,4000})(.+)$/;

interface Call {
  readonly depth: number;
  readonly frame: number;
  /** Its total without the totals of its children so far, in the smallest unit. */
  self: number;
}

/**
 * Text that Instruments copies with Edit, Deep Copy: a row for each call with its total, before the rows of the calls that it makes. The
 * time of a call itself is its total without those of its children, which are rounded.
 */
export function readInstruments(file: Uint8Array, limits: ReadLimits): Profile {
  const stacks = new StackLines(1, limits);
  const open: Call[] = [];
  let sampleType: ValueType | undefined;
  const close = (depth: number) => {
    for (let last = open.at(-1); last !== undefined && last.depth >= depth; last = open.at(-1)) {
      const self = Math.round(last.self);
      if (self > 0) stacks.add(open.map(({ frame }) => frame).reverse(), [self]);
      open.pop();
    }
  };
  let count = 0;
  forEachLine(decodeText(file), (line, offset) => {
    count++;
    if (count === 1 || line.trim() === "") return;
    const { unit, value, depth, name } = rowOf(line, { count, offset });
    sampleType ??= unit.sampleType;
    close(depth);
    const parent = open.at(-1);
    const total = value * unit.scale;
    if (parent !== undefined) parent.self -= total;
    open.push({ depth, frame: stacks.frame({ name, file: "", line: 0 }), self: total });
  });
  close(0);
  return stacks.profile([sampleType ?? time]);
}

function rowOf(line: string, at: { readonly count: number; readonly offset: number }) {
  const [, value, unitName = "", spaces = "", name = ""] = row.exec(line) ?? [];
  const unit = Object.hasOwn(units, unitName) ? units[unitName] : undefined;
  if (unit !== undefined) return { unit, value: Number(value), depth: spaces.length, name: name.trim() };
  const message = `Line ${at.count} of the copied call tree has no weight with its unit, such as "12.0 ms". Copy it with Edit, Deep Copy.`;
  throw new Refusal("invalid", message, "line", at.offset);
}
