import { sumOf } from "@flamekeep/profile";

/**
 * The cumulative counters of one profile: per distinct stack, ids ascending, one value per counter.
 *
 * ```
 * values[c][i] = counter c of stack ids[i] since the process started
 * ```
 */
export interface Counters {
  readonly ids: BigUint64Array;
  readonly values: readonly BigInt64Array[];
}

/**
 * Whether `later` can be a later snapshot of the process that `earlier` is from. A Go process never forgets a stack and never counts
 * down: where a stack vanished or a counter fell the two come from different processes.
 *
 * Runs on the main thread over up to a million stacks, and so compares 32-bit halves: an operation on BigInts allocates memory.
 */
export function canFollow(earlier: Counters, later: Counters): boolean {
  const places = placesOf(earlier, later);
  return (
    places !== undefined && later.values.every((column, c) => !fell(columnOf(earlier, c), column, places))
  );
}

/** How much every counter of `later` grew since `earlier`, in the shape of `later`; undefined where it cannot follow. */
export function growthOf(earlier: Counters, later: Counters): readonly BigInt64Array[] | undefined {
  const places = placesOf(earlier, later);
  if (places === undefined) return undefined;
  const grown: BigInt64Array[] = [];
  for (const [c, column] of later.values.entries()) {
    const before = columnOf(earlier, c);
    if (fell(before, column, places)) return undefined;
    grown.push(difference(before, column, places));
  }
  return grown;
}

/** A counter that an earlier snapshot lacks was 0. */
function columnOf({ ids, values }: Counters, c: number): BigInt64Array {
  return values[c] ?? new BigInt64Array(ids.length);
}

/** Where in `later` each stack of `earlier` is; undefined where one is not in it. */
function placesOf({ ids: earlier }: Counters, { ids: later }: Counters): Uint32Array | undefined {
  if (later.length < earlier.length) return undefined;
  const [a, b] = [halvesOf(earlier), halvesOf(later)];
  const places = new Uint32Array(earlier.length);
  let found = 0;
  for (let at = 0; at < b.length && found < places.length; at += 2) {
    if (a[2 * found] === b[at] && a[2 * found + 1] === b[at + 1]) places[found++] = at / 2;
  }
  return found === places.length ? places : undefined;
}

function fell(earlier: BigInt64Array, later: BigInt64Array, places: Uint32Array): boolean {
  const [a, b] = [halvesOf(earlier), halvesOf(later)];
  for (let i = 0; i < places.length; i++) {
    const at = 2 * places[i]!;
    // The high half has the sign.
    const high = (b[at + 1]! | 0) - (a[2 * i + 1]! | 0);
    if (high < 0 || (high === 0 && b[at]! < a[2 * i]!)) return true;
  }
  return false;
}

function difference(earlier: BigInt64Array, later: BigInt64Array, places: Uint32Array): BigInt64Array {
  const grown = later.slice();
  const [a, b] = [halvesOf(earlier), halvesOf(grown)];
  for (let i = 0; i < places.length; i++) {
    const at = 2 * places[i]!;
    const low = b[at]! - a[2 * i]!;
    b[at + 1] = b[at + 1]! - a[2 * i + 1]! - (low < 0 ? 1 : 0);
    b[at] = low;
  }
  return grown;
}

/** The columns parallel to `ids`, which has all stacks of `counters`: 0 for the others. */
export function columnsAt(ids: BigUint64Array, counters: Counters): readonly BigInt64Array[] {
  if (ids === counters.ids) return counters.values;
  const places = placesOf(counters, { ids, values: [] })!;
  return counters.values.map((column) => {
    const wide = new BigInt64Array(ids.length);
    const [from, to] = [halvesOf(column), halvesOf(wide)];
    for (let i = 0; i < places.length; i++) {
      to[2 * places[i]!] = from[2 * i]!;
      to[2 * places[i]! + 1] = from[2 * i + 1]!;
    }
    return wide;
  });
}

/** Low and high half of each word, little-endian as on every machine that runs Node. */
function halvesOf({ buffer, byteOffset, length }: BigInt64Array | BigUint64Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, 2 * length);
}

/** The sum of each column. */
export function totalsOf(values: readonly BigInt64Array[]): readonly bigint[] {
  return values.map(sumOf);
}

/** Keeps only the sample types that are counters. */
export function countersOnly({ ids, values }: Counters, isCounter: readonly boolean[]): Counters {
  return { ids, values: values.filter((_, type) => isCounter[type]) };
}
