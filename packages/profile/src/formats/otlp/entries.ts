import { GrowableUint32 } from "#memory/growable.ts";
import { Refusal } from "#model/profile-error.ts";
import type { WireReader } from "#wire/wire-reader.ts";
import type { AttributeReader } from "./attributes.ts";
import { readIndexes } from "./layout.ts";
import type { OtlpRequest } from "./request.ts";
import type { Table } from "./schema.ts";

/** Reads entries of tables, and checks the indexes in them. */
export class EntryReader {
  readonly wire: WireReader;
  readonly #tables: OtlpRequest["tables"];
  readonly #attributes: AttributeReader;
  readonly #indexes = new GrowableUint32(16);

  constructor({ wire, tables }: OtlpRequest, attributes: AttributeReader) {
    this.wire = wire;
    this.#tables = tables;
    this.#attributes = attributes;
  }

  lengthOf(table: Table): number {
    return this.#tables[table].length / 2;
  }

  /** Calls `read` with each tag of an entry; it returns whether it read the field. */
  each(table: Table, index: number, read: (tag: number, end: number) => boolean): void {
    const spans = this.#tables[table];
    const { wire } = this;
    const end = spans[2 * index + 1];
    wire.pos = spans[2 * index];
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (!read(tag, end)) wire.other(tag, end, table, []);
    }
  }

  /** Reads an index of `table`. */
  index(end: number, table: Table): number {
    const { wire } = this;
    wire.varint(end);
    if (wire.hi !== 0 || wire.lo >= this.lengthOf(table)) {
      const message = `An index of the ${table} table is ${wire.bigint()}, and it has ${this.lengthOf(table)} entries.`;
      throw new Refusal("invalid", message, `${table}_table`, wire.at);
    }
    return wire.lo;
  }

  /** Reads a list of indexes of attributes; returns the texts of those whose keys are given, in the order of the keys. */
  attributes(tag: number, end: number, keys: readonly string[]): string[] {
    const { wire } = this;
    this.#indexes.clear();
    readIndexes(wire, tag, end, this.#indexes);
    const after = wire.pos;
    const found = this.#indexes.filled().slice(0, 32);
    const texts = keys.map(() => "");
    for (const index of found) {
      const { key, value } = this.#attributes.entry(index);
      const at = keys.indexOf(key);
      if (at >= 0) texts[at] = value;
    }
    wire.pos = after;
    return texts;
  }
}
