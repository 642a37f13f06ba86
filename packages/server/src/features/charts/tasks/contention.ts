import { limits } from "@flamekeep/contract";
import { type CallSite, callSites, type StackTable, sumStacks } from "@flamekeep/profile";
import { type Opened, openProfile, tryOpening } from "#decoding/open-profile.ts";
import { type Resolved, type StoredStacks, tableOf } from "#decoding/ranges/stored-stacks.ts";
import type { Original } from "#store/payloads/read-payload.ts";
import { type ChartFrame, frameOf, framesOf, totalIn } from "./frames.ts";

export interface Contention {
  readonly contentions: number;
  readonly delay: number;
  readonly sites: readonly (Omit<CallSite, "frame" | "longestStack"> & {
    readonly frame: ChartFrame | undefined;
    readonly stack: readonly ChartFrame[];
  })[];
  readonly siteCount: number;
}

export function contentionOfProfile(original: Original): Opened<Contention> {
  return tryOpening(() => contentionIn(sumStacks(openProfile(original))));
}

export function contentionOfStacks(stored: StoredStacks): Resolved<Contention> {
  const table = tableOf(stored);
  return table.missing === undefined ? { missing: undefined, value: contentionIn(table.value) } : table;
}

function contentionIn(stacks: StackTable): Contention {
  const column = (name: string) => stacks.sampleTypes.findIndex(({ type }) => type === name);
  const sites = callSites(stacks, column("contentions"), column("delay"));
  return {
    contentions: totalIn(stacks, column("contentions")),
    delay: totalIn(stacks, column("delay")),
    sites: sites.slice(0, limits.chartRowsMax).map(({ frame, longestStack, ...site }) => ({
      ...site,
      frame: frameOf(stacks, frame),
      stack: framesOf(stacks, longestStack),
    })),
    siteCount: sites.length,
  };
}
