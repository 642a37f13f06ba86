import type { LabelFilter } from "#http/query/label-filter.ts";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import { concatenated, type StackTotals } from "#store/column/read/stack-sums.ts";
import { inOrderOf, readLatestSampleTypes } from "#store/profiles/sample-type.ts";
import { groupNumbers } from "./label-groups.ts";
import {
  type LabelSet,
  matchesFilter,
  stacksBySet,
  type TypeTotalsBySet,
  totalsBySet,
} from "./label-parts.ts";
import {
  labelledStackTotals,
  labelledTotals,
  rolledLabelledStackTotals,
  rolledLabelledTotals,
} from "./label-queries.ts";
import { readByLabels } from "./label-sources.ts";
import { addTotals, type TypeTotals } from "./merge-queries.ts";
import { hoursAround } from "./range-totals.ts";
import type { MergeRange, SummedRange } from "./requested-range.ts";

export const noLabels: LabelFilter = { labelNames: [], labelValues: [] };

/** The totals of the samples with the labels, in the order in which profiles name their sample types. */
export async function readLabelledTotals(columns: ColumnStore, range: MergeRange): Promise<TypeTotals[]> {
  const labels = range.labels ?? noLabels;
  const params = { ...range, ...labels };
  const [{ parts, answers }, latest] = await Promise.all([
    readByLabels(columns, range, {
      parts: totalsBySet(columns),
      rolled: (hours) => columns.query(rolledLabelledTotals, { ...params, ...hours }),
      profiles: (except) => columns.query(labelledTotals, { ...params, ...except }),
    }),
    readLatestSampleTypes(columns, hoursAround(range)),
  ]);
  const sums = new Map<string, TypeTotals>();
  for (const row of [...answers.flat(), ...parts.map((part) => matchingTotals(part, labels))])
    addTotals(sums, row);
  return inOrderOf([...sums.keys()], latest).map((name) => sums.get(name)!);
}

function matchingTotals({ sets, ...type }: TypeTotalsBySet, labels: LabelFilter): TypeTotals {
  const matching = sets.filter((set) => matchesFilter(set.labels, labels));
  return { ...type, total: matching.reduce((sum, set) => sum + set.total, 0n) };
}

/** The values of a label that stacks are grouped by. */
interface Grouping {
  /** "" for one group of all. */
  readonly groupBy: string;
  readonly groups: string[];
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
  grouping: Grouping = { groupBy: "", groups: [] },
): Promise<LabelGroup[]> {
  const labels = range.labels ?? noLabels;
  const params = { ...range, ...labels, ...grouping };
  const { parts, answers } = await readByLabels(columns, range, {
    parts: stacksBySet(columns),
    rolled: (hours) => columns.queryBytes(rolledLabelledStackTotals, { ...params, ...hours }),
    profiles: (except) => columns.queryBytes(labelledStackTotals, { ...params, ...except }),
  });
  const groups = [
    ...answers.flatMap(groupsIn),
    ...parts.flatMap(({ labels: ofSet, ...stacks }) => {
      const number = groupOf(ofSet, labels, grouping);
      return number === undefined ? [] : [{ number, ...stacks }];
    }),
  ];
  return [...Map.groupBy(groups, ({ number }) => number)]
    .sort(([a], [b]) => a - b)
    .map(([number, ofNumber]) => ({ number, ...concatenated(ofNumber) }));
}

/**
 * The number of the group of a set; undefined where it does not match.
 *
 * @param set undefined where labels were not recorded
 */
function groupOf(
  set: LabelSet | undefined,
  filter: LabelFilter,
  { groupBy, groups }: Grouping,
): number | undefined {
  if (set === undefined) {
    if (filter.labelNames.length > 0) return undefined;
    return groupBy === "" ? groupNumbers.none : groupNumbers.unrecorded;
  }
  if (!matchesFilter(set, filter)) return undefined;
  const value = groupBy === "" ? undefined : set[groupBy];
  if (value === undefined) return groupNumbers.none;
  const index = groups.indexOf(value);
  return index === -1 ? groupNumbers.folded : groupNumbers.first + index;
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
