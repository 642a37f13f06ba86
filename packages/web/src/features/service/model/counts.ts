import type { DisplayType } from "@flamekeep/contract";
import { countOf } from "#profile-list/model.ts";

/** Profiles of all types. Batches of HTTP metrics are stored like profiles, but are none. */
export function profilesOf(counts: Readonly<Partial<Record<DisplayType, number>>> | undefined): number {
  return countOf(counts, "all") - countOf(counts, "metrics");
}
