import {
  displayTypeOf,
  type GraphType,
  graphTypes,
  isSeparate,
  type ProfileTab,
  type ProfileType,
  profileTypes,
  type SeparateType,
  separateTypes,
  storedTypeOf,
} from "@flamekeep/contract";
import type { Context } from "#context";
import {
  fallbackSampleType,
  inOrderOf,
  type LatestSampleTypes,
  mainSampleType,
  readLatestSampleTypes,
  sampleTypeIndex,
} from "#store/profiles/sample-type.ts";
import { sampleTypesOfRange } from "./queries.ts";

export interface SeriesRange {
  readonly orgId: string;
  readonly service: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** One chart to read: a type and the sample type that is drawn. */
export interface ChartTopic {
  readonly displayType: GraphType;
  readonly type: ProfileType;
  readonly sampleTypes: readonly string[];
  readonly sampleType: string;
}

/** A line of totals. */
export interface LineTopic {
  readonly type: string;
  readonly sampleType: string;
}

interface WantedTopics {
  readonly tab: ProfileTab;
  readonly named: string | undefined;
}

/** The topics that a range most likely has: the main sample types, or the named one. A name without a unit is none that is stored. */
export function likelyTopics({ tab, named }: WantedTopics): LineTopic[] {
  const types = tab === "all" ? profileTypes : [storedTypeOf(tab)];
  return types
    .map((type) => ({ type, sampleType: named ?? fallbackSampleType(type) }))
    .filter(({ sampleType }) => sampleType.includes("/"));
}

/** The topic of a type, or one for each type that has profiles. Throws `unprocessable` for an unknown sample type. */
export async function topicsOf(
  ctx: Context,
  range: SeriesRange,
  { tab, named }: WantedTopics,
): Promise<ChartTopic[]> {
  const types = tab === "all" ? [...profileTypes] : [storedTypeOf(tab)];
  const reading = ctx.columns.query(sampleTypesOfRange, { ...range, types });
  if (tab !== "all") {
    const [rows, latest] = await Promise.all([reading, latestOf(ctx, range, storedTypeOf(tab))]);
    return [topicOf(tab, countedOf(tab, rows), named, latest)];
  }
  const rows = await reading;
  return Promise.all(
    graphTypes.flatMap((displayType) => {
      const counted = countedOf(displayType, rows);
      return counted.length === 0 ? [] : [mainTopicOf(ctx, range, displayType, counted)];
    }),
  );
}

interface Counted {
  readonly type: string;
  readonly sampleType: string;
  readonly profileCount: number;
  /** The sum of all its values. */
  readonly whole: number;
}

/** Profiles of separate types are stored as custom ones: marks are theirs, as are samples that no other profile counts. */
function countedOf(type: GraphType, rows: readonly Counted[]): readonly Counted[] {
  const ofStored = rows.filter((row) => row.type === storedTypeOf(type));
  const own = (separate: SeparateType) => {
    const marked = ofStored.filter(({ sampleType }) => isMark(separate, sampleType));
    const count = Math.max(...marked.map(({ profileCount }) => profileCount));
    const isSamples = ({ sampleType, profileCount }: Counted) =>
      /^samples?\/count$/.test(sampleType) && profileCount === count;
    return ofStored.filter((row) => marked.includes(row) || isSamples(row));
  };
  if (isSeparate(type)) return own(type);
  const others = new Set(separateTypes.filter((each) => storedTypeOf(each) === type).flatMap(own));
  return ofStored.filter((row) => !others.has(row));
}

function isMark(type: SeparateType, sampleType: string): boolean {
  return displayTypeOf(storedTypeOf(type), [sampleType]) === type;
}

/** The main topic of a type. The latest profile is read for the order of its sample types only if that order decides which is main. */
async function mainTopicOf(
  ctx: Context,
  range: SeriesRange,
  displayType: GraphType,
  counted: readonly Counted[],
): Promise<ChartTopic> {
  const type = storedTypeOf(displayType);
  const fallback = fallbackSampleType(type);
  const sampleTypes = counted.map(({ sampleType }) => sampleType);
  if (counted.some(({ sampleType, whole }) => sampleType === fallback && whole !== 0))
    return { displayType, type, sampleTypes, sampleType: fallback };
  return topicOf(displayType, counted, undefined, await latestOf(ctx, range, type));
}

function latestOf(ctx: Context, range: SeriesRange, type: ProfileType) {
  const { orgId, service, fromSeconds, toSeconds } = range;
  const [from, to] = [new Date(fromSeconds * 1000), new Date(toSeconds * 1000)];
  return readLatestSampleTypes(ctx.columns, { orgId, service, type, from, to });
}

function topicOf(
  displayType: GraphType,
  counted: readonly Counted[],
  named: string | undefined,
  latest: LatestSampleTypes | undefined,
): ChartTopic {
  const type = storedTypeOf(displayType);
  const sampleTypes = counted.map(({ sampleType }) => sampleType);
  if (sampleTypes.length === 0)
    return { displayType, type, sampleTypes, sampleType: named ?? fallbackSampleType(type) };
  const ordered = inOrderOf(sampleTypes, latest);
  const mark = isSeparate(displayType) ? ordered.findIndex((name) => isMark(displayType, name)) : -1;
  const totals = ordered.map((name) => counted.find(({ sampleType }) => sampleType === name)!.whole);
  const main = () => (mark === -1 ? mainSampleType(ordered, totals, type) : mark);
  const index = sampleTypeIndex(ordered, named, "range") ?? main();
  return { displayType, type, sampleTypes: ordered, sampleType: ordered[index]! };
}
