import { limits } from "@flamekeep/contract";
import { countColumn } from "@flamekeep/profile";
import type { Context } from "#context";
import { toValueType } from "#store/profiles/profile-row.ts";
import { numberedGroupName } from "./label-groups.ts";
import { readLabelHours } from "./label-hours.ts";
import { labelValues } from "./label-queries.ts";
import { noLabels, readLabelGroups } from "./labelled-range.ts";
import { isAveraged, type MergeRange, type RangeContent } from "./merge-range.ts";
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
  { sampleType, sampleTypes, profiles }: RangeContent,
  groupBy: string,
): Promise<GroupedColumns> {
  const empty = {
    sampleType: toValueType(sampleType),
    ids: new BigUint64Array(0),
    values: new BigInt64Array(0),
    divisor: 1,
  };
  if (profiles === 0) return { columns: [empty], names: [] };
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
  const divisor = isAveraged(sampleType) ? Math.max(1, profiles) : 1;
  const counted = countColumn(sampleTypes.map(toValueType), sampleTypes.indexOf(sampleType));
  const additionalType = sampleTypes[counted] === sampleType ? "" : (sampleTypes[counted] ?? "");
  const types = additionalType === "" ? [sampleType] : [sampleType, additionalType];
  const totals = { ...range, sampleType, additionalType };
  const found = await readLabelGroups(ctx.columns, totals, { groupBy, groups });
  if (found.length === 0) return { columns: [empty], names: [] };
  return {
    columns: found.flatMap(({ ids, totals, additional }) =>
      types.map((name, index) => ({
        sampleType: toValueType(name),
        ids,
        values: index === 0 ? totals : additional,
        divisor,
      })),
    ),
    names: found.map(({ number }) => numberedGroupName(groupBy, number, groups)),
  };
}
