import { limits } from "@flamekeep/contract";
import type { Context } from "#context";
import { numberedGroupName } from "./label-groups.ts";
import { readLabelValues } from "./label-values.ts";
import { readLabelGroups } from "./labelled-range.ts";
import { columnPlanOf, emptyColumn, plannedColumns, type RangeContent } from "./merge-range.ts";
import type { MergeRange } from "./requested-range.ts";
import type { StackColumn } from "./stored-stacks.ts";

/** The columns of each group one after the other: the sample type, and the number of samples if there is such a column. */
export interface GroupedColumns {
  readonly columns: readonly StackColumn[];
  /** Frames of the groups. */
  readonly names: readonly string[];
}

/** As `stackColumns`, by the values of a label. */
export async function groupedColumns(
  ctx: Context,
  range: MergeRange,
  content: RangeContent,
  groupBy: string,
): Promise<GroupedColumns> {
  const { sampleType, profiles } = content;
  const none = { columns: [emptyColumn(sampleType)], names: [] };
  if (profiles === 0) return none;
  const keys = await readLabelValues(ctx.columns, { ...range, sampleType });
  const values = keys.find(({ key }) => key === groupBy)?.values ?? [];
  const groups = values.slice(0, limits.labelGroupsMax).map(({ value }) => value);
  const plan = columnPlanOf(content);
  const totals = { ...range, sampleType, additionalType: plan.additionalType };
  const found = await readLabelGroups(ctx.columns, totals, { groupBy, groups });
  if (found.length === 0) return none;
  return {
    columns: found.flatMap((group) => plannedColumns(plan, group)),
    names: found.map(({ number }) => numberedGroupName(groupBy, number, groups)),
  };
}
