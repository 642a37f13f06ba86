import { halvesOf } from "#memory/growable.ts";
import { nothingTrimmed } from "#model/limits.ts";
import type { Profile, ValueColumn } from "#model/profile.ts";
import type { FrameTable, StackTable, ValueType } from "#model/stack-table.ts";
import type { Nanoseconds } from "#model/units.ts";
import { WireWriter } from "#wire/wire-writer.ts";

/** Raw protobuf, not compressed. Reading it again gives the same profile, start lines and labels included. */
export function writeProfile(profile: Profile): Uint8Array<ArrayBuffer> {
  const wire = new WireWriter();
  const strings = new StringIndexes(profile.strings);
  for (const type of profile.sampleTypes) writeValueType(wire, 1, type, strings);
  writeSamples(wire, profile);
  writeMappings(wire, profile);
  writeLocations(wire, profile);
  writeFunctions(wire, profile);
  const { dropFrames, keepFrames, comments, defaultSampleType, docUrl, periodType } = profile;
  wire.uint32(7, strings.indexOf(dropFrames));
  wire.uint32(8, strings.indexOf(keepFrames));
  wire.bigint(9, profile.timeNs);
  wire.bigint(10, profile.durationNs);
  if (periodType.type !== "" || periodType.unit !== "") writeValueType(wire, 11, periodType, strings);
  wire.bigint(12, profile.period);
  if (comments.length > 0) {
    wire.block(13, () => {
      for (const comment of comments) wire.element(strings.indexOf(comment), 0);
    });
  }
  wire.uint32(14, strings.indexOf(defaultSampleType));
  wire.uint32(15, strings.indexOf(docUrl));
  for (const text of strings.texts) wire.text(6, text);
  return wire.toBytes();
}

/** Finds texts in the string table, and adds missing ones. */
class StringIndexes {
  readonly texts: string[];
  private readonly indexes = new Map<string, number>();

  constructor(strings: readonly string[]) {
    this.texts = strings.length === 0 ? [""] : [...strings];
    for (let i = this.texts.length - 1; i >= 0; i--) this.indexes.set(this.texts[i], i);
  }

  indexOf(text: string): number {
    const existing = this.indexes.get(text);
    if (existing !== undefined) return existing;
    const index = this.texts.push(text) - 1;
    this.indexes.set(text, index);
    return index;
  }
}

function writeValueType(wire: WireWriter, field: number, type: ValueType, strings: StringIndexes): void {
  wire.block(field, () => {
    wire.uint32(1, strings.indexOf(type.type));
    wire.uint32(2, strings.indexOf(type.unit));
  });
}

function writeSamples(wire: WireWriter, { samples, locations, labels }: Profile): void {
  const ids = halvesOf(locations.id);
  const values = samples.values.map(toWide).map(halvesOf);
  const numbers = halvesOf(labels.number);
  for (let i = 0; i < samples.length; i++) {
    const from = samples.locationStart[i];
    const to = samples.locationStart[i + 1];
    wire.block(2, () => {
      if (to > from) {
        wire.block(1, () => {
          for (let j = from; j < to; j++) {
            const location = samples.location[j];
            wire.element(ids[2 * location], ids[2 * location + 1]);
          }
        });
      }
      wire.block(2, () => {
        for (const column of values) wire.element(column[2 * i], column[2 * i + 1]);
      });
      for (let j = samples.labelStart[i]; j < samples.labelStart[i + 1]; j++) {
        wire.block(3, () => {
          wire.uint32(1, labels.key[j]);
          wire.uint32(2, labels.text[j]);
          wire.halves(3, numbers[2 * j], numbers[2 * j + 1]);
          wire.uint32(4, labels.unit[j]);
        });
      }
    });
  }
}

function toWide(column: ValueColumn): BigInt64Array {
  if (column instanceof BigInt64Array) return column;
  const wide = new BigInt64Array(column.length);
  for (let i = 0; i < column.length; i++) wide[i] = BigInt(column[i]);
  return wide;
}

function writeMappings(wire: WireWriter, { mappings }: Profile): void {
  for (let i = 0; i < mappings.length; i++) {
    wire.block(3, () => {
      wire.bigint(1, mappings.id[i]);
      wire.bigint(2, mappings.start[i]);
      wire.bigint(3, mappings.limit[i]);
      wire.bigint(4, mappings.offset[i]);
      wire.uint32(5, mappings.file[i]);
      wire.uint32(6, mappings.buildId[i]);
      for (let bit = 0; bit < 4; bit++) wire.uint32(7 + bit, (mappings.flags[i] >>> bit) & 1);
    });
  }
}

