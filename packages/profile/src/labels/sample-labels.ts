import { Refusal } from "#model/profile-error.ts";
import { decodeText } from "#wire/utf8.ts";
import { WireReader } from "#wire/wire-reader.ts";
import { numberClass, numberClasses, numberClassText } from "./number-class.ts";

/**
 * The labels of the samples of a profile.
 *
 * ```
 * setOf[sample] = 0: no labels; n: the labels sets[n - 1]
 * values[type][sample]
 * ```
 *
 * Read in a second pass, which only profiles with labels need: the readers of stacks do not keep them.
 */
export interface SampleLabels {
  readonly setOf: Uint32Array;
  readonly sets: readonly LabelSet[];
  /** By sample type. */
  readonly values: readonly Float64Array[];
}

/** The first value of each key; numbers as classes: see `numberClass`. */
export type LabelSet = ReadonlyMap<string, string>;

const sampleField = 0x12;
const stringField = 0x32;

/** Labels may be ids of requests: beyond this the profile counts as one whose labels cannot be told apart. */
const setsMax = 1 << 16;

/** Labels of all sets together. A sample may have thousands. */
const labelsMax = 1 << 18;

const indexMax = 2 ** 26;

/**
 * Undefined if the labels cannot be told apart: there are too many different sets, they have too many labels, or a value is beyond 2^53. `raw` is a valid
 * profile with this many sample types and samples.
 */
