import { halvesOf, scratch } from "#memory/growable.ts";
import type { FunctionColumns } from "#model/profile.ts";
import type { WireReader } from "#wire/wire-reader.ts";
import { stringIndex } from "./header.ts";
import { IdIndex } from "./id-index.ts";

export const functionFields = [
  "",
  "function.id",
  "function.name",
  "function.system_name",
  "function.filename",
  "function.start_line",
];

export function readFunctions(
  wire: WireReader,
  spans: Uint32Array,
  strings: number,
): { functions: FunctionColumns; index: IdIndex; linesLost: number } {
  const length = spans.length / 2;
  const reader = new FunctionReader(wire, length, strings);
  for (let i = 0; i < length; i++) {
    const start = spans[2 * i];
    const end = spans[2 * i + 1];
    reader.read(i, start, end);
  }
  const { id, name, systemName, file, startLine } = reader;
  const functions = { length, id, name, systemName, file, startLine };
  return {
    functions,
    index: new IdIndex(id, "function", spans, scratch.functions),
    linesLost: reader.linesLost,
  };
}

class FunctionReader {
  /** Start lines beyond 32 bits. */
  linesLost = 0;
  readonly id: BigUint64Array<ArrayBuffer>;
  readonly name: Uint32Array;
  readonly systemName: Uint32Array;
  readonly file: Uint32Array;
  readonly startLine: Int32Array;
  private readonly wire: WireReader;
  private readonly strings: number;
  private readonly ids: Uint32Array;

  constructor(wire: WireReader, length: number, strings: number) {
    this.wire = wire;
    this.strings = strings;
    // One allocation for all columns: of a small profile, allocations are most of the time.
    const memory = new ArrayBuffer(length * 24);
    this.id = new BigUint64Array(memory, 0, length);
    this.ids = halvesOf(this.id);
    this.name = new Uint32Array(memory, length * 8, length);
    this.systemName = new Uint32Array(memory, length * 12, length);
    this.file = new Uint32Array(memory, length * 16, length);
    this.startLine = new Int32Array(memory, length * 20, length);
  }

  read(i: number, start: number, end: number): void {
    const { wire, strings, ids } = this;
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x08) {
        wire.varint(end);
        ids[2 * i] = wire.lo;
        ids[2 * i + 1] = wire.hi;
      } else if (tag === 0x10) this.name[i] = stringIndex(wire, end, strings, "function.name");
      else if (tag === 0x18) this.systemName[i] = stringIndex(wire, end, strings, "function.system_name");
      else if (tag === 0x20) this.file[i] = stringIndex(wire, end, strings, "function.filename");
      else if (tag === 0x28) {
        wire.varint(end);
        this.startLine[i] = wire.int32();
        if (!wire.isInt32()) this.linesLost++;
      } else wire.other(tag, end, "function", functionFields);
    }
  }
}
