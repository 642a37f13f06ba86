import type { Planned } from "./plan.ts";

/**
 * Uploads in rows that run side by side, each one after the other: what is newest first, so that a first visitor
 * sees today. Memory snapshots of one service stay in one row in the order of time, because each is compared with
 * the one before, also over a release.
 */
export function toLanes(planned: readonly Planned[], width: number): Planned[][] {
  const ascending = planned.toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  const series = Map.groupBy(ascending.filter(isMemory), ({ service }) => service);
  const newestFirst = ascending.filter((upload) => !isMemory(upload)).toReversed();
  const others = Map.groupBy(newestFirst, (_, index) => index % width);
  return [...others.values(), ...series.values()];
}

function isMemory(upload: Planned): boolean {
  return upload.file.type === "memory";
}
