import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { decodeText, WireReader } from "#wire/wire-reader.ts";
import type { LineLabels } from "#write/stack-lines.ts";
import type { Recording, WideNumbers } from "./chunk-bytes.ts";

const [varintField1, blockField1, varintField2, blockField2] = [0x08, 0x0a, 0x10, 0x12];

/** A snapshot covers ten seconds of an application. */
const entriesMax = 1_000_000;

/**
 * The labels of the contexts to which samples refer, as Pyroscope's agent for Java sends them with a recording. Protobuf:
 *
 * ```
 * message Snapshot { map<int64, Context> contexts = 1; map<int64, string> strings = 2; }
 * message Context { map<int64, int64> labels = 1; }    ids of strings: name, value
 * ```
 */
export class ContextLabels {
  readonly #wire: WireReader;
  readonly #wide: WideNumbers;
  readonly #contexts = new Map<number, [number, number][]>();
  readonly #strings = new Map<number, string>();
  #entriesLeft: number;
  readonly #limits: ReadLimits;

  /** @param start where the snapshot begins; it ends with the bytes */
  constructor({ file: bytes, wide, limits }: Recording, start: number) {
    this.#wire = new WireReader(bytes);
    this.#wire.pos = start;
    this.#wide = wide;
    this.#limits = limits;
    this.#entriesLeft = entriesMax;
    while (this.#wire.pos < bytes.length) this.#readField(bytes.length);
  }

  labelsOf(contextId: number): LineLabels {
    const pairs = this.#contexts.get(contextId) ?? [];
    return Object.fromEntries(
      pairs.flatMap(([key, value]) => {
        const [name = "", text = ""] = [this.text(key), this.text(value)];
        // An empty text in pprof would be the number 0.
        return name === "" || text === "" ? [] : [[name, text]];
      }),
    );
  }

  text(id: number): string | undefined {
    return this.#strings.get(id);
  }

  #readField(end: number): void {
    const tag = this.#wire.tag(end);
    if (tag === blockField1) {
      const context: [number, number][] = [];
      const key = this.#entry(end, "contexts", (stop) => this.#readContext(stop, context));
      this.#contexts.set(key, context);
    } else if (tag === blockField2) {
      let text = "";
      const key = this.#entry(end, "strings", (stop) => {
        const { pos, bytes } = this.#wire;
        text = decodeText(bytes.subarray(Math.max(pos, stop - this.#limits.nameBytes), stop));
      });
      this.#strings.set(key, text);
    } else this.#wire.other(tag, end, "labels", []);
  }

  #readContext(end: number, context: [number, number][]): void {
    while (this.#wire.pos < end) {
      const tag = this.#wire.tag(end);
      if (tag !== blockField1) this.#wire.other(tag, end, "contexts", []);
      else {
        let value = 0;
        const key = this.#entry(end, "contexts.labels", undefined, (number) => {
          value = number;
        });
        // One more than a sample may have, so that it is counted as left out.
        if (context.length <= this.#limits.labelsPerSample) context.push([key, value]);
      }
    }
  }

  /** Reads an entry of a map, and returns its key. */
  #entry(
    end: number,
    field: string,
    readBlock: ((end: number) => void) | undefined,
    readNumber?: (value: number) => void,
  ): number {
    if (this.#entriesLeft-- === 0) {
      const message = `The labels of the recording's contexts have more than ${entriesMax} entries.`;
      throw new Refusal("too_large", message, "labels", entriesMax);
    }
    const wire = this.#wire;
    const stop = wire.block(end, field);
    let key = 0;
    while (wire.pos < stop) {
      const tag = wire.tag(stop);
      if (tag === varintField1) key = this.#number(stop);
      else if (tag === varintField2 && readNumber !== undefined) readNumber(this.#number(stop));
      else if (tag === blockField2 && readBlock !== undefined) {
        const inner = wire.block(stop, field);
        readBlock(inner);
        wire.pos = inner;
      } else wire.other(tag, stop, field, []);
    }
    return key;
  }

  #number(end: number): number {
    this.#wire.varint(end);
    return this.#wide.toNumber(this.#wire.hi, this.#wire.lo);
  }
}
