import type { LabelFilter } from "#http/query/label-filter.ts";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import { concatenated, type StackTotals } from "#store/column/read/stack-sums.ts";
import { inOrderOf, readLatestSampleTypes } from "#store/profiles/sample-type.ts";
import { hasOtherHours, readLabelHours, wholeHours } from "./label-hours.ts";
import {
  labelledStackTotals,
  labelledTotals,
  rolledLabelledStackTotals,
  rolledLabelledTotals,
} from "./label-queries.ts";
import { addTotals, type TypeTotals } from "./merge-queries.ts";
import type { MergeRange, SummedRange } from "./requested-range.ts";

export const noLabels: LabelFilter = { labelNames: [], labelValues: [] };

/** The totals of the samples with the labels, in the order in which profiles name their sample types. */
export async function readLabelledTotals(columns: ColumnStore, range: MergeRange): Promise<TypeTotals[]> {
  const labels = range.labels ?? noLabels;
  const hours = await readLabelHours(columns, range);
  const params = { ...range, ...labels, ...hours };
  if (hours.hours.length === 0) return columns.query(labelledTotals, params);
  const [others, rolled, latest] = await Promise.all([
    hasOtherHours(range, hours) ? columns.query(labelledTotals, params) : [],
    columns.query(rolledLabelledTotals, { ...params, ...wholeHours(range) }),
    readLatestSampleTypes(columns, range),
  ]);
  const sums = new Map<string, TypeTotals>();
  for (const row of [...others, ...rolled]) addTotals(sums, row);
  return inOrderOf([...sums.keys()], latest).map((name) => sums.get(name)!);
}

/** The stacks of the samples with one value of a label. A stack may occur several times, as in `StackTotals`. */
export interface LabelGroup extends StackTotals {
  /** See `groupNumbers`. */
  readonly number: number;
}

/** The stacks of the samples with the labels of the range, by the values of a label; all in one group without one. */
export async function readLabelGroups(
  columns: ColumnStore,
  range: SummedRange,
  { groupBy, groups }: { readonly groupBy: string; readonly groups: string[] } = { groupBy: "", groups: [] },
): Promise<LabelGroup[]> {
  const hours = await readLabelHours(columns, range);
  const params = { ...range, ...(range.labels ?? noLabels), ...hours, groupBy, groups };
  const answers = await Promise.all([
    ...(hours.hours.length > 0
      ? [columns.queryBytes(rolledLabelledStackTotals, { ...params, ...wholeHours(range) })]
      : []),
    ...(hasOtherHours(range, hours) ? [columns.queryBytes(labelledStackTotals, params)] : []),
  ]);
  const found = new Map<number, LabelGroup[]>();
  for (const group of answers.flatMap(groupsIn))
    found.set(group.number, [...(found.get(group.number) ?? []), group]);
  return [...found.keys()]
    .sort((a, b) => a - b)
    .map((number) => ({ number, ...concatenated(found.get(number)!) }));
}

function groupsIn(bytes: Buffer): LabelGroup[] {
  const answer = new RowBinaryReader(bytes);
  const found: LabelGroup[] = [];
  while (!answer.isAtEnd)
    found.push({
      number: Number(answer.uint64()),
      ids: answer.uint64s(),
      totals: answer.int64s(),
      additional: answer.int64s(),
    });
  return found;
}
