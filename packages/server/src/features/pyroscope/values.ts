import { limits } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { Failure, invalid } from "#failure";
import type { TimeRange } from "#http/query/time-range.ts";
import { isAveraged } from "#stacks/ranges/merge-range.ts";
import type { ReaderOperation, Reading } from "./operation.ts";
import { pointsOfMinutes, pointsOfProfiles, valueBounds, valueCounts } from "./select/queries.ts";
import { queriesOf, type Selection, select } from "./select/selection.ts";
import { serviceLabel, typeLabels } from "./select/series-labels.ts";

const groupsMax = 10;
/** Parts into which a heatmap divides its values. */
const heatmapParts = 20;
const averageOfProfiles = 1;
const spanHeatmap = 2;

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

/** Sums of the profiles between two points, or means. Throws for steps that would give too many points. */
export async function readValues(
  reading: Reading,
  selection: Selection,
  request: ValuesRequest,
): Promise<ValueSeries[]> {
  const { range, named } = selection;
  const stepMs = stepOf(request.step, range);
  const rows = await rowsOf(reading, selection, { groupBy: request.groupBy, stepMs });
  const isMean = request.isMean || isAveraged(named.sampleType);
  const groups = new Map<
    string,
    { labels: ValueSeries["labels"]; sums: Map<number, number>; whole: number }
  >();
  for (const row of rows) {
    const labels = labelsOf(request.groupBy, row, selection);
    const key = JSON.stringify(labels);
    const group = groups.get(key) ?? { labels, sums: new Map<number, number>(), whole: 0 };
    groups.set(key, group);
    for (const [at, step] of row.steps.entries()) {
      const value = isMean ? row.totals[at]! / row.profiles[at]! : row.totals[at]!;
      group.sums.set(step, (group.sums.get(step) ?? 0) + value);
      group.whole += value;
    }
  }
  const limit = Number(request.limit ?? 0n);
  const kept = [...groups]
    .sort(([a, { whole: wholeA }], [b, { whole: wholeB }]) => wholeB - wholeA || (a < b ? -1 : 1))
    .slice(0, limit > 0 ? limit : undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return kept.map(([, { labels, sums }]) => ({
    labels,
    points: [...sums]
      .sort(([a], [b]) => a - b)
      .map(([step, value]) => ({ value, timestamp: timestampOf(step, stepMs, range) })),
  }));
}

/** A step that the range cuts short ends with it. */
function timestampOf(step: number, stepMs: number, { fromMs, toMs }: TimeRange): bigint {
  return BigInt(Math.min(fromMs + (step + 1) * stepMs, toMs));
}

function stepOf(seconds: number, { fromMs, toMs }: TimeRange): number {
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
  refuseLabels(selection);
  const tags = tagsOf(groupBy, selection);
  const isWhole = [fromMs, toMs, stepMs].every((ms) => ms % minuteMs === 0);
  const queries = queriesOf(selection).map(async (params) => {
    if (!isWhole || tags.length > 0 || params.tagNames.length > 0)
      return ctx.columns.query(pointsOfProfiles, { ...params, groupBy: tags, stepMs });
    const { tagNames: _, tagValues: __, ...all } = params;
    const rows = await ctx.columns.query(pointsOfMinutes, { ...all, stepSeconds: stepMs / 1000 });
    return rows.map((row) => ({ ...row, groupValues: [] }));
  });
  return (await Promise.all(queries)).flat();
}

/** Throws for labels of samples, which profiles do not have over time. */
function refuseLabels({ parts }: Selection): void {
  if (parts.every(({ labels }) => labels === undefined)) return;
  throw new Failure(
    "unimplemented",
    "Values over time cannot be selected by labels of samples here, only by tags of profiles: leave those labels out, or read a flame graph.",
  );
}

/** The labels to group by that are tags of profiles. */
function tagsOf(groupBy: readonly string[], { named }: Selection): string[] {
  if (groupBy.length > groupsMax) throw invalid(`Give at most ${groupsMax} labels in group_by.`);
  const ofType = typeLabels(named);
  return groupBy.filter((name) => name !== serviceLabel && !ofType.has(name));
}

function labelsOf(
  groupBy: readonly string[],
  row: Pick<Row, "service" | "groupValues">,
  selection: Selection,
): ValueSeries["labels"] {
  const tags = tagsOf(groupBy, selection);
  const ofType = typeLabels(selection.named);
  const textOf = (name: string) =>
    name === serviceLabel ? row.service : (ofType.get(name) ?? row.groupValues[tags.indexOf(name)] ?? "");
  return [...new Set(groupBy)]
    .map((name) => ({ name, value: textOf(name) }))
    .filter(({ value }) => value !== "")
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export const heatmap: ReaderOperation<"SelectHeatmapRequest", "SelectHeatmapResponse"> = async (
  reading,
  request,
) => {
  if (request.queryType === spanHeatmap)
    throw new Failure(
      "unimplemented",
      "Heatmaps show profiles here, not spans: use the query type INDIVIDUAL.",
    );
  const selection = await select(reading.ctx, reading.orgId, request);
  refuseLabels(selection);
  const { range } = selection;
  const stepMs = stepOf(request.step, range);
  const groupBy = tagsOf(request.groupBy, selection);
  const { columns } = reading.ctx;
  const queries = queriesOf(selection).map((params) => ({ ...params, groupBy }));
  const bounds = (await Promise.all(queries.map((params) => columns.query(valueBounds, params))))
    .flat()
    .filter(({ profiles }) => profiles > 0);
  if (bounds.length === 0) return { series: [] };
  const smallest = Math.min(...bounds.map((each) => each.smallest));
  const largest = Math.max(...bounds.map((each) => each.largest));
  const width = Math.max(
    (largest - smallest) / heatmapParts,
    Number.EPSILON * Math.max(1, Math.abs(largest)),
  );
  const cut = { stepMs, smallest, width, partsMax: heatmapParts };
  const rows = (
    await Promise.all(queries.map((params) => columns.query(valueCounts, { ...params, ...cut })))
  ).flat();
  const groups = Map.groupBy(rows, (row) => JSON.stringify(labelsOf(request.groupBy, row, selection)));
  const limit = Number(request.limit ?? 0n);
  const kept = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, limit > 0 ? limit : undefined);
  return {
    series: kept.map(([labels, ofGroup]) => ({
      labels: JSON.parse(labels) as ValueSeries["labels"],
      slots: slotsOf(ofGroup).map(({ step, counts }) => ({
        timestamp: timestampOf(step, stepMs, range),
        yMin: [...counts.keys()].map((part) => smallest + part * width),
        counts: [...counts.values()],
      })),
    })),
  };
};

/** Of several services: the counts of each step together, by part. */
function slotsOf(rows: readonly { step: number; parts: readonly number[]; counts: readonly number[] }[]) {
  return [...Map.groupBy(rows, ({ step }) => step)]
    .sort(([a], [b]) => a - b)
    .map(([step, ofStep]) => {
      const sums = new Map<number, number>();
      for (const { parts, counts } of ofStep)
        for (const [at, part] of parts.entries()) sums.set(part, (sums.get(part) ?? 0) + counts[at]!);
      return { step, counts: new Map([...sums].sort(([a], [b]) => a - b)) };
    });
}
