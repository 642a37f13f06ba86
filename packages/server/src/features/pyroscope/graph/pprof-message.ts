import {
  type Profile,
  profileOfStacks,
  type StackFacts,
  type StackTable,
  writeProfile,
} from "@flamekeep/profile";

/** Which frames of stacks a profile has. */
export interface StackParts {
  /** Only stacks that begin with these functions, from the root on. */
  readonly callSite: readonly string[];
  /** The innermost frames to keep, for profile-guided optimization of Go; 0 for all. */
  readonly keptFrames: number;
  /** Whether the line of the innermost frame does not count. */
  readonly ignoresLeafLine: boolean;
}

/** The stacks that begin with the call site. Values of others are 0. */
export function belowCallSite(stacks: StackTable, callSite: readonly string[]): StackTable {
  if (callSite.length === 0) return stacks;
  const { start, frame, frames } = stacks;
  const values = stacks.values.map((column) => Float64Array.from(numbersOf(column)));
  for (let stack = 0; stack < stacks.length; stack++) {
    const end = start[stack + 1]!;
    const isBelow =
      end - start[stack]! >= callSite.length &&
      callSite.every((name, depth) => frames.functionName[frame[end - 1 - depth]!] === name);
    if (!isBelow) for (const column of values) column[stack] = 0;
  }
  return { ...stacks, values };
}

/** The innermost frames of each stack; stacks that become equal are one. */
export function innermostFrames(stacks: StackTable, { keptFrames, ignoresLeafLine }: StackParts): StackTable {
  if (keptFrames === 0) return stacks;
  const { frames } = stacks;
  const leaves = ignoresLeafLine ? firstOfFunction(frames) : undefined;
  const rows = new Map<string, number>();
  const start = [0];
  const frame: number[] = [];
  const sums: number[] = [];
  for (let stack = 0; stack < stacks.length; stack++) {
    const from = stacks.start[stack]!;
    const kept = [...stacks.frame.subarray(from, Math.min(stacks.start[stack + 1]!, from + keptFrames))];
    if (leaves !== undefined && kept.length > 0) kept[0] = leaves[kept[0]!]!;
    const key = kept.join(" ");
    let row = rows.get(key);
    if (row === undefined) {
      row = sums.push(0) - 1;
      rows.set(key, row);
      frame.push(...kept);
      start.push(frame.length);
    }
    sums[row] = sums[row]! + Number(stacks.values[0]![stack]);
  }
  return {
    ...stacks,
    length: sums.length,
    start: Uint32Array.from(start),
    frame: Uint32Array.from(frame),
    values: [Float64Array.from(sums)],
  };
}

/** For each frame: the first one of the same function. */
function firstOfFunction({ length, functionName, file, startLine }: StackTable["frames"]): Uint32Array {
  const first = new Map<string, number>();
  return Uint32Array.from({ length }, (_, at) => {
    const key = `${functionName[at]}\n${file[at]}\n${startLine[at]}`;
    const existing = first.get(key);
    if (existing === undefined) first.set(key, at);
    return existing ?? at;
  });
}

/** The stacks of the first column as a profile of pprof. Those without a value are left out. */
export function profileOfColumn(stacks: StackTable, facts: StackFacts): Profile {
  const column = numbersOf(stacks.values[0]!);
  const values = column.map(Math.round);
  const kept = [...values.keys()].filter((stack) => values[stack] !== 0);
  const start = [0];
  const frame: number[] = [];
  for (const stack of kept) {
    for (let at = stacks.start[stack]!; at < stacks.start[stack + 1]!; at++) frame.push(stacks.frame[at]!);
    start.push(frame.length);
  }
  const table = {
    ...stacks,
    sampleTypes: stacks.sampleTypes.slice(0, 1),
    length: kept.length,
    start: Uint32Array.from(start),
    frame: Uint32Array.from(frame),
    values: [Float64Array.from(kept, (stack) => values[stack]!)],
  };
  return profileOfStacks(withWholeNumbers(table), facts);
}

/** Sums beyond 2^53 need 64 bits. */
function withWholeNumbers(table: StackTable): StackTable {
  const [column] = table.values;
  if (column === undefined || numbersOf(column).every(Number.isSafeInteger)) return table;
  return { ...table, values: [BigInt64Array.from(numbersOf(column), BigInt)] };
}

function numbersOf(column: StackTable["values"][number]): Float64Array {
  return column instanceof Float64Array ? column : Float64Array.from(column, Number);
}

/** `google.v1.Profile`. */
export function profileMessage(profile: Profile, isJson: boolean): Uint8Array<ArrayBuffer> {
  return isJson ? Uint8Array.from(Buffer.from(JSON.stringify(profileJson(profile)))) : writeProfile(profile);
}

/** In protobuf's JSON. Profiles that are made of stacks have neither labels nor mappings. */
function profileJson(profile: Profile): object {
  const { strings, samples, locations, functions, timeNs, durationNs, period } = profile;
  // Texts that the profile names without an entry of the table.
  const texts = [...strings];
  const text = (value: string) =>
    String(texts.includes(value) ? texts.indexOf(value) : texts.push(value) - 1);
  const typeOf = ({ type, unit }: { type: string; unit: string }) => ({ type: text(type), unit: text(unit) });
  const head = present({
    timeNanos: String(timeNs),
    durationNanos: String(durationNs),
    period: String(period),
    defaultSampleType: text(profile.defaultSampleType),
  });
  const types = { sampleType: profile.sampleTypes.map(typeOf), periodType: typeOf(profile.periodType) };
  return {
    ...types,
    ...head,
    sample: Array.from({ length: samples.length }, (_, sample) => ({
      locationId: Array.from(
        samples.location.subarray(samples.locationStart[sample], samples.locationStart[sample + 1]),
        (location) => String(locations.id[location]),
      ),
      value: samples.values.map((column) => String(column[sample])),
    })),
    location: Array.from({ length: locations.length }, (_, location) => ({
      id: String(locations.id[location]),
      line: Array.from(
        locations.lineFunction.subarray(locations.lineStart[location], locations.lineStart[location + 1]),
        (fn, at) =>
          present({
            functionId: String(functions.id[fn]),
            line: String(locations.line[locations.lineStart[location]! + at]),
          }),
      ),
    })),
    function: Array.from({ length: functions.length }, (_, fn) =>
      present({
        id: String(functions.id[fn]),
        name: String(functions.name[fn]),
        systemName: String(functions.systemName[fn]),
        filename: String(functions.file[fn]),
        startLine: String(functions.startLine[fn]),
      }),
    ),
    stringTable: texts,
  };
}

/** Fields that are 0 are left out. */
function present(fields: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "0"));
}
