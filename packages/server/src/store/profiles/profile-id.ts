import { utcDayOf } from "#store/column/utc.ts";

const pattern = /^[0-9a-f]{24}([0-9a-f]{8})$/;

/**
 * Second in which a profile started, read from its id: the last eight characters hold it, so that a look-up
 * by id touches one day's partition. Null when the text cannot be an id.
 */
export function startSecondsOf(profileId: string): number | null {
  const match = pattern.exec(profileId);
  return match === null ? null : Number.parseInt(match[1]!, 16);
}

/** The day (UTC, `2026-11-20`) whose partition holds the profile; null when the text cannot be an id. */
export function dayOf(profileId: string): string | null {
  const seconds = startSecondsOf(profileId);
  return seconds === null ? null : utcDayOf(seconds * 1000);
}
