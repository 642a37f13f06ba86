import type { ProfileStacks } from "#fast-reader/fast-profile.ts";
import type { ValueColumn } from "#model/profile.ts";
import type { FrameTable, StackTable, ValueType } from "#model/stack-table.ts";
import type { Nanoseconds } from "#model/units.ts";

/** One sample type of a table. */
export interface TypeOfTable {
  readonly stacks: StackTable;
  readonly sampleType: number;
}

/**
 * One table with two columns: the values of `before` and the values of `after`. Equal stacks and frames of two tables stay apart: a call
 * tree finds them by name. The columns of the result are new, so the tables may be overwritten afterwards.
 */
export function pairStacks(before: TypeOfTable, after: TypeOfTable): StackTable {
  const [a, b] = [before.stacks, after.stacks];
  const sampleTypes = [a.sampleTypes[before.sampleType], b.sampleTypes[after.sampleType]];
  const [valuesBefore, valuesAfter] = [a.values[before.sampleType], b.values[after.sampleType]];
  if (a === b) return { ...a, sampleTypes, values: [valuesBefore, valuesAfter] };
  const start = new Uint32Array(a.length + b.length + 1);
  start.set(a.start.subarray(0, a.length + 1));
  const members = a.start[a.length];
  for (let stack = 0; stack <= b.length; stack++) start[a.length + stack] = members + b.start[stack];
  const frame = new Uint32Array(members + b.start[b.length]);
  frame.set(a.frame.subarray(0, members));
  for (let at = 0; at < b.start[b.length]; at++) frame[members + at] = a.frames.length + b.frame[at];
  return {
    sampleTypes,
    frames: {
      length: a.frames.length + b.frames.length,
      ...joinedNames(a.frames, b.frames),
      file: [...a.frames.file, ...b.frames.file],
      line: joined(a.frames.line, b.frames.line),
      startLine: joined(a.frames.startLine, b.frames.startLine),
    },
    length: a.length + b.length,
    start,
    frame,
    values: [column(valuesBefore, b.length, "zeros last"), column(valuesAfter, a.length, "zeros first")],
  };
}

function joinedNames(a: FrameTable, b: FrameTable): Pick<FrameTable, "functionName" | "storedName"> {
  const functionName = [...a.functionName, ...b.functionName];
  if (a.storedName === undefined && b.storedName === undefined) return { functionName };
  const storedName = [...(a.storedName ?? a.functionName), ...(b.storedName ?? b.functionName)];
  return { functionName, storedName };
}

function joined(a: Int32Array, b: Int32Array): Int32Array {
  const all = new Int32Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

function column(values: ValueColumn, zeros: number, order: "zeros first" | "zeros last"): ValueColumn {
  const from = order === "zeros first" ? zeros : 0;
  if (values instanceof BigInt64Array) {
    const all = new BigInt64Array(values.length + zeros);
    all.set(values, from);
    return all;
  }
  const all = new Float64Array(values.length + zeros);
  all.set(values, from);
  return all;
}

/**
 * Go's handlers subtract every column of two snapshots where `?seconds=` is given. For allocations this is what was
 * allocated in between; for `inuse_*` it is the change of memory in use, which must not be shown as memory in use.
 * (`serveDeltaProfile` in Go's net/http/pprof.)
 */
export function hasGaugeDifferences(
  sampleTypes: readonly ValueType[],
  values: readonly ValueColumn[],
  durationNs: Nanoseconds,
): boolean {
  const pairs = sampleTypes.flatMap(({ type }, gauge) => {
    const allocated = sampleTypes.findIndex((other) => other.type === type.replace(/^inuse_/, "alloc_"));
    return type.startsWith("inuse_") && allocated >= 0
      ? [{ inUse: values[gauge], allocated: values[allocated] }]
      : [];
  });
  if (pairs.some(({ inUse }) => hasNegative(inUse))) return true;
  // Memory in use outlives a window: a true gauge exceeds what the window allocated at nearly every stack.
  return (
    durationNs > 0n && pairs.length > 0 && pairs.every(({ inUse, allocated }) => isAtMost(inUse, allocated))
  );
}

/** A loop, because `some` takes ten times as long. */
export function hasNegative(column: ValueColumn): boolean {
  for (let i = 0; i < column.length; i++) if (column[i] < 0) return true;
  return false;
}

function isAtMost(column: ValueColumn, most: ValueColumn): boolean {
  for (let i = 0; i < column.length; i++) if (column[i] > most[i]) return false;
  return true;
}

function isInUse({ type }: ValueType): boolean {
  return type.startsWith("inuse_");
}

/**
 * The profile without `inuse_*` where these are differences; otherwise the profile itself.
 *
 * @param keepsGrowth whether only negative values show that they are
 */
export function withoutGaugeDifferences(profile: ProfileStacks, { keepsGrowth = false } = {}): ProfileStacks {
  const { sampleTypes, stacks, durationNs } = profile;
  if (!hasGaugeDifferences(sampleTypes, stacks.values, keepsGrowth ? 0n : durationNs)) return profile;
  const left = sampleTypes.filter((sampleType) => !isInUse(sampleType));
  const kept = <T>(columns: readonly T[]) => columns.filter((_, i) => !isInUse(sampleTypes[i]));
  const { labels } = profile;
  return {
    ...profile,
    sampleTypes: left,
    stacks: { ...stacks, sampleTypes: left, values: kept(stacks.values) },
    labels: typeof labels === "object" ? { ...labels, values: kept(labels.values) } : labels,
  };
}
