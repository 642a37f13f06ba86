import { damaged, type Failure } from "#failure";

/** The bytes of a stored profile cannot be read; `reason` is for the log. */
export function damagedPayload(profileId: string, reason: string): Failure {
  return damaged(
    "The original bytes of this profile are damaged or missing, so it cannot be opened. Lists, timelines and the flame graph of its service do not need them and still count it.",
    new Error(`Profile ${profileId}: ${reason}`),
  );
}
