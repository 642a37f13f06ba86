import { limits } from "@flamekeep/contract/limits";
import { buildComparison, encodeFlameGraph, pruneTree } from "@flamekeep/flame";
import { type ComparisonMeta, comparisonJson, dividedBy, type SideMeta } from "@flamekeep/flame/compare";
import { pairStacks, type StackTable, type TypeOfTable, totalOf } from "@flamekeep/profile";
import type { GraphPart } from "#flame-graph/reply/graph-part.ts";
import { groupedFrames } from "#flame-graph/reply/grouped-frames.ts";
import { partFrom } from "#flame-graph/tasks.ts";
import { hasLabels } from "#http/query/label-filter.ts";
import { selectedStacks } from "#stacks/labelled-profile.ts";
import { type Opened, openLabelledStacks, openStacks, tryOpening } from "#stacks/open-profile.ts";
import { type Resolved, type StoredStacks, tableOf } from "#stacks/ranges/stored-stacks.ts";
import { sampleTypeNamed } from "#store/profiles/sample-type-named.ts";
import type { ProfileStacks } from "./content.ts";

/** The stacks of a side: of a profile's bytes, or in the next column of the stored ones. */
type SideSource = ProfileStacks | { readonly kind: "stored" };

type MetaOfSide = Omit<SideMeta, "total">;

export interface ComparisonTask extends GraphPart<"columns" | "json"> {
  readonly before: SideSource;
  readonly after: SideSource;
  readonly stored: StoredStacks;
  readonly meta: Omit<ComparisonMeta, "before" | "after"> & {
    readonly before: MetaOfSide;
    readonly after: MetaOfSide;
  };
}

/** The comparison of stored stacks and profiles as columns, or as JSON text in UTF-8. Throws RangeError if it has no such frame. */
export function drawComparison(task: ComparisonTask): Opened<Resolved<Uint8Array>> {
  return tryOpening(() => {
    const pair = pairOf(task);
    if (pair.missing !== undefined) return pair;
    return { missing: undefined, value: comparisonBytes(pair.value, task) };
  });
}

interface Pair {
  readonly stacks: StackTable;
  /** The totals that every endpoint shows. The sums of a call tree are rounded and do not overflow. */
  readonly totals: readonly [before: number, after: number];
}

type PairedSide = TypeOfTable & { readonly total: number };

function pairOf({ before, after, stored }: ComparisonTask): Resolved<Pair> {
  const found = stored.columns.length === 0 ? undefined : tableOf(stored);
  if (found?.missing !== undefined) return found;
  const columnOfAfter = before.kind === "stored" ? 1 : 0;
  const side = (source: SideSource, column: number): PairedSide =>
    source.kind === "stored"
      ? {
          stacks: found!.value,
          sampleType: column,
          total: Number(totalOf(stored.columns[column]!.values)),
        }
      : openedSide(source);
  // Opening the second profile overwrites the stacks of the first.
  const first = side(before, 0);
  const isOverwritten = before.kind === "profile" && after.kind === "profile";
  const kept = isOverwritten ? { ...first, stacks: structuredClone(first.stacks) } : first;
  const second = side(after, columnOfAfter);
  return {
    missing: undefined,
    value: { stacks: pairStacks(kept, second), totals: [first.total, second.total] },
  };
}

function stacksOf(source: ProfileStacks) {
  const { labels } = source;
  if (!hasLabels(labels)) return openStacks(source).profile;
  const { profile } = openLabelledStacks(source);
  const stacks = selectedStacks(profile, source.type, { labels, groupBy: undefined });
  return { stacks, sampleTypes: profile.sampleTypes };
}

function openedSide(source: ProfileStacks): PairedSide {
  const { stacks, sampleTypes } = stacksOf(source);
  const sampleType = sampleTypeNamed(sampleTypes, source.sampleType);
  return { stacks, sampleType, total: Number(totalOf(stacks.values[sampleType]!)) };
}

function comparisonBytes({ stacks, totals }: Pair, task: ComparisonTask): Uint8Array {
  const { meta, form, maxNodes, root } = task;
  const isMean = meta.aggregation === "mean";
  const profilesOf = (side: MetaOfSide) => (isMean ? Math.max(1, side.profiles) : 1);
  const divisors = [profilesOf(meta.before), profilesOf(meta.after)] as const;
  const [{ before, after }] = meta.normalisations;
  const scale = [1 / (before * divisors[0]), 1 / (after * divisors[1])];
  const whole = buildComparison(groupedFrames(stacks, task), scale);
  const comparison = partFrom(whole, root);
  const full = {
    ...meta,
    before: { ...meta.before, total: totals[0] / divisors[0] },
    after: { ...meta.after, total: totals[1] / divisors[1] },
  };
  if (form === "columns")
    return encodeFlameGraph(pruneTree(comparison, { maxNodes, hasAllFrames: true }), full, divisors);
  // A part that begins at the root is the whole comparison.
  const isPart = comparison !== whole;
  const jsonLimits = { maxNodes, maxFunctions: limits.comparedFunctionsMax, isPart };
  return Buffer.from(JSON.stringify(comparisonJson(dividedBy(comparison, divisors), full, jsonLimits)));
}
