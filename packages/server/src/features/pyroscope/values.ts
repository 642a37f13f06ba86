import { limits } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { Failure, invalid } from "#failure";
import type { TimeRange } from "#http/query/time-range.ts";
import { isAveraged } from "#stacks/ranges/merge-range.ts";
import type { ReaderOperation, Reading } from "./operation.ts";
import {
  pointsOfMinutes,
  pointsOfProfiles,
  pointsOfSamples,
  profilesOfSteps,
  tagsAmong,
} from "./select/queries.ts";
import { queriesOf, type Selection, select } from "./select/selection.ts";
import { serviceLabel, typeLabels } from "./select/series-labels.ts";

const groupsMax = 10;
const averageOfProfiles = 1;

export interface ValuesRequest {
  readonly groupBy: readonly string[];
  /** In seconds. */
  readonly step: number;
  readonly limit: bigint | undefined;
  /** Whether points are means over the profiles; means of gauges are that in any case. */
  readonly isMean: boolean;
}

export interface ValueSeries {
  readonly labels: { name: string; value: string }[];
  /** Oldest first; at the end of each step. */
  readonly points: { value: number; timestamp: bigint }[];
}

export const seriesOfValues: ReaderOperation<"SelectSeriesRequest", "SelectSeriesResponse"> = async (
  reading,
  request,
) => {
  if (request.stackTraceSelector !== undefined)
    throw new Failure(
      "unimplemented",
      "Values over time have no stacks here: leave out stack_trace_selector.",
    );
  const selection = await select(reading.ctx, reading.orgId, request);
  const isMean = request.aggregation === averageOfProfiles;
  return { series: await readValues(reading, selection, { ...request, isMean }) };
};

/** Sums of the profiles between two points, or means over them; gauges of several services are the sum of their means. Throws for steps that would give too many points. */
export async function readValues(
  reading: Reading,
  selection: Selection,
  request: ValuesRequest,
): Promise<ValueSeries[]> {
  const { range, named } = selection;
  const stepMs = stepOf(request.step, range);
  const rows = await rowsOf(reading, selection, { groupBy: request.groupBy, stepMs });
  const isSumOfMeans = !request.isMean && isAveraged(named.sampleType);
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const labels = labelsOf(request.groupBy, row, selection);
    const key = JSON.stringify(labels);
    const group = groups.get(key) ?? { labels, steps: new Map() };
    groups.set(key, group);
    for (const [at, step] of row.steps.entries()) {
      const [total, profiles] = [row.totals[at]!, row.profiles[at]!];
      const sum = group.steps.get(step) ?? { total: 0, profiles: 0 };
      sum.total += isSumOfMeans ? total / profiles : total;
      sum.profiles += profiles;
      group.steps.set(step, sum);
    }
  }
  const limit = Number(request.limit ?? 0n);
  const drawn = [...groups].map(([key, { labels, steps }]) => {
    const points = [...steps]
      .sort(([a], [b]) => a - b)
      .map(([step, { total, profiles }]) => ({
        value: request.isMean ? total / profiles : total,
        timestamp: timestampOf(step, stepMs, range),
      }));
    return { key, labels, points, whole: points.reduce((sum, { value }) => sum + value, 0) };
  });
  return drawn
    .sort((a, b) => b.whole - a.whole || (a.key < b.key ? -1 : 1))
    .slice(0, limit > 0 ? limit : undefined)
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ labels, points }) => ({ labels, points }));
}

interface Group {
  readonly labels: ValueSeries["labels"];
  readonly steps: Map<number, { total: number; profiles: number }>;
}

/** A step that the range cuts short ends with it. */
export function timestampOf(step: number, stepMs: number, { fromMs, toMs }: TimeRange): bigint {
  return BigInt(Math.min(fromMs + (step + 1) * stepMs, toMs));
}

export function stepOf(seconds: number, { fromMs, toMs }: TimeRange): number {
  const stepMs = Math.round(seconds * 1000);
  if (!(stepMs >= 1)) throw invalid("step must be at least 0.001 seconds.");
  if ((toMs - fromMs) / stepMs > limits.timelinePointsMax)
    throw invalid(`step must be larger: this range would have more than ${limits.timelinePointsMax} points.`);
  return Math.min(stepMs, Math.max(1, toMs - fromMs));
}

