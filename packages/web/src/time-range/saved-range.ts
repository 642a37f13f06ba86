import { readStored, storageKeys, writeStored } from "#preferences/storage.ts";
import { lastRange, queryOfRange, rangeOfSearch, type ViewRange } from "./view-range.ts";

/**
 * Saves "last so many hours" permanently. A range between two moments is kept only for this browser tab: tomorrow nobody
 * looks for yesterday's incident.
 */
export function saveRange(range: ViewRange): void {
  if (range.kind === "last") writeStored(storageKeys.timeRange, range.span);
  const { from, to } = queryOfRange(range);
  sessionStorage.setItem(storageKeys.timeRange, range.kind === "last" ? range.span : `${from} ${to}`);
}

/** Ends a choice for this browser tab once the saved "last so many hours" is shown again, as after Back. */
export function endTabRange(shown: ViewRange): void {
  const isSaved = shown.kind === "last" && shown.span === readStored(storageKeys.timeRange);
  if (isSaved) sessionStorage.removeItem(storageKeys.timeRange);
}

/** The range of this browser tab, or the last choice of any; undefined if there was none. */
export function savedRange(): ViewRange | undefined {
  return ofText(sessionStorage.getItem(storageKeys.timeRange)) ?? ofText(readStored(storageKeys.timeRange));
}

function ofText(text: string | null): ViewRange | undefined {
  const [from, to] = (text ?? "").split(" ");
  if (from === undefined || from === "") return undefined;
  return to === undefined ? lastRange(from) : rangeOfSearch({ from, to });
}
