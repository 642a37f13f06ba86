import { moment } from "#time-range/search.ts";

/** A stretch of the timeline. Unix milliseconds. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The selection of a link, an ISO 8601 interval such as `2026-11-20T10:00:00Z/2026-11-20T11:00:00Z`; undefined if it is none. */
export function selectionOf(text: string | undefined): TimeSpan | undefined {
  const [from, to, ...rest] = (text ?? "").split("/").map(moment);
  if (from === undefined || to === undefined || rest.length > 0) return undefined;
  const span = { fromMs: Date.parse(from), toMs: Date.parse(to) };
  return span.fromMs < span.toMs ? span : undefined;
}

export function selectionText({ fromMs, toMs }: TimeSpan): string {
  return `${isoText(fromMs)}/${isoText(toMs)}`;
}

/** Query parameters of calls over the selection. */
export function queryOfSelection({ fromMs, toMs }: TimeSpan): { readonly from: string; readonly to: string } {
  return { from: isoText(fromMs), to: isoText(toMs) };
}

function isoText(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}
