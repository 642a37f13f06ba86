import { limits } from "@flamekeep/contract";
import type { Context } from "#context";
import { numberedGroupName } from "./label-groups.ts";
import { readLabelHours } from "./label-hours.ts";
import { labelValues } from "./label-queries.ts";
import { noLabels, readLabelGroups } from "./labelled-range.ts";
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
  const values = {
    ...range,
    ...(range.labels ?? noLabels),
    ...(await readLabelHours(ctx.columns, range)),
    sampleType,
    key: groupBy,
    keysMax: 1,
    valuesMax: limits.labelGroupsMax,
  };
  const [{ names: groups = [] } = {}] = await ctx.columns.query(labelValues, values);
  const plan = columnPlanOf(content);
  const totals = { ...range, sampleType, additionalType: plan.additionalType };
  const found = await readLabelGroups(ctx.columns, totals, { groupBy, groups });
  if (found.length === 0) return none;
  return {
    columns: found.flatMap((group) => plannedColumns(plan, group)),
    names: found.map(({ number }) => numberedGroupName(groupBy, number, groups)),
  };
}
