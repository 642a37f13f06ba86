import type {
  Flamebearer,
  InputOf,
  renderDiff,
  renderLabelValues,
  renderProfiles,
} from "@flamekeep/contract";
import { limits } from "@flamekeep/contract";
import { invalid } from "#failure";
import { boundedRange, type TimeRange } from "#http/query/time-range.ts";
import { FileReply } from "#http/reply/reply.ts";
import { labelValues, profileTypes } from "./catalogue.ts";
import type { Levels } from "./graph/levels.ts";
import { dotOfSelection, levelsOfSelections, nodesOf } from "./graphs.ts";
import type { Reading } from "./operation.ts";
import { WrittenMessage } from "./operation.ts";
import { momentOf, renderFormats } from "./select/moments.ts";
import { parseProfileTypeId, partsOf } from "./select/profile-type-ids.ts";
import { type Selection, select, separated } from "./select/selection.ts";
import { nameLabel, parseSelector } from "./select/selector.ts";
import { readValues, type ValueSeries } from "./values.ts";

/** Nodes of a graph of Graphviz; more cannot be read. */
const dotNodes = 100;

interface Query {
  readonly query: string;
  readonly from: string;
  readonly until: string;
}

/** The selection of `process_cpu:cpu:nanoseconds:cpu:nanoseconds{service_name="shop"}`. */
function selectionOf({ ctx, orgId }: Reading, { query, from, until }: Query): Promise<Selection> {
  const matchers = parseSelector(query);
  const named = matchers.find(({ name }) => name === nameLabel);
  const id = named?.equals;
  if (id === undefined)
    throw invalid(
      'The query needs a profile type: process_cpu:cpu:nanoseconds:cpu:nanoseconds{service_name="checkout"}',
    );
  const nowMs = ctx.now().getTime();
  const times = renderedRange(from, until, nowMs);
  return select(ctx, orgId, {
    profileTypeID: parseProfileTypeId(id) && id,
    labelSelector: matchers.filter((matcher) => matcher !== named),
    start: BigInt(times.fromMs),
    end: BigInt(times.toMs),
  });
}

function renderedRange(from: string, until: string, nowMs: number): TimeRange {
  return boundedRange(momentOf(from, nowMs), momentOf(until, nowMs), nowMs, renderFormats);
}

function nodesIn(
  input: { maxNodes?: string | undefined; "max-nodes"?: string | undefined },
  byDefault?: number,
) {
  const given = input.maxNodes ?? input["max-nodes"] ?? "";
  if (!/^\d*$/.test(given)) throw invalid("maxNodes must be a number of nodes in digits, such as 1024.");
  const count = Number(given);
  return Math.min(count > 0 ? count : (byDefault ?? nodesOf(0)), limits.flameGraphJsonNodesMax);
}

export async function render(
  reading: Reading,
  input: InputOf<typeof renderProfiles>,
): Promise<Flamebearer | FileReply> {
  const selection = await selectionOf(reading, input);
  if (input.format === "dot") {
    const text = await dotOfSelection(reading, selection, nodesIn(input, dotNodes));
    return new FileReply("text/plain", Buffer.from(text));
  }
  const { range } = selection;
  const step = stepSecondsOf(range.toMs - range.fromMs);
  const isMean = input.aggregation === "avg";
  const values = { step, limit: undefined, isMean };
  const groupBy = input.groupBy === undefined || input.groupBy === "" ? [] : [input.groupBy];
  const [levels, all, groups] = await Promise.all([
    levelsOfSelections(reading, [selection], nodesIn(input)),
    readValues(reading, selection, { ...values, groupBy: [] }),
    groupBy.length === 0 ? undefined : readValues(reading, selection, { ...values, groupBy }),
  ]);
  return {
    ...flamebearerOf(levels, selection),
    timeline: timelineOf(all[0], range, step),
    groups:
      groups === undefined
        ? null
        : Object.fromEntries(
            groups.map((group) => [group.labels[0]?.value ?? "*", timelineOf(group, range, step)]),
          ),
  };
}

export async function renderComparison(
  reading: Reading,
  input: InputOf<typeof renderDiff>,
): Promise<Flamebearer> {
  const left = await selectionOf(reading, {
    query: input.leftQuery,
    from: input.leftFrom,
    until: input.leftUntil,
  });
  const right = await selectionOf(reading, {
    query: input.rightQuery,
    from: input.rightFrom,
    until: input.rightUntil,
  });
  if (partsOf(left.named).ID !== partsOf(right.named).ID)
    throw invalid("Both sides of a comparison must have the same profile type.");
  const levels = await levelsOfSelections(reading, separated(left, right), nodesIn(input));
  const [leftTicks = 0, rightTicks = 0] = levels.totals;
  const graph = flamebearerOf(levels, left);
  return { ...graph, metadata: { ...graph.metadata, format: "double" }, leftTicks, rightTicks };
}

export async function renderedLabelValues(
  reading: Reading,
  { label, query, from, until }: InputOf<typeof renderLabelValues>,
): Promise<string[]> {
  const nowMs = reading.ctx.now().getTime();
  const { fromMs, toMs } = renderedRange(from, until, nowMs);
  const times = { start: BigInt(fromMs), end: BigInt(toMs) };
  if (label === nameLabel) {
    const types = await profileTypes(reading, times);
    return types instanceof WrittenMessage ? [] : types.profileTypes.flatMap((type) => type?.ID ?? []);
  }
  const matchers = query === undefined ? [] : [query];
  const values = await labelValues(reading, { name: label, matchers, ...times });
  return values instanceof WrittenMessage ? [] : values.names;
}

/** Units that Pyroscope's pages know; `cpu` is counted in samples of a nanosecond. */
function flamebearerOf({ names, levels, totals, maxSelf }: Levels, { named }: Selection): Flamebearer {
  const { sampleType, sampleUnit } = partsOf(named);
  const isCpu = sampleType === "cpu";
  const isCount = ["inuse_objects", "alloc_objects", "goroutine", "samples"].includes(sampleType);
  return {
    version: 1,
    flamebearer: {
      names: [...names],
      levels: levels.map((values) => [...values]),
      numTicks: totals.reduce((sum, total) => sum + total, 0),
      maxSelf,
    },
    metadata: {
      format: "single",
      spyName: "",
      sampleRate: isCpu ? 1_000_000_000 : 100,
      units: isCpu ? "samples" : isCount ? "objects" : sampleUnit,
      name: sampleType,
    },
    timeline: null,
    groups: null,
    heatmap: null,
  };
}

/** At most 1,500 points, at least 15 seconds apart. */
function stepSecondsOf(rangeMs: number): number {
  const steps = [15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];
  return steps.find((step) => rangeMs / 1000 / step <= 1500) ?? 604_800;
}

function timelineOf(
  series: ValueSeries | undefined,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  step: number,
): NonNullable<Flamebearer["timeline"]> {
  const samples = new Array<number>(Math.ceil((toMs - fromMs) / 1000 / step)).fill(0);
  for (const { value, timestamp } of series?.points ?? [])
    samples[Math.ceil((Number(timestamp) - fromMs) / 1000 / step) - 1] = Math.round(value);
  return { startTime: Math.floor(fromMs / 1000), samples, durationDelta: step, watermarks: null };
}
