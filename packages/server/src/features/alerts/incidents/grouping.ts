import { hourMs } from "@flamekeep/contract/durations";
import type { AlertRow } from "#alerts/stored-alert.ts";

/**
 * Signals that begin this close to each other are one incident. A release reaches all instances within minutes to an hour,
 * and the change point of noisy series is known to about an hour. Half a day would join two releases of one day; half an
 * hour would split the rollout of one.
 */
const togetherMs = 2 * hourMs;

export type Signal = Pick<AlertRow, "id" | "incidentId" | "beganAt" | "openedAt">;

/**
 * The incident that a new signal of a service joins, the nearest of several; undefined if it begins one. The signal is
 * compared with the first signal of each incident: compared with all of them, an incident could grow for days.
 *
 * @param open the signals of the service's open incidents, each with its first
 */
export function incidentOf(signal: Omit<Signal, "incidentId">, open: readonly Signal[]): string | undefined {
  const near = open
    .filter(({ id, incidentId }) => id === incidentId)
    .map((first) => ({ id: first.incidentId, apartMs: apartMs(signal, first) }))
    .filter((each) => each.apartMs <= togetherMs)
    .sort((a, b) => a.apartMs - b.apartMs || (a.id < b.id ? -1 : 1));
  return near[0]?.id;
}

/** Between the beginnings. The times of opening are compared if a beginning is not known. */
function apartMs(a: Omit<Signal, "incidentId">, b: Signal): number {
  const between = (one: string, other: string) => Math.abs(Date.parse(one) - Date.parse(other));
  if (a.beganAt === null || b.beganAt === null) return between(a.openedAt, b.openedAt);
  return between(a.beganAt, b.beganAt);
}