export function sampleLabels(
  raw: Uint8Array,
  sampleTypes: number,
  sampleCount: number,
): SampleLabels | undefined {
  try {
    return new Reading(raw, sampleTypes, sampleCount).read();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** A label as the profile has it: indexes of strings, or a class of numbers with a unit. */
interface RawLabel {
  readonly key: number;
  readonly text: number;
  readonly numbers: number;
  readonly unit: number;
}

class Reading {
  private readonly wire: WireReader;
  private readonly values: Float64Array[];
  private readonly setOf: Uint32Array;
  /** The sample being read, and the sample type of its next value. */
  private sample = 0;
  private type = 0;
  /** Labels with an index each; by key and text, or by key, class and unit. */
  private readonly labelIndexes = new Map<string | number, number>();
  private readonly labels: RawLabel[] = [];
  /** Sets as a tree: from a node and the label that is added to the next node. Node 0 has no labels. */
  private readonly nodes = new Map<number, number>();
  private readonly parent = [0];
  private readonly size = [0];
  private readonly added = [-1];

  constructor(raw: Uint8Array, sampleTypes: number, sampleCount: number) {
    this.wire = new WireReader(raw);
    this.values = Array.from({ length: sampleTypes }, () => new Float64Array(sampleCount));
    this.setOf = new Uint32Array(sampleCount);
  }

  read(): SampleLabels | undefined {
    const { wire } = this;
    const end = wire.bytes.length;
    let sample = 0;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag !== sampleField) wire.other(tag, end, "profile", []);
      else if (sample === this.setOf.length || !this.readSample(sample++, wire.block(end, "sample")))
        return undefined;
    }
    if (sample !== this.setOf.length) return undefined;
    const used = this.numberUsedNodes();
    return used && { setOf: this.setOf, values: this.values, sets: this.setsOf(used) };
  }

  /** False if a value is beyond 2^53, or there are too many sets. */
  private readSample(sample: number, end: number): boolean {
    const { wire } = this;
    this.sample = sample;
    this.type = 0;
    let node = 0;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x12) {
        if (!this.readValues(wire.block(end, "sample.value"))) return false;
      } else if (tag === 0x10) {
        if (!this.readValue(end)) return false;
      } else if (tag === 0x1a) {
        node = this.next(node, this.readLabel(wire.block(end, "sample.label")));
        if (node === -1) return false;
      } else wire.other(tag, end, "sample", []);
    }
    this.setOf[sample] = node;
    return true;
  }

  private readValues(end: number): boolean {
    while (this.wire.pos < end) if (!this.readValue(end)) return false;
    return true;
  }

  private readValue(end: number): boolean {
    this.wire.varint(end);
    const value = this.wire.signed();
    if (this.type === this.values.length || !Number.isSafeInteger(value)) return false;
    this.values[this.type++][this.sample] = value;
    return true;
  }

  /** The index of the label; -1 for one without a key or a value. */
  private readLabel(end: number): number {
    const { wire } = this;
    let key = 0;
    let text = 0;
    let unit = 0;
    let low = 0;
    let high = 0;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag !== 0x08 && tag !== 0x10 && tag !== 0x18 && tag !== 0x20) {
        wire.other(tag, end, "sample.label", []);
        continue;
      }
      wire.varint(end);
      if (tag === 0x08) key = wire.lo;
      else if (tag === 0x10) text = wire.lo;
      else if (tag === 0x20) unit = wire.lo;
      else {
        low = wire.lo;
        high = wire.hi;
      }
    }
    // As in Go: text wins over a number, and a label with neither is ignored.
    if (key === 0 || (text === 0 && low === 0 && high === 0 && unit === 0)) return -1;
    if (text !== 0) return this.indexOf(key * indexMax + text, { key, text, numbers: 0, unit: 0 });
    const numbers = numberClass(low, high);
    const name = unit === 0 ? -(key * numberClasses + numbers) : `${key} ${numbers} ${unit}`;
    return this.indexOf(name, { key, text: 0, numbers, unit });
  }

  private indexOf(name: string | number, label: RawLabel): number {
    const found = this.labelIndexes.get(name);
    if (found !== undefined) return found;
    const index = this.labels.push(label) - 1;
    this.labelIndexes.set(name, index);
    return index;
  }

  /** The set with one more label, or with none for -1; -1 if there are too many sets. */
  private next(node: number, label: number): number {
    if (label === -1) return node;
    const step = node * indexMax + label;
    const found = this.nodes.get(step);
    if (found !== undefined) return found;
    if (this.parent.length > setsMax) return -1;
    const next = this.parent.push(node) - 1;
    this.size.push(this.size[node] + 1);
    this.added.push(label);
    this.nodes.set(step, next);
    return next;
  }

  /** The nodes that samples have, in order of first use; `setOf` then has their numbers. Undefined if they have too many labels. */
  private numberUsedNodes(): number[] | undefined {
    const used: number[] = [];
    const numbers = new Map<number, number>([[0, 0]]);
    let labels = 0;
    for (const [sample, node] of this.setOf.entries()) {
      let number = numbers.get(node);
      if (number === undefined) {
        number = used.push(node);
        numbers.set(node, number);
        labels += this.size[node];
        if (labels > labelsMax) return undefined;
      }
      this.setOf[sample] = number;
    }
    return used;
  }

  private setsOf(nodes: readonly number[]): LabelSet[] {
    const strings = stringsAt(
      this.wire.bytes,
      this.labels.flatMap(({ key, text, unit }) => [key, text, unit]),
    );
    const named = this.labels.map(({ key, text, numbers, unit }): [string, string] => {
      const name = strings.get(key)!;
      return [name, text === 0 ? numberClassText(numbers, strings.get(unit)!, name) : strings.get(text)!];
    });
    return nodes.map((of) => {
      const pairs: [string, string][] = [];
      for (let node = of; node !== 0; node = this.parent[node]) pairs.push(named[this.added[node]]);
      // From the last label to the first, so that the first value of a key is the one that stays.
      return new Map(pairs);
    });
  }
}

/** The strings with these indexes. */
function stringsAt(raw: Uint8Array, indexes: readonly number[]): Map<number, string> {
  const found = new Map<number, string>(indexes.map((index) => [index, ""]));
  const wire = new WireReader(raw);
  const end = raw.length;
  for (let index = 0; wire.pos < end; ) {
    const tag = wire.tag(end);
    if (tag !== stringField) {
      wire.other(tag, end, "profile", []);
      continue;
    }
    const to = wire.block(end, "string_table");
    if (found.has(index)) found.set(index, decodeText(raw.subarray(wire.pos, to)));
    wire.pos = to;
    index++;
  }
  return found;
}
