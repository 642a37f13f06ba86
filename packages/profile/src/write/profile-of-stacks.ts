import { nothingTrimmed } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import type { FrameTable, StackTable, ValueType } from "#model/stack-table.ts";
import type { Nanoseconds } from "#model/units.ts";

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
    const key = JSON.stringify([functionName[i], storedName[i], frames.file[i], frames.startLine[i]]);
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
