import { displayTypeOf, type ProfileTab } from "@flamekeep/contract";
import { type ProfileType, profileTypes } from "@flamekeep/profile";
import type { Context } from "#context";
import {
  fallbackSampleType,
  inOrderOf,
  mainSampleType,
  readLatestSampleTypes,
  sampleTypeIndex,
} from "#store/profiles/sample-type.ts";
import { sampleTypesOfRange } from "./series-queries.ts";

export interface SeriesRange {
  readonly orgId: string;
  readonly service: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** One chart to read: a type and the sample type that is drawn. */
export interface ChartTopic {
  readonly displayType: ProfileType | "wall";
  readonly type: ProfileType;
  readonly sampleTypes: readonly string[];
  readonly sampleType: string;
}

/** The topic of a type, or one for each type that has profiles. Throws `unprocessable` for an unknown sample type. */
export async function topicsOf(
  ctx: Context,
  range: SeriesRange,
  { tab, named }: { tab: ProfileTab; named: string | undefined },
): Promise<ChartTopic[]> {
  const types = tab === "all" ? [...profileTypes] : [tab === "wall" ? ("custom" as const) : tab];
  const rows = await ctx.columns.query(sampleTypesOfRange, { ...range, types });
  if (tab !== "all") {
    const sampleTypes = sampleTypesOf(tab, rows);
    return [await topicOf(ctx, range, { displayType: tab, sampleTypes, named, isOrdered: true })];
  }
  const tabs = ([...profileTypes, "wall"] as const).flatMap((displayType) => {
    const sampleTypes = sampleTypesOf(displayType, rows);
    return sampleTypes.length === 0 ? [] : [{ displayType, sampleTypes, named, isOrdered: false }];
  });
  return Promise.all(tabs.map((wanted) => topicOf(ctx, range, wanted)));
}

interface Counted {
  readonly type: string;
  readonly sampleType: string;
  readonly profileCount: number;
}

/** Wall-clock profiles are stored as custom ones: the sample type wall is theirs, as are samples that no other profile counts. */
function sampleTypesOf(tab: ProfileType | "wall", rows: readonly Counted[]): string[] {
  const ofType = rows.filter((row) => row.type === (tab === "wall" ? "custom" : tab));
  const walls = ofType.filter(({ sampleType }) => isWall(sampleType));
  if (walls.length === 0) return tab === "wall" ? [] : ofType.map(({ sampleType }) => sampleType);
  const wallCount = Math.max(...walls.map(({ profileCount }) => profileCount));
  const isOfWall = (row: Counted) =>
    walls.includes(row) || (/^samples?\/count$/.test(row.sampleType) && row.profileCount === wallCount);
  return ofType.filter((row) => isOfWall(row) === (tab === "wall")).map(({ sampleType }) => sampleType);
}

function isWall(sampleType: string): boolean {
  return displayTypeOf("custom", [sampleType]) === "wall";
}

interface Wanted {
  readonly displayType: ProfileType | "wall";
  readonly sampleTypes: readonly string[];
  readonly named: string | undefined;
  /** Whether the sample types are needed in the order of the profiles even if one of them is the fallback of the type. */
  readonly isOrdered: boolean;
}

async function topicOf(
  ctx: Context,
  range: SeriesRange,
  { displayType, sampleTypes, named, isOrdered }: Wanted,
): Promise<ChartTopic> {
  const type = displayType === "wall" ? "custom" : displayType;
  const topic = { displayType, type };
  const fallback = fallbackSampleType(type);
  if (sampleTypes.length === 0) return { ...topic, sampleTypes, sampleType: named ?? fallback };
  if (!isOrdered && sampleTypes.includes(fallback)) return { ...topic, sampleTypes, sampleType: fallback };
  const { orgId, service, fromSeconds, toSeconds } = range;
  const [from, to] = [new Date(fromSeconds * 1000), new Date(toSeconds * 1000)];
  const latest = await readLatestSampleTypes(ctx.columns, { orgId, service, type, from, to });
  const ordered = inOrderOf(sampleTypes, latest);
  const wall = displayType === "wall" ? ordered.findIndex((name) => isWall(name)) : -1;
  const main = () => (wall === -1 ? mainSampleType(ordered, type) : wall);
  const index = sampleTypeIndex(ordered, named, "range") ?? main();
  return { ...topic, sampleTypes: ordered, sampleType: ordered[index]! };
}
