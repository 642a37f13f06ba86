import type { Context } from "#context";
import { Failure } from "#failure";
import type { ReaderOperation, Reading } from "./operation.ts";
import { sampleBounds, sampleCounts, valueBounds, valueCounts } from "./select/queries.ts";
import { queriesOf, type Selection, select } from "./select/selection.ts";
import { readSpanSums } from "./spans.ts";
import {
  groupNamesOf,
  labelsOf,
  readsSamples,
  stepOf,
  tagsIn,
  timestampOf,
  type ValueSeries,
} from "./values.ts";
import type { MessageOf } from "./wire/message-of.ts";

/** Parts into which a heatmap divides its values. */
const partsMax = 20;
const spanHeatmap = 2;
const spanExemplars = 3;

type Exemplar = Omit<MessageOf<"Exemplar">, "labels">;

interface Bounds {
  readonly smallest: number;
  readonly largest: number;
}

/** How many values of a step are in each part. */
interface CountsRow {
  readonly service: string;
  readonly groupValues: readonly string[];
  readonly step: number;
  readonly parts: readonly number[];
  readonly counts: readonly number[];
  /** Parallel to `parts`, if spans are counted. */
  readonly exemplars?: readonly Exemplar[];
}

interface Cut {
  readonly stepMs: number;
  readonly smallest: number;
  /** The width of a part. */
  readonly width: number;
}

/** A heatmap counts totals of profiles, in the column store, or sums of spans. */
interface Counted {
  readonly bounds: Bounds | undefined;
  readonly counts: (cut: Cut) => Promise<readonly CountsRow[]>;
}

export const heatmap: ReaderOperation<"SelectHeatmapRequest", "SelectHeatmapResponse"> = async (
  reading,
  request,
) => {
  const selection = await select(reading.ctx, reading.orgId, request);
  const { range } = selection;
  const stepMs = stepOf(request.step, range);
  const groupBy = groupNamesOf(request.groupBy, selection);
  const count = request.queryType === spanHeatmap ? countedSpans : countedProfiles;
  const { bounds, counts } = await count(reading, selection, groupBy);
  if (bounds === undefined) return { series: [] };
  const { smallest, largest } = bounds;
  const width = Math.max((largest - smallest) / partsMax, Number.EPSILON * Math.max(1, Math.abs(largest)));
  const rows = await counts({ stepMs, smallest, width });
  const groups = Map.groupBy(rows, (row) => JSON.stringify(labelsOf(request.groupBy, row, selection)));
  const limit = Number(request.limit ?? 0n);
  const kept = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, limit > 0 ? limit : undefined);
  return {
    series: kept.map(([labels, ofGroup]) => ({
      labels: JSON.parse(labels) as ValueSeries["labels"],
      slots: slotsOf(ofGroup).map(({ step, counts: ofStep, exemplars }) => ({
        timestamp: timestampOf(step, stepMs, range),
        yMin: [...ofStep.keys()].map((part) => smallest + part * width),
        counts: [...ofStep.values()],
        exemplars:
          request.exemplarType === spanExemplars ? exemplars.map((each) => ({ ...each, labels: [] })) : [],
      })),
    })),
  };
};

async function countedProfiles({ ctx }: Reading, selection: Selection, groupBy: string[]): Promise<Counted> {
  const { columns } = ctx;
  const queries = await Promise.all(
    queriesOf(selection).map(async (each) => {
      const params = { ...each, groupBy };
      const groupTags = await tagsIn(ctx, params);
      return { params: { ...params, groupTags }, ofSamples: readsSamples(params, groupTags) };
    }),
  );
  const readBounds = queries.map(({ params, ofSamples }) =>
    columns.query(ofSamples ? sampleBounds : valueBounds, params),
  );
  const found = (await Promise.all(readBounds)).flat();
  return {
    bounds: boundsOf(found.filter(({ profiles }) => profiles > 0)),
    async counts(cut) {
      const readCounts = queries.map(({ params, ofSamples }) =>
        columns.query(ofSamples ? sampleCounts : valueCounts, { ...params, ...cut, partsMax }),
      );
      return (await Promise.all(readCounts)).flat();
    },
  };
}

async function countedSpans({ ctx }: Reading, selection: Selection, groupBy: string[]): Promise<Counted> {
  await requireTags(ctx, selection, groupBy);
  const profiles = await readSpanSums(ctx, selection, groupBy);
  const sums = profiles.flatMap((profile) => [...profile.sums]);
  return {
    bounds: boundsOf(sums.map((sum) => ({ smallest: sum, largest: sum }))),
    counts: async (cut) =>
      profiles.map(({ startedAt, service, groupValues, profileId, spans, sums: ofProfile }) => ({
        service,
        groupValues,
        step: Math.floor((startedAt.getTime() - selection.range.fromMs) / cut.stepMs),
        parts: [...ofProfile].map((sum) => partOf(sum, cut)),
        counts: Array<number>(ofProfile.length).fill(1),
        exemplars: spans.map((spanId, at) => ({
          timestamp: BigInt(startedAt.getTime()),
          profileId,
          spanId,
          value: BigInt(Math.round(ofProfile[at]!)),
        })),
      })),
  };
}

function partOf(sum: number, { smallest, width }: Cut): number {
  return Math.min(partsMax - 1, Math.floor((sum - smallest) / width));
}

async function requireTags(ctx: Context, selection: Selection, groupBy: string[]): Promise<void> {
  const read = queriesOf(selection).map((each) => tagsIn(ctx, { ...each, groupBy }));
  const tags = new Set((await Promise.all(read)).flat());
  const other = groupBy.find((name) => !tags.has(name));
  if (other === undefined || selection.parts.length === 0) return;
  throw new Failure(
    "unimplemented",
    `Heatmaps of spans are divided by tags of profiles here: leave ${other.slice(0, 100)} out of group_by.`,
  );
}

function boundsOf(all: readonly Bounds[]): Bounds | undefined {
  if (all.length === 0) return undefined;
  return {
    smallest: all.reduce((least, each) => Math.min(least, each.smallest), Number.POSITIVE_INFINITY),
    largest: all.reduce((most, each) => Math.max(most, each.largest), Number.NEGATIVE_INFINITY),
  };
}

/** Of several services or profiles: the counts of each step together, by part, and the exemplar with the largest value of each part. */
function slotsOf(rows: readonly CountsRow[]) {
  return [...Map.groupBy(rows, ({ step }) => step)]
    .sort(([a], [b]) => a - b)
    .map(([step, ofStep]) => {
      const sums = new Map<number, number>();
      const largest = new Map<number, Exemplar>();
      for (const { parts, counts, exemplars } of ofStep)
        for (const [at, part] of parts.entries()) {
          sums.set(part, (sums.get(part) ?? 0) + counts[at]!);
          const exemplar = exemplars?.[at];
          if (exemplar !== undefined && !((largest.get(part)?.value ?? 0n) >= exemplar.value))
            largest.set(part, exemplar);
        }
      return { step, counts: inOrder(sums), exemplars: [...inOrder(largest).values()] };
    });
}

function inOrder<T>(byPart: ReadonlyMap<number, T>): Map<number, T> {
  return new Map([...byPart].sort(([a], [b]) => a - b));
}