function writeLocations(wire: WireWriter, { locations, mappings, functions }: Profile): void {
  const functionIds = halvesOf(functions.id);
  for (let i = 0; i < locations.length; i++) {
    wire.block(4, () => {
      wire.bigint(1, locations.id[i]);
      const mapping = locations.mapping[i];
      if (mapping >= 0) wire.bigint(2, mappings.id[mapping]);
      wire.bigint(3, locations.address[i]);
      for (let j = locations.lineStart[i]; j < locations.lineStart[i + 1]; j++) {
        wire.block(4, () => {
          const fn = locations.lineFunction[j];
          wire.halves(1, functionIds[2 * fn], functionIds[2 * fn + 1]);
          wire.int32(2, locations.line[j]);
          wire.int32(3, locations.column[j]);
        });
      }
      wire.uint32(5, locations.isFolded[i]);
    });
  }
}

function writeFunctions(wire: WireWriter, { functions }: Profile): void {
  for (let i = 0; i < functions.length; i++) {
    wire.block(5, () => {
      wire.bigint(1, functions.id[i]);
      wire.uint32(2, functions.name[i]);
      wire.uint32(3, functions.systemName[i]);
      wire.uint32(4, functions.file[i]);
      wire.int32(5, functions.startLine[i]);
    });
  }
}

export interface StackFacts {
  readonly timeNs?: Nanoseconds;
  readonly durationNs?: Nanoseconds;
  readonly periodType?: ValueType;
  readonly period?: bigint;
  readonly defaultSampleType?: string;
  readonly comments?: readonly string[];
}

/** A profile that holds a stack table: for exporting merged or compared stacks as pprof. */
export function profileOfStacks(table: StackTable, facts: StackFacts = {}): Profile {
  const { frames } = table;
  const { strings, functions, lineFunction } = functionsOf(frames);
  const { timeNs = 0n, durationNs = 0n, period = 0n, defaultSampleType = "", comments = [] } = facts;
  return {
    sampleTypes: table.sampleTypes,
    defaultSampleType,
    periodType: facts.periodType ?? { type: "", unit: "" },
    period,
    timeNs,
    durationNs,
    dropFrames: "",
    keepFrames: "",
    comments,
    docUrl: "",
    strings,
    samples: {
      length: table.length,
      locationStart: table.start,
      location: table.frame,
      labelStart: new Uint32Array(table.length + 1),
      values: table.values,
    },
    labels: { length: 0, key: empty, text: empty, number: new BigInt64Array(0), unit: empty },
    mappings: noMappings,
    locations: {
      length: frames.length,
      id: idsTo(frames.length),
      mapping: new Int32Array(frames.length).fill(-1),
      address: new BigUint64Array(frames.length),
      isFolded: new Uint8Array(frames.length),
      lineStart: Uint32Array.from({ length: frames.length + 1 }, (_, i) => i),
      lineFunction,
      line: frames.line,
      column: new Int32Array(frames.length),
    },
    functions,
    trimmed: nothingTrimmed,
  };
}

/** Frames with equal names, file and start line share a function; `lineFunction` has the function of each frame. */
function functionsOf(frames: FrameTable) {
  const strings = new Map<string, number>([["", 0]]);
  const index = (text: string) => {
    const existing = strings.get(text);
    if (existing !== undefined) return existing;
    strings.set(text, strings.size);
    return strings.size - 1;
  };
  const indexes = new Map<string, number>();
  const columns = {
    name: [] as number[],
    systemName: [] as number[],
    file: [] as number[],
    startLine: [] as number[],
  };
  const { functionName, storedName = functionName } = frames;
  const lineFunction = new Uint32Array(frames.length);
  for (let i = 0; i < frames.length; i++) {
    const [name, stored] = [functionName[i], storedName[i]];
    const names = stored === name ? name : `${name}${stored}`;
    const key = `${name.length} ${frames.startLine[i]} ${names.length} ${names}${frames.file[i]}`;
    const existing = indexes.get(key);
    lineFunction[i] = existing ?? indexes.size;
    if (existing !== undefined) continue;
    indexes.set(key, indexes.size);
    columns.name.push(index(functionName[i]));
    columns.systemName.push(index(storedName[i]));
    columns.file.push(index(frames.file[i]));
    columns.startLine.push(frames.startLine[i]);
  }
  const functions = {
    length: indexes.size,
    id: idsTo(indexes.size),
    name: Uint32Array.from(columns.name),
    systemName: Uint32Array.from(columns.systemName),
    file: Uint32Array.from(columns.file),
    startLine: Int32Array.from(columns.startLine),
  };
  return { strings: [...strings.keys()], functions, lineFunction };
}

const empty = new Uint32Array(0);
const none = new BigUint64Array(0);
const noMappings = {
  length: 0,
  id: none,
  start: none,
  limit: none,
  offset: none,
  file: empty,
  buildId: empty,
  flags: new Uint8Array(0),
};

function idsTo(count: number): BigUint64Array {
  return BigUint64Array.from({ length: count }, (_, i) => BigInt(i + 1));
}
