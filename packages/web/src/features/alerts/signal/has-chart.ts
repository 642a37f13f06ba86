import type { Alert } from "@flamekeep/contract";

/**
 * Whether there is a series of what the alert compared. No call gives the requests of one route over time, nor several
 * instances apart from the others.
 */
export function hasChart({ signal, instances }: Pick<Alert, "signal" | "instances">): boolean {
  return signal === undefined && instances === undefined;
}
