import { truncatedName } from "#model/limits.ts";
import type { FunctionColumns, LocationColumns, Profile } from "#model/profile.ts";
import { idOfText } from "#wire/content-id.ts";

type Tables = Pick<Profile, "strings" | "stringIds" | "locations" | "functions">;

/**
 * The tables with a truncated frame: a location and a function after the profile's own, which readers name by the lengths of the
 * tables without them.
 */
export function withTruncatedFrame<T extends Tables>(tables: T): T {
  const { strings, stringIds, locations, functions } = tables;
  return {
    ...tables,
    strings: [...strings, truncatedName],
    ...(stringIds === undefined ? {} : { stringIds: withId(stringIds, strings.length) }),
    locations: withLocation(locations, functions.length),
    functions: withFunction(functions, strings.length),
  };
}

function withId(stringIds: Uint32Array, name: number): Uint32Array<ArrayBuffer> {
  const ids = new Uint32Array(2 * (name + 1));
  ids.set(stringIds.subarray(0, 2 * name));
  idOfText(truncatedName, ids, name);
  return ids;
}

function withLocation(locations: LocationColumns, fn: number): LocationColumns {
  const { length } = locations;
  return {
    length: length + 1,
    id: appended(locations.id, new BigUint64Array(length + 1), unusedId(locations.id)),
    mapping: appended(locations.mapping, new Int32Array(length + 1), -1),
    address: appended(locations.address, new BigUint64Array(length + 1), 0n),
    isFolded: appended(locations.isFolded, new Uint8Array(length + 1), 0),
    lineStart: appended(locations.lineStart, new Uint32Array(length + 2), locations.lineStart[length] + 1),
    lineFunction: appended(locations.lineFunction, new Uint32Array(locations.line.length + 1), fn),
    line: appended(locations.line, new Int32Array(locations.line.length + 1), 0),
    column: appended(locations.column, new Int32Array(locations.line.length + 1), 0),
  };
}

function withFunction(functions: FunctionColumns, name: number): FunctionColumns {
  const { length } = functions;
  return {
    length: length + 1,
    id: appended(functions.id, new BigUint64Array(length + 1), unusedId(functions.id)),
    name: appended(functions.name, new Uint32Array(length + 1), name),
    systemName: appended(functions.systemName, new Uint32Array(length + 1), name),
    file: appended(functions.file, new Uint32Array(length + 1), 0),
    startLine: appended(functions.startLine, new Int32Array(length + 1), 0),
  };
}

interface Column<V> {
  readonly length: number;
  [index: number]: V;
  set(from: ArrayLike<V>): void;
}

/** `to`, which has room for one more than `from`. */
function appended<V, C extends Column<V>>(from: ArrayLike<V>, to: C, value: V): C {
  to.set(from);
  to[to.length - 1] = value;
  return to;
}

/** Profiles are written with the ids of their tables. */
function unusedId(ids: BigUint64Array): bigint {
  const used = new Set(ids);
  let id = BigInt(ids.length) + 1n;
  while (used.has(id)) id++;
  return id;
}