interface Cut {
  readonly groupBy: readonly string[];
  readonly stepMs: number;
}

interface Row {
  readonly service: string;
  readonly groupValues: readonly string[];
  readonly steps: readonly number[];
  readonly totals: readonly number[];
  readonly profiles: readonly number[];
}

async function rowsOf({ ctx }: Reading, selection: Selection, { groupBy, stepMs }: Cut): Promise<Row[]> {
  const { fromMs, toMs } = selection.range;
  const names = groupNamesOf(groupBy, selection);
  const isWhole = [fromMs, toMs, stepMs].every((ms) => ms % minuteMs === 0);
  const queries = queriesOf(selection).map(async (each) => {
    const params = { ...each, groupBy: names, stepMs };
    const tags = await tagsIn(ctx, params);
    if (readsSamples(params, tags)) return rowsOfSamples(ctx, params, tags);
    if (!isWhole || names.length > 0 || each.tagNames.length > 0)
      return ctx.columns.query(pointsOfProfiles, params);
    const { tagNames: _, tagValues: __, groupBy: ___, ...all } = params;
    const rows = await ctx.columns.query(pointsOfMinutes, { ...all, stepSeconds: stepMs / 1000 });
    return rows.map((row) => ({ ...row, groupValues: [] }));
  });
  return (await Promise.all(queries)).flat();
}

type Grouped = ReturnType<typeof queriesOf>[number] & { readonly groupBy: string[] };

/** The names to group by that are tags of profiles. */
export async function tagsIn({ columns }: Context, params: Grouped): Promise<string[]> {
  if (params.groupBy.length === 0) return [];
  const [row] = await columns.query(tagsAmong, params);
  return row?.names ?? [];
}

/** Whether samples are selected or grouped by their labels. A name that no profile has as a tag is one of a label. */
export function readsSamples({ labelNames, groupBy }: Grouped, tags: readonly string[]): boolean {
  return labelNames.length > 0 || groupBy.some((name) => !tags.includes(name));
}

/** The number of profiles is that of all that are selected: the mean of a label that few of them have is small. */
async function rowsOfSamples(
  { columns }: Context,
  params: Grouped & { readonly stepMs: number },
  tags: readonly string[],
): Promise<Row[]> {
  const [rows, profiles] = await Promise.all([
    columns.query(pointsOfSamples, { ...params, groupTags: [...tags] }),
    columns.query(profilesOfSteps, { ...params, groupTags: [...tags] }),
  ]);
  const keyOf = (row: (typeof rows)[number], at: number) => {
    const ofTags = row.groupValues.filter((_, place) => tags.includes(params.groupBy[place]!));
    return JSON.stringify([row.service, row.steps[at], ofTags]);
  };
  const counts = new Map<string, number>();
  for (const row of profiles)
    for (const [at, count] of row.profiles.entries())
      counts.set(keyOf(row, at), (counts.get(keyOf(row, at)) ?? 0) + count);
  return rows.map((row) => ({
    ...row,
    profiles: row.profiles.map((_, at) => counts.get(keyOf(row, at))!),
  }));
}

/** The labels to group by that are tags of profiles, or labels of samples. */
export function groupNamesOf(groupBy: readonly string[], { named }: Selection): string[] {
  if (groupBy.length > groupsMax) throw invalid(`Give at most ${groupsMax} labels in group_by.`);
  const ofType = typeLabels(named);
  return groupBy.filter((name) => name !== serviceLabel && !ofType.has(name));
}

export function labelsOf(
  groupBy: readonly string[],
  row: Pick<Row, "service" | "groupValues">,
  selection: Selection,
): ValueSeries["labels"] {
  const names = groupNamesOf(groupBy, selection);
  const ofType = typeLabels(selection.named);
  const textOf = (name: string) =>
    name === serviceLabel ? row.service : (ofType.get(name) ?? row.groupValues[names.indexOf(name)] ?? "");
  return [...new Set(groupBy)]
    .map((name) => ({ name, value: textOf(name) }))
    .filter(({ value }) => value !== "")
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
