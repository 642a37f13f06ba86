import type { SideMeta } from "@flamekeep/flame/compare";
import { defaultSampleType } from "@flamekeep/profile";
import type { Context } from "#context";
import { unprocessable } from "#failure";
import { hasLabels, type LabelFilter, labelsOf } from "#http/query/label-filter.ts";
import { contentOf, matchesTotal, readRangeTotals, stackTotals } from "#stacks/ranges/merge-range.ts";
import type { RangeTotals } from "#stacks/ranges/range-totals.ts";
import type { StackColumn } from "#stacks/ranges/stored-stacks.ts";
import { cpuTime } from "#stacks/traffic/traffic.ts";
import { type Original, readPayload } from "#store/payloads/read-payload.ts";
import { defaultSampleTypeFact, toValueType } from "#store/profiles/profile-row.ts";
import { fallbackSampleType, sampleTypeIndex } from "#store/profiles/sample-type.ts";
import type { Side, Sides } from "./side.ts";

/** A side with its sample types: of a range with its totals. */
export type SideContent = { readonly sampleTypes: readonly string[] } & (
  | Extract<Side, { kind: "profile" }>
  | (Extract<Side, { kind: "range" }> & { readonly totals: RangeTotals })
);

/** Throws `unprocessable` for a tag that no profile of a range has. */
export async function readContent(ctx: Context, side: Side): Promise<SideContent> {
  if (side.kind === "profile") return { ...side, sampleTypes: side.row.sample_types };
  const totals = await readRangeTotals(ctx, side.range);
  return { ...side, totals, sampleTypes: totals.totals.map(({ sampleType }) => sampleType) };
}

export interface CommonTypes {
  readonly sampleType: string;
  /** The sample types of both sides, to choose from. */
  readonly sampleTypes: readonly string[];
}

/**
 * The sample type to compare: the one with the name, or the main one of the second side. A side without profiles has none and takes
 * the other's. Throws `unprocessable` if a side lacks it.
 */
export function commonTypes(
  { type, sampleType: named }: Pick<Sides, "type" | "sampleType">,
  before: SideContent,
  after: SideContent,
): CommonTypes {
  const sides = [after, before].filter(({ sampleTypes }) => sampleTypes.length > 0);
  const [main, other] = sides;
  if (main === undefined) return { sampleType: named ?? fallbackSampleType(type), sampleTypes: [] };
  const sampleTypes = main.sampleTypes.filter((each) => other?.sampleTypes.includes(each) ?? true);
  if (sampleTypes.length === 0) {
    const [b, a] = [before, after].map((side) => side.sampleTypes.join(", "));
    throw unprocessable(`The sides have no sample type in common: the first has ${b}, the second ${a}`);
  }
  const chosen = sampleTypeIndex(sampleTypes, named, "comparison");
  const preferred = mainTypeOf(main, type);
  const sampleType =
    chosen === undefined
      ? (sampleTypes.find((each) => each === preferred) ?? sampleTypes.at(-1)!)
      : sampleTypes[chosen]!;
  return { sampleType, sampleTypes };
}

function mainTypeOf(side: SideContent, type: Sides["type"]): string | undefined {
  const facts = side.kind === "profile" ? side.row.facts : {};
  const sampleTypes = side.sampleTypes.map(toValueType);
  const named = facts[defaultSampleTypeFact] ?? "";
  const totals = side.kind === "profile" ? side.row.totals : side.totals.totals.map(({ total }) => total);
  return side.sampleTypes[defaultSampleType({ sampleTypes, totals, defaultSampleType: named }, type)];
}

/** The profiles of a side for the reply, without their total, which the comparison has. */
export function sideMeta(side: SideContent, sampleType: string): Omit<SideMeta, "total"> {
  if (side.kind === "profile") {
    const { profile_id, service, started_at, duration_ns, tags } = side.row;
    const durationMs = Number(duration_ns) / 1e6;
    return {
      profileId: profile_id,
      service,
      from: started_at.toISOString(),
      to: new Date(started_at.getTime() + durationMs).toISOString(),
      tags,
      ...labelsField(side.labels),
      profiles: 1,
      durationMs,
    };
  }
  const { service, from, to, tagNames, tagValues, labels } = side.range;
  const { profiles, durationNs } = rangeContent(side, sampleType);
  return {
    profileId: null,
    service,
    from: from.toISOString(),
    to: to.toISOString(),
    tags: Object.fromEntries(tagNames.map((name, index) => [name, tagValues[index]![0]!])),
    ...labelsField(labels),
    profiles,
    durationMs: Number(durationNs) / 1e6,
  };
}

function labelsField(labels: LabelFilter | undefined) {
  return hasLabels(labels) ? { labels: labelsOf(labels) } : {};
}

/** CPU time of a range; undefined of other profile types, and of a profile. */
export function cpuNsOf(side: SideContent): number | undefined {
  if (side.kind === "profile") return undefined;
  const cpu = side.totals.totals.find(({ sampleType }) => sampleType === cpuTime);
  return cpu && Number(cpu.total);
}

/** Changes with the values of a side. */
export function identityOf(side: SideContent, sampleType: string): string {
  return side.kind === "profile" ? side.row.content_hash : String(rangeContent(side, sampleType).total);
}

function rangeContent(side: Extract<SideContent, { kind: "range" }>, sampleType: string) {
  return contentOf(side.range, side.totals, sampleType);
}

/** The stacks of a profile, as a task reads them. */
export interface ProfileStacks extends Original {
  readonly kind: "profile";
  readonly sampleType: string;
  readonly labels: LabelFilter;
}

export type SideStacks = ProfileStacks | { readonly kind: "stored"; readonly column: StackColumn };

/** `isCurrent` is false if a profile was stored after the totals of the range were read. */
export async function readStacksOf(
  ctx: Context,
  side: SideContent,
  sampleType: string,
): Promise<{ readonly stacks: SideStacks; readonly isCurrent: boolean }> {
  if (side.kind === "range") {
    const content = rangeContent(side, sampleType);
    const column = await stackTotals(ctx, side.range, content);
    return { stacks: { kind: "stored", column }, isCurrent: matchesTotal([column], content) };
  }
  const profileId = side.row.profile_id;
  const payload = await readPayload(ctx.payloads, side.orgId, profileId);
  const { labels, row } = side;
  return {
    stacks: {
      kind: "profile",
      type: row.type,
      sampleTypes: row.sample_types,
      sampleType,
      labels,
      profileId,
      payload,
    },
    isCurrent: true,
  };
}
