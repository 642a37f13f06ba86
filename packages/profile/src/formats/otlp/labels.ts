import { GrowableUint32 } from "#memory/growable.ts";
import type { ReadLimits } from "#model/limits.ts";
import type { LabelColumns } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import { type AttributeReader, hexOf } from "./attributes.ts";
import { readIndexes } from "./layout.ts";
import type { OtlpRequest, Span } from "./request.ts";

/** The strings of a profile. */
export interface TextIndexes {
  readonly strings: readonly string[];
  /** Adds the text if it was not added before. */
  indexOf(text: string): number;
}

export interface LabelContext {
  readonly attributes: AttributeReader;
  readonly texts: TextIndexes;
  readonly limits: ReadLimits;
}

/** Attributes of a resource that tell its processes apart: labels of samples, so that they do not split one service into many profiles. */
export const processKeys: ReadonlySet<string> = new Set(["process.pid", "process.parent_pid"]);

/**
 * The labels of samples. Each is an index of the attribute table, or of labels that were added to it. Whole numbers with a unit stay
 * numbers, all other values are texts.
 */
export class LabelRows {
  /** Labels left out because their sample has too many. */
  trimmed = 0;
  readonly #request: OtlpRequest;
  readonly #context: LabelContext;
  readonly #rows = new GrowableUint32(1024);
  /** Beyond the attribute table: key and text. */
  readonly #added: (readonly [key: string, text: string])[] = [];
  readonly #addedIndex = new Map<string, number>();
  #start = 0;

  constructor(request: OtlpRequest, context: LabelContext) {
    this.#request = request;
    this.#context = context;
  }

  get length(): number {
    return this.#rows.length;
  }

  get #entries(): number {
    return this.#request.tables.attribute.length / 2;
  }

  /** The index of a label that is no entry of the table. */
  indexOf(key: string, text: string): number {
    const name = `${key}\n${text}`;
    const index = this.#addedIndex.get(name) ?? this.#entries + this.#added.push([key, text]) - 1;
    this.#addedIndex.set(name, index);
    return index;
  }

  /** Labels of the process that the resource describes. */
  ofResource(resource: Span): number[] {
    const found = this.#context.attributes
      .ofMessage(resource, 1)
      .filter(([key, text]) => processKeys.has(key) && text !== "");
    return found.map(([key, text]) => this.indexOf(key, text));
  }

  /** Trace and span of a link; none for entry 0, which means that there is none. */
  ofLink(index: number): number[] {
    const { wire, tables } = this.#request;
    if (index === 0) return [];
    if (2 * index >= tables.link.length) {
      const message = `A link index is ${index}, the link table has ${tables.link.length / 2} entries.`;
      throw new Refusal("invalid", message, "sample.link_index", wire.at);
    }
    const { pos } = wire;
    const found: number[] = [];
    const end = tables.link[2 * index + 1];
    wire.pos = tables.link[2 * index];
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag !== 0x0a && tag !== 0x12) {
        wire.other(tag, end, "link", []);
        continue;
      }
      const stop = wire.block(end, "link");
      const id = hexOf(wire.bytes.subarray(wire.pos, Math.min(stop, wire.pos + 16)));
      if (/[^0]/.test(id)) found.push(this.indexOf(tag === 0x0a ? "trace_id" : "span_id", id));
      wire.pos = stop;
    }
    wire.pos = pos;
    return found;
  }

  begin(): void {
    this.#start = this.#rows.length;
  }

  /** Reads a list of attribute indexes of the sample. */
  read(tag: number, end: number): void {
    const from = this.#rows.length;
    readIndexes(this.#request.wire, tag, end, this.#rows);
    for (let at = from; at < this.#rows.length; at++) {
      if (this.#rows.array[at] >= this.#entries) this.#context.attributes.entry(this.#rows.array[at]);
    }
  }

  add(label: number): void {
    this.#rows.push(label);
  }

  finish(): void {
    const { labels, labelsPerSample } = this.#context.limits;
    const excess = this.#rows.length - this.#start - labelsPerSample;
    if (excess > 0) {
      this.trimmed += excess;
      this.#rows.length -= excess;
    }
    if (this.#rows.length <= labels) return;
    throw new Refusal(
      "too_large",
      `The samples have more than ${labels} labels.`,
      "labels",
      this.#request.wire.at,
    );
  }

  columns(): LabelColumns {
    const { attributes, texts } = this.#context;
    const { length } = this.#rows;
    const key = new Uint32Array(length);
    const text = new Uint32Array(length);
    const number = new BigInt64Array(length);
    const unit = new Uint32Array(length);
    const first = new Map<number, number>();
    for (let row = 0; row < length; row++) {
      const index = this.#rows.array[row];
      const same = first.get(index);
      if (same !== undefined) {
        key[row] = key[same];
        text[row] = text[same];
        number[row] = number[same];
        unit[row] = unit[same];
        continue;
      }
      first.set(index, row);
      const [addedKey, addedText] = this.#added[index - this.#entries] ?? [];
      const entry =
        addedKey === undefined
          ? attributes.entry(index)
          : { key: addedKey, value: addedText, unit: "", number: undefined };
      // As in pprof, a label without a value is none.
      if (entry.value === "") continue;
      key[row] = texts.indexOf(entry.key);
      if (entry.number === undefined || entry.unit === "") text[row] = texts.indexOf(entry.value ?? "");
      else {
        number[row] = entry.number;
        unit[row] = texts.indexOf(entry.unit);
      }
    }
    return { length, key, text, number, unit };
  }
}
