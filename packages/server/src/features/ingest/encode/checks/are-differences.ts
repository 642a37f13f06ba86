import type { ProfileStacks } from "@flamekeep/profile";

export const differencesNotice =
  "Less was allocated than is in use, so the counters are differences already, as those of /debug/pprof/delta_heap, and were stored as such. Add delta=true: not every one of them can be recognised.";

/**
 * Whether the counters of a heap profile cannot have been counted since the process started: something is in use that they do not
 * contain. Profiles of godeltaprof are recognised by nothing else, and by this only if they show memory of earlier.
 */
export function areDifferences({ sampleTypes, stacks }: ProfileStacks): boolean {
  const columnOf = (name: string) => stacks.values[sampleTypes.findIndex(({ type }) => type === name)];
  return ["objects", "space"].some((what) => {
    const allocated = columnOf(`alloc_${what}`);
    const inUse = columnOf(`inuse_${what}`);
    if (allocated === undefined || inUse === undefined) return false;
    for (let i = 0; i < stacks.length; i++) if (allocated[i]! < inUse[i]!) return true;
    return false;
  });
}
