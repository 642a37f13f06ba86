import { scratch } from "#memory/growable.ts";
import type { ReadLimits } from "#model/limits.ts";
import type { LabelColumns } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { WireReader } from "#wire/wire-reader.ts";
import { stringIndex } from "./header.ts";

/** key, text, number (low, high), unit */
const cellsPerLabel = 5;

export const labelFields = [
  "",
  "sample.label.key",
  "sample.label.str",
  "sample.label.num",
  "sample.label.num_unit",
];

export class LabelReader {
  /** Labels left out because their sample has too many. */
  trimmed = 0;
  private readonly wire: WireReader;
  private readonly strings: number;
  private readonly samples: number;
  private readonly limits: ReadLimits;
  private readonly cells = scratch.labels.clear();
  private countOfSample = 0;

  constructor(wire: WireReader, strings: number, samples: number, limits: ReadLimits) {
    this.samples = samples;
    this.wire = wire;
    this.strings = strings;
    this.limits = limits;
  }

  get length(): number {
    return this.cells.length / cellsPerLabel;
  }

  begin(): void {
    this.countOfSample = 0;
  }

  read(outer: number): void {
    const wire = this.wire;
    const end = wire.block(outer, "sample.label");
    let key = 0;
    let text = 0;
    let unit = 0;
    let lo = 0;
    let hi = 0;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x08) key = stringIndex(wire, end, this.strings, "sample.label.key");
      else if (tag === 0x10) text = stringIndex(wire, end, this.strings, "sample.label.str");
      else if (tag === 0x18) {
        wire.varint(end);
        lo = wire.lo;
        hi = wire.hi;
      } else if (tag === 0x20) unit = stringIndex(wire, end, this.strings, "sample.label.num_unit");
      else wire.other(tag, end, "sample.label", labelFields);
    }
    // As in Go: text wins over a number, and a label with neither is ignored.
    if (text !== 0) this.keep(key, text, 0, 0, 0);
    else if (lo !== 0 || hi !== 0 || unit !== 0) this.keep(key, 0, lo, hi, unit);
  }

  private keep(key: number, text: number, lo: number, hi: number, unit: number): void {
    if (this.countOfSample === this.limits.labelsPerSample) {
      this.trimmed++;
      return;
    }
    this.countOfSample++;
    const cells = this.cells;
    const at = cells.length;
    if (at === this.limits.labels * cellsPerLabel) this.refuse();
    // If one sample has a label, most have one.
    cells.reserve(at === 0 ? cellsPerLabel * this.samples : cellsPerLabel);
    const array = cells.array;
    array[at] = key;
    array[at + 1] = text;
    array[at + 2] = lo;
    array[at + 3] = hi;
    array[at + 4] = unit;
    cells.length = at + cellsPerLabel;
  }

  private refuse(): never {
    const message = `The samples have more than ${this.limits.labels} labels.`;
    throw new Refusal("too_large", message, "labels", this.wire.at);
  }

  columns(): LabelColumns {
    const length = this.length;
    const cells = this.cells.array;
    const key = new Uint32Array(length);
    const text = new Uint32Array(length);
    const unit = new Uint32Array(length);
    const halves = new Uint32Array(length * 2);
    for (let i = 0; i < length; i++) {
      key[i] = cells[cellsPerLabel * i];
      text[i] = cells[cellsPerLabel * i + 1];
      halves[2 * i] = cells[cellsPerLabel * i + 2];
      halves[2 * i + 1] = cells[cellsPerLabel * i + 3];
      unit[i] = cells[cellsPerLabel * i + 4];
    }
    return { length, key, text, number: new BigInt64Array(halves.buffer), unit };
  }
}
