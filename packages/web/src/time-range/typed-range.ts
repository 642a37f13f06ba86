import { spanMs } from "@flamekeep/contract";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import {
  clockText,
  hasSeconds,
  monthNames,
  msOfWallTime,
  repeatedMs,
  startOfDayMs,
  type WallTime,
  wallTimeOf,
  type Zone,
} from "#format/wall-time.ts";
import { betweenRange, lastRange, type ViewRange } from "./view-range.ts";

/** Text that somebody typed as the start or end of a range. */
type TypedTime = { readonly kind: "now" } | { readonly kind: "span"; readonly span: string } | At;
interface At {
  readonly kind: "at";
  readonly ms: number;
  /** The later moment with the same time of day, where the text does not say which of the two it means. */
  readonly repeatedMs?: number;
}

export interface TypingContext {
  readonly nowMs: number;
  readonly zone: Zone;
}

type Reading = (
  match: RegExpExecArray,
  context: TypingContext,
  edge: "start" | "end",
) => TypedTime | undefined;

const units: Record<string, string> = { s: "s", sec: "s", m: "m", min: "m", h: "h", hr: "h", d: "d", w: "w" };
const clock = String.raw`(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?(z|utc|[+-]\d{2}:?\d{2}))?`;

/** Forms in the order in which they are tried. */
const forms: readonly (readonly [RegExp, Reading])[] = [
  [/^now$/, () => ({ kind: "now" })],
  [/^(?:last )?(\d{1,5})\s*(s|sec|m|min|h|hr|d|w)[a-z]*(?: ago)?$/, readSpan],
  [new RegExp(`^(today|yesterday)(?:[ ,]+(?:at )?${clock})?$`), readNamedDay],
  [new RegExp(`^${clock}$`), readClock],
  [new RegExp(String.raw`^(\d{4})-(\d{2})-(\d{2})(?:[ t]+${clock}(?:\.\d+)?)?$`), readIsoDate],
  [/^\d{4}-\d{2}-\d{2}t(?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:?\d{2})$/, readInstant],
  [new RegExp(String.raw`^([a-z]{3})[a-z]* (\d{1,2})(?:,? (\d{4}))?(?:,? ${clock})?$`), readMonthDay],
  [/^\d{10}$|^\d{13}$/, ([text]) => at(text.length === 10 ? Number(text) * 1000 : Number(text))],
];

/** The time that a text means, undefined if it means none. A day without a time is its start or its end. */
export function typedTime(
  text: string,
  context: TypingContext,
  edge: "start" | "end",
): TypedTime | undefined {
  const trimmed = text.trim().toLowerCase().replace(/\s+/g, " ");
  for (const [pattern, read] of forms) {
    const match = pattern.exec(trimmed);
    if (match !== null) return read(match, context, edge);
  }
  return undefined;
}

export type TypedRange =
  | { readonly ok: true; readonly range: ViewRange }
  | { readonly ok: false; readonly field: "from" | "to"; readonly message: string };

export const typedExamples = "2h, yesterday 14:00 or 2026-11-20T10:00Z";

/** The range between two typed texts. An empty end is now. */
export function typedRange(fromText: string, toText: string, context: TypingContext): TypedRange {
  const from = typedTime(fromText, context, "start");
  if (from === undefined) return refuse("from", `Type a time such as ${typedExamples}`);
  const to = toText.trim() === "" ? ({ kind: "now" } as const) : typedTime(toText, context, "end");
  if (to === undefined) return refuse("to", `Type a time such as ${typedExamples}, or now`);
  const [fromMs, toMs] = [msOf(from, context), Math.min(msOf(to, context), context.nowMs)];
  if (fromMs >= context.nowMs) return refuse("from", "The start must be in the past");
  if (fromMs >= toMs) return refuse("to", "The end must be after the start");
  const range = from.kind === "span" && to.kind === "now" ? lastRange(from.span) : betweenRange(fromMs, toMs);
  return range === undefined
    ? refuse("from", "The range must be from a minute to ten years long")
    : { ok: true, range };
}

function refuse(field: "from" | "to", message: string): TypedRange {
  return { ok: false, field, message };
}

