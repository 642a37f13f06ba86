import type { Alert } from "@flamekeep/contract";

/** Whether there is a series of what the alert compared. No call gives several instances apart from the others. */
export function hasChart({ instances }: Pick<Alert, "instances">): boolean {
  return instances === undefined;
}
