import type { ValueColumn } from "#model/profile.ts";
import type { ValueType } from "#model/stack-table.ts";
import type { Nanoseconds } from "#model/units.ts";
import type { ProfileStacks } from "./read-stacks.ts";

/**
 * Go's handlers subtract every column of two snapshots where `?seconds=` is given. For allocations this is what was
 * allocated in between; for `inuse_*` it is the change of memory in use, which must not be shown as memory in use.
 * (`serveDeltaProfile` in Go's net/http/pprof.)
 */
export function hasGaugeDifferences(
  sampleTypes: readonly ValueType[],
  values: readonly ValueColumn[],
  durationNs: Nanoseconds,
): boolean {
  const pairs = sampleTypes.flatMap(({ type }, gauge) => {
    const allocated = sampleTypes.findIndex((other) => other.type === type.replace(/^inuse_/, "alloc_"));
    return type.startsWith("inuse_") && allocated >= 0
      ? [{ inUse: values[gauge], allocated: values[allocated] }]
      : [];
  });
  if (pairs.some(({ inUse }) => hasNegative(inUse))) return true;
  // Memory in use outlives a window: a true gauge exceeds what the window allocated at nearly every stack.
  return (
    durationNs > 0n && pairs.length > 0 && pairs.every(({ inUse, allocated }) => isAtMost(inUse, allocated))
  );
}

/** A loop, because `some` takes ten times as long. */
export function hasNegative(column: ValueColumn): boolean {
  for (let i = 0; i < column.length; i++) if (column[i] < 0) return true;
  return false;
}

function isAtMost(column: ValueColumn, most: ValueColumn): boolean {
  for (let i = 0; i < column.length; i++) if (column[i] > most[i]) return false;
  return true;
}

function isInUse({ type }: ValueType): boolean {
  return type.startsWith("inuse_");
}

/**
 * The profile without `inuse_*` where these are differences; otherwise the profile itself.
 *
 * @param keepsGrowth whether only negative values show that they are
 */
export function withoutGaugeDifferences(profile: ProfileStacks, { keepsGrowth = false } = {}): ProfileStacks {
  const { sampleTypes, stacks, durationNs } = profile;
  if (!hasGaugeDifferences(sampleTypes, stacks.values, keepsGrowth ? 0n : durationNs)) return profile;
  const left = sampleTypes.filter((sampleType) => !isInUse(sampleType));
  const kept = <T>(columns: readonly T[]) => columns.filter((_, i) => !isInUse(sampleTypes[i]));
  const { labels } = profile;
  return {
    ...profile,
    sampleTypes: left,
    stacks: { ...stacks, sampleTypes: left, values: kept(stacks.values) },
    labels: typeof labels === "object" ? { ...labels, values: kept(labels.values) } : labels,
  };
}