function msOf(time: TypedTime, { nowMs }: TypingContext): number {
  if (time.kind === "at") return time.ms;
  return time.kind === "now" ? nowMs : nowMs - (spanMs(time.span) ?? 0);
}

function at(ms: number): At | undefined {
  return Number.isNaN(ms) ? undefined : { kind: "at", ms };
}

function readSpan([, count = "", word = ""]: RegExpExecArray): TypedTime | undefined {
  const unit = units[word];
  const span = unit === "w" ? `${Number(count) * 7}d` : `${Number(count)}${unit}`;
  return (spanMs(span) ?? 0) >= minuteMs ? { kind: "span", span } : undefined;
}

function readNamedDay(match: RegExpExecArray, { nowMs, zone }: TypingContext, edge: "start" | "end") {
  const dayMs = startOfDayMs(nowMs, zone, match[1] === "yesterday" ? -1 : 0);
  const { year, month, day } = wallTimeOf(dayMs, zone);
  return readDay({ year, month, day }, match.slice(2), { zone, edge });
}

/** A time without a day: the latest one that is past. */
function readClock(match: RegExpExecArray, { nowMs, zone }: TypingContext): TypedTime | undefined {
  const today = wallTimeOf(nowMs, zone);
  const found = readDay(today, match.slice(1), { zone, edge: "start" });
  if (found === undefined || found.ms <= nowMs) return found;
  return readDay({ ...today, day: today.day - 1 }, match.slice(1), { zone, edge: "start" });
}

function readIsoDate(match: RegExpExecArray, { zone }: TypingContext, edge: "start" | "end") {
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  return isDay(year, month, day) ? readDay({ year, month, day }, match.slice(4), { zone, edge }) : undefined;
}

function readInstant([text]: RegExpExecArray): TypedTime | undefined {
  const [year = 0, month = 0, day = 0] = text.split(/\D/).map(Number);
  return isDay(year, month, day) ? at(Date.parse(text.toUpperCase())) : undefined;
}

function readMonthDay(match: RegExpExecArray, { nowMs, zone }: TypingContext, edge: "start" | "end") {
  const month = monthNames.findIndex((name) => name.toLowerCase() === match[1]) + 1;
  const year = match[3] === undefined ? wallTimeOf(nowMs, zone).year : Number(match[3]);
  const day = Number(match[2]);
  return isDay(year, month, day) ? readDay({ year, month, day }, match.slice(4), { zone, edge }) : undefined;
}

function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function readDay(
  { year, month, day }: Pick<WallTime, "year" | "month" | "day">,
  time: readonly (string | undefined)[],
  { zone, edge }: { readonly zone: Zone; readonly edge: "start" | "end" },
): At | undefined {
  if (time[0] === undefined) {
    const next = edge === "end" ? 1 : 0;
    return at(msOfWallTime({ year, month, day: day + next, hour: 0, minute: 0, second: 0 }, zone));
  }
  const [hour = 0, minute = 0, second = 0] = time.slice(0, 3).map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const wall = { year, month, day, hour, minute, second };
  if (time[3] !== undefined) return at(msOfWallTime(wall, "utc") - offsetOf(time[3]));
  const ms = msOfWallTime(wall, zone);
  const laterMs = repeatedMs(ms, zone);
  return { kind: "at", ms, ...(laterMs !== undefined && { repeatedMs: laterMs }) };
}

/** Milliseconds ahead of UTC of `z`, `utc` or `+02:00`. */
function offsetOf(text: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(text) ?? [];
  const ms = Number(hours ?? 0) * hourMs + Number(minutes ?? 0) * minuteMs;
  return sign === "-" ? -ms : ms;
}

/** The two moments that a text may mean in a repeated hour; undefined for all other texts. */
export function repeatedText(text: string, context: TypingContext): string | undefined {
  const time = typedTime(text, context, "start");
  if (time?.kind !== "at" || time.repeatedMs === undefined) return undefined;
  const [first, second] = [time.ms, time.repeatedMs].map((ms) => clockText(ms, context.zone, hasSeconds(ms)));
  return `This time occurs twice. Type ${first} or ${second}; without an offset, the first is used.`;
}
