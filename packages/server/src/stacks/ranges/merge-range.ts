import { countColumn, isGauge } from "@flamekeep/profile";
import type { Context } from "#context";
import { hasLabels } from "#http/query/label-filter.ts";
import { type StackTotals, toTotals } from "#store/column/read/stack-sums.ts";
import type { HoursOfRange } from "#store/column/read/stack-totals.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import { fallbackSampleType, mainSampleType, sampleTypeIndex } from "#store/profiles/sample-type.ts";
import { refuseUnknownTags } from "#store/profiles/tag-names.ts";
import { Int64Column } from "./int64-column.ts";
import { readLabelGroups, readLabelledTotals } from "./labelled-range.ts";
import { taggedStackTotals, taggedTotals } from "./merge-queries.ts";
import { type RangeTotals, readTotalsOfAll, readTotalsWithWaiting } from "./range-totals.ts";
import type { MergeRange, SummedRange } from "./requested-range.ts";
import type { StackColumn } from "./stored-stacks.ts";

/** The content of the range, and the sample type to draw. */
export interface RangeContent {
  /** As `type/unit`, in the order in which profiles name them. */
  readonly sampleTypes: readonly string[];
  readonly sampleType: string;
  /** Number of profiles with the sample type. */
  readonly profiles: number;
  readonly total: bigint;
  readonly durationNs: bigint;
  /** Undefined if tags or labels select what counts, because roll-ups have neither. */
  readonly hours: HoursOfRange | undefined;
}

/** How rows that wait to be inserted are read: added to the stored ones, or inserted first. */
export type WaitingRows = "added" | "inserted";

/** Throws `unprocessable` for a sample type or a tag that no profile of the range has. */
export async function readRangeContent(
  ctx: Context,
  range: MergeRange,
  named: string | undefined,
  waiting: WaitingRows = "inserted",
): Promise<RangeContent> {
  return contentOf(range, await readRangeTotals(ctx, range, waiting), named);
}

/** Throws `unprocessable` for a tag that no profile of the range has. */
export async function readRangeTotals(
  ctx: Context,
  range: MergeRange,
  waiting: WaitingRows = "inserted",
): Promise<RangeTotals> {
  const totals = await totalsOf(ctx, range, waiting);
  if (totals.totals.length === 0) await refuseUnknownTags(ctx.columns, range, range.tagNames);
  return totals;
}

/** Throws `unprocessable` for a sample type that no profile of the range has. */
export function contentOf(
  range: Pick<MergeRange, "type">,
  { totals, hours }: RangeTotals,
  named: string | undefined,
): RangeContent {
  const sampleTypes = totals.map((row) => row.sampleType);
  if (sampleTypes.length === 0) {
    return {
      sampleTypes,
      sampleType: named ?? fallbackSampleType(range.type),
      profiles: 0,
      total: 0n,
      durationNs: 0n,
      hours,
    };
  }
  const sums = totals.map(({ total }) => total);
  const index = sampleTypeIndex(sampleTypes, named, "range") ?? mainSampleType(sampleTypes, sums, range.type);
  return { sampleTypes, ...totals[index]!, hours };
}

async function totalsOf({ columns }: Context, range: MergeRange, waiting: WaitingRows): Promise<RangeTotals> {
  if (hasLabels(range.labels) || range.skipsUnrecordedLabels)
    return { totals: await readLabelledTotals(columns, range), hours: undefined };
  if (range.tagNames.length > 0)
    return { totals: await columns.query(taggedTotals, range), hours: undefined };
  return waiting === "added" ? readTotalsWithWaiting(columns, range) : readTotalsOfAll(columns, range);
}

export function isAveraged(sampleType: string): boolean {
  return isGauge(toValueType(sampleType));
}

/** How the sums of a range become columns. */
interface ColumnPlan {
  readonly sampleType: string;
  /** The type that counts samples; empty if there is none, or if it is `sampleType`. */
  readonly additionalType: string;
  readonly divisor: number;
}

export function columnPlanOf({ sampleType, sampleTypes, profiles }: RangeContent): ColumnPlan {
  const counted = sampleTypes[countColumn(sampleTypes.map(toValueType), sampleTypes.indexOf(sampleType))];
  return {
    sampleType,
    additionalType: counted === undefined || counted === sampleType ? "" : counted,
    divisor: isAveraged(sampleType) ? Math.max(1, profiles) : 1,
  };
}

/** The column of the sample type, and the column of the number of samples if there is one. */
export function plannedColumns(
  { sampleType, additionalType, divisor }: ColumnPlan,
  { ids, totals, additional }: StackTotals,
): StackColumn[] {
  const main = { sampleType: toValueType(sampleType), ids, values: totals, divisor };
  if (additionalType === "") return [main];
  return [main, { sampleType: toValueType(additionalType), ids, values: additional, divisor }];
}

/** The column of a range without profiles. */
export function emptyColumn(sampleType: string): StackColumn {
  return {
    sampleType: toValueType(sampleType),
    ids: new BigUint64Array(0),
    values: new BigInt64Array(0),
    divisor: 1,
  };
}

/** The total of each stack over the range, followed by its number of samples if there is such a column. */
export async function stackColumns(
  ctx: Context,
  range: MergeRange,
  content: RangeContent,
): Promise<StackColumn[]> {
  const { sampleType, profiles, hours } = content;
  if (profiles === 0) return [emptyColumn(sampleType)];
  const plan = columnPlanOf(content);
  const { additionalType } = plan;
  return plannedColumns(plan, await totalsByStack(ctx, { ...range, sampleType, additionalType }, hours));
}

/** The total of each stack over the range, not divided. */
export async function stackTotals(
  ctx: Context,
  range: MergeRange,
  { sampleType, profiles, hours }: RangeContent,
): Promise<StackColumn> {
  if (profiles === 0) return emptyColumn(sampleType);
  const whole = { ...range, sampleType, additionalType: "" };
  const { ids, totals: values } = await totalsByStack(ctx, whole, hours);
  return { sampleType: toValueType(sampleType), ids, values, divisor: 1 };
}

async function totalsByStack(
  { columns }: Context,
  range: SummedRange,
  hours: HoursOfRange | undefined,
): Promise<StackTotals> {
  if (hours !== undefined) return columns.stackTotals(range, hours);
  if (hasLabels(range.labels)) {
    const [all] = await readLabelGroups(columns, range);
    return (
      all ?? { ids: new BigUint64Array(0), totals: new BigInt64Array(0), additional: new BigInt64Array(0) }
    );
  }
  return toTotals(await columns.queryBytes(taggedStackTotals, range));
}

/** False if a profile was stored after the total of the range was read and before its stacks were. */
export function matchesTotal(
  columns: readonly StackColumn[],
  { total }: Pick<RangeContent, "total">,
): boolean {
  const [first] = columns;
  let sum = 0n;
  for (const { sampleType, values } of columns)
    if (sampleType.type === first?.sampleType.type) sum += new Int64Column(values).sum();
  return BigInt.asIntN(64, sum) === total;
}
