import {
  hashStacks,
  processIdentity,
  readStacks,
  type StackTable,
  type ValueColumn,
  withoutGaugeDifferences,
} from "@flamekeep/profile";
import type { Counters } from "#ingest/rows/counters.ts";
import { payloadLimits } from "#stacks/open-profile.ts";
import { inflateUpload } from "./inflate-upload.ts";

export interface StoredCounters {
  /** All sample types. */
  readonly stackValues: Counters;
  readonly identity: string;
}

/** The counters of a stored profile and its process; undefined if it cannot be read. */
export function countersOf(payload: Uint8Array): StoredCounters | undefined {
  const inflated = inflateUpload(payload, payloadLimits.bytes);
  if (!inflated.ok) return undefined;
  const { raw } = inflated.value;
  const read = readStacks(raw, payloadLimits);
  if (!read.ok) return undefined;
  const { stacks } = withoutGaugeDifferences(read.profile);
  const stackValues = sortedByStack(stacks, hashStacks(stacks).stackIds);
  return { stackValues, identity: processIdentity(raw, payloadLimits) };
}

/** The stacks by ascending id with all their values, to be compared with an earlier or later profile. */
export function sortedByStack(table: StackTable, stackIds: Uint32Array): Counters {
  const order = ascendingOrder(stackIds, table.length);
  const ids = new BigUint64Array(table.length);
  const halves = new Uint32Array(ids.buffer);
  for (let i = 0; i < order.length; i++) {
    halves[2 * i] = stackIds[2 * order[i]!]!;
    halves[2 * i + 1] = stackIds[2 * order[i]! + 1]!;
  }
  const values = table.values.map((column) => new BigInt64Array(wordsAt(column, order).buffer));
  return { ids, values };
}

/** More places than a profile may have samples. */
const placeBits = 26;
const places = 2 ** placeBits;
/** Low bits of the high half that do not fit into a number's 53 together with a place. */
const leftOut = placeBits + 32 - 53;

/**
 * The places of `ids` (two halves each, low first) by ascending id. Sorts numbers of the id's first bits and the
 * place, which costs a tenth of sorting places by comparing BigInts.
 */
export function ascendingOrder(ids: Uint32Array, length: number): Uint32Array {
  const keys = new Float64Array(length);
  for (let i = 0; i < length; i++) keys[i] = firstBits(ids, i) * places + i;
  keys.sort();
  const order = new Uint32Array(length);
  for (let i = 0; i < length; i++) order[i] = keys[i]! % places;
  orderByAllBits(ids, order);
  return order;
}

function firstBits(ids: Uint32Array, place: number): number {
  return ids[2 * place + 1]! >>> leftOut;
}

/** Orders neighbours whose first bits are equal by the others, keeping equal ids in order of place. */
function orderByAllBits(ids: Uint32Array, order: Uint32Array): void {
  const difference = (a: number, b: number) =>
    ids[2 * a + 1]! - ids[2 * b + 1]! || ids[2 * a]! - ids[2 * b]! || a - b;
  for (let from = 0; from < order.length; ) {
    const first = firstBits(ids, order[from]!);
    let to = from + 1;
    while (to < order.length && firstBits(ids, order[to]!) === first) to++;
    if (to > from + 1) order.subarray(from, to).sort(difference);
    from = to;
  }
}

const two32 = 2 ** 32;

/** The values at `places` as little-endian 64-bit words. */
export function wordsAt(column: ValueColumn, places: Uint32Array): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(2 * places.length);
  if (column instanceof BigInt64Array) {
    const halves = new Uint32Array(column.buffer, column.byteOffset, 2 * column.length);
    for (let at = 0; at < words.length; at += 2) {
      const place = 2 * places[at >>> 1]!;
      words[at] = halves[place]!;
      words[at + 1] = halves[place + 1]!;
    }
  } else {
    for (let place = 0; place < places.length; place++) writeWord(words, place, column[places[place]!]!);
  }
  return words;
}

function writeWord(words: Uint32Array, place: number, value: number): void {
  words[2 * place] = value;
  if (value < 0 || value >= two32) words[2 * place + 1] = Math.floor(value / two32);
}
