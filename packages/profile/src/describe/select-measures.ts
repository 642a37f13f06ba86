import type { ProfileStacks } from "#fast-reader/fast-profile.ts";
import type { SampleLabels } from "#labels/sample-labels.ts";
import type { LabelColumns, Profile, SampleColumns, ValueColumn } from "#model/profile.ts";
import type { ValueType } from "#model/stack-table.ts";
import { keptRows, lists, picked, rowsOf } from "#stacks/stack-rows.ts";
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
