import type { SampleLabels } from "#labels/sample-labels.ts";
import type { LabelColumns, Profile, SampleColumns, ValueColumn } from "#model/profile.ts";
import type { StackTable, ValueType } from "#model/stack-table.ts";
import type { ProfileStacks } from "#stacks/read-stacks.ts";
import { isSame, type Measure } from "./measures.ts";

/**
 * The columns of a profile that measure one type. If these are not all of its columns, stacks without a value in any of them are
 * left out: they belong to another type.
 */
export function withMeasures(profile: ProfileStacks, measures: readonly Measure[]): ProfileStacks {
  if (areAll(measures, profile.sampleTypes)) return profile;
  const { stacks, labels } = profile;
  const sampleTypes = measures.map(({ sampleType }) => sampleType);
  const columns = measures.map((measure) => columnOf(measure, stacks.values));
  const kept = keptRows(columns, stacks.length, usesAll(measures, profile.sampleTypes));
  return {
    ...profile,
    ...namesOf(profile, measures),
    stacks: { ...rowsOf(stacks, kept), sampleTypes, values: columns.map((column) => picked(column, kept)) },
    labels: typeof labels === "object" ? labelsOf(labels, measures, kept, stacks.length) : labels,
  };
}

/** As `withMeasures`, of a profile whose samples are not summed by stack. */
export function samplesWithMeasures(profile: Profile, measures: readonly Measure[]): Profile {
  if (areAll(measures, profile.sampleTypes)) return profile;
  const { samples, labels } = profile;
  const columns = measures.map((measure) => columnOf(measure, samples.values));
  const kept = keptRows(columns, samples.length, usesAll(measures, profile.sampleTypes));
  const [locationStart, location] = lists(samples.locationStart, samples.location, kept);
  const [labelStart, label] = lists(
    samples.labelStart,
    Uint32Array.from({ length: labels.length }, (_, index) => index),
    kept,
  );
  const ofKept: SampleColumns = {
    length: kept.length,
    locationStart,
    location,
    labelStart,
    values: columns.map((column) => picked(column, kept)),
  };
  return { ...profile, ...namesOf(profile, measures), samples: ofKept, labels: labelRows(labels, label) };
}

/** Whether the measures are all columns of the profile, as they are. */
export function areAll(measures: readonly Measure[], sampleTypes: readonly ValueType[]): boolean {
  return (
    measures.length === sampleTypes.length &&
    measures.every(
      ({ sampleType, columns, by, per }, index) =>
        columns.length === 1 && columns[0] === index && by === per && isSame(sampleType, sampleTypes[index]),
    )
  );
}

function usesAll(measures: readonly Measure[], sampleTypes: readonly ValueType[]): boolean {
  return new Set(measures.flatMap(({ columns }) => columns)).size === sampleTypes.length;
}

function namesOf({ sampleTypes, defaultSampleType }: Profile | ProfileStacks, measures: readonly Measure[]) {
  const isDeclared = ({ columns, by, per }: Measure) =>
    by === per && columns.some((column) => sampleTypes[column].type === defaultSampleType);
  return {
    sampleTypes: measures.map(({ sampleType }) => sampleType),
    defaultSampleType: measures.find(isDeclared)?.sampleType.type ?? "",
  };
}

/** Above this, sums of doubles are not exact. */
const exactMax = 2 ** 53;

function columnOf({ columns, by, per }: Measure, values: readonly ValueColumn[]): ValueColumn {
  const [first, ...others] = columns.map((column) => values[column]);
  if (others.length === 0 && by === per) return first;
  const sums = Float64Array.from(first, Number);
  for (const column of others) for (let row = 0; row < sums.length; row++) sums[row] += Number(column[row]);
  const factor = Number(by) / Number(per);
  let whole = 0;
  for (let row = 0; row < sums.length; row++) {
    sums[row] = per === 1n ? sums[row] * factor : Math.round(sums[row] * factor);
    whole += Math.abs(sums[row]);
  }
  return whole <= exactMax
    ? sums
    : exactly(
        columns.map((column) => values[column]),
        by,
        per,
      );
}

function exactly(columns: readonly ValueColumn[], by: bigint, per: bigint): BigInt64Array {
  const sums = new BigInt64Array(columns[0].length);
  for (let row = 0; row < sums.length; row++) {
    const sum = columns.reduce((total, column) => total + BigInt(column[row]), 0n) * by;
    sums[row] = BigInt.asIntN(64, (sum + (sum < 0n ? -per : per) / 2n) / per);
  }
  return sums;
}

/** The rows with a value, or all of them. */
function keptRows(columns: readonly ValueColumn[], length: number, keepsAll: boolean): Uint32Array {
  const kept = new Uint32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++)
    if (keepsAll || columns.some((column) => Number(column[row]) !== 0)) kept[count++] = row;
  return kept.subarray(0, count);
}

function picked<T extends ValueColumn | Uint32Array>(column: T, rows: Uint32Array): T {
  const copy = column.slice(0, rows.length) as T;
  for (let at = 0; at < rows.length; at++) copy[at] = column[rows[at]];
  return copy;
}

/** The lists of some rows: their starts, and their elements. */
function lists(start: Uint32Array, elements: Uint32Array, rows: Uint32Array): [Uint32Array, Uint32Array] {
  const starts = new Uint32Array(rows.length + 1);
  for (let at = 0; at < rows.length; at++)
    starts[at + 1] = starts[at] + start[rows[at] + 1] - start[rows[at]];
  const copy = new Uint32Array(starts[rows.length]);
  for (let at = 0; at < rows.length; at++)
    copy.set(elements.subarray(start[rows[at]], start[rows[at] + 1]), starts[at]);
  return [starts, copy];
}

function rowsOf(stacks: StackTable, kept: Uint32Array): Omit<StackTable, "sampleTypes" | "values"> {
  const [start, frame] = lists(stacks.start, stacks.frame, kept);
  const { frames, ids } = stacks;
  const rest = { frames, length: kept.length, start, frame };
  if (ids === undefined) return rest;
  const ofKept = new Uint32Array(2 * kept.length);
  for (let at = 0; at < kept.length; at++) {
    ofKept[2 * at] = ids[2 * kept[at]];
    ofKept[2 * at + 1] = ids[2 * kept[at] + 1];
  }
  return { ...rest, ids: ofKept };
}

function labelRows(labels: LabelColumns, rows: Uint32Array): LabelColumns {
  return {
    length: rows.length,
    key: picked(labels.key, rows),
    text: picked(labels.text, rows),
    number: picked(labels.number, rows),
    unit: picked(labels.unit, rows),
  };
}

function labelsOf(
  labels: SampleLabels,
  measures: readonly Measure[],
  kept: Uint32Array,
  stacks: number,
): SampleLabels | "unreadable" {
  const columns = measures.map((measure) => columnOf(measure, labels.values));
  const exact = columns.filter((column) => column instanceof Float64Array);
  if (exact.length < columns.length) return "unreadable";
  const placeOf = new Int32Array(stacks).fill(-1);
  for (let at = 0; at < kept.length; at++) placeOf[kept[at]] = at;
  const rows = Uint32Array.from(labels.stack.keys()).filter((row) => placeOf[labels.stack[row]] !== -1);
  const set = new Uint16Array(rows.length);
  for (let at = 0; at < rows.length; at++) set[at] = labels.set[rows[at]];
  return {
    ...labels,
    stack: picked(labels.stack, rows).map((stack) => placeOf[stack]),
    set,
    values: exact.map((column) => picked(column, rows)),
  };
}
