import { moment } from "@flamekeep/contract/schemas";
import { z } from "zod";
import { invalid } from "#failure";
import { momentMs } from "#http/query/time-range.ts";

/** Answers of more bytes have several pages: an agent pays for what it reads. */
const pageBytesMax = 3900;

export const cursorField = z
  .string()
  .max(40)
  .optional()
  .describe("From the end of an answer: its next page. Give the other fields unchanged.");

/** The line with which a page begins, and the time at which the first page was read: all pages have its ranges. */
export interface Cursor {
  readonly line: number;
  readonly atMs: number;
}

export function cursorOf(text: string | undefined, nowMs: number): Cursor {
  if (text === undefined) return { line: 0, atMs: nowMs };
  const [, line, at] = /^(\d{1,7})-(\d{1,15})$/.exec(text) ?? [];
  if (line === undefined || Number(at) > nowMs) {
    throw invalid("cursor must be the one that the end of an answer names. Leave it out for the first page.");
  }
  return { line: Number(line), atMs: Number(at) };
}

/** The input with times instead of spans before now. Texts that are neither stay, for the message of the call. */
export function withTimes<T extends object>(input: T, atMs: number): T {
  const entries = Object.entries(input).map(([name, value]) => {
    const isMoment = /(?:^|_)(?:from|to)$/.test(name) && moment(name).safeParse(value).success;
    return [name, isMoment ? new Date(momentMs(value, atMs)).toISOString() : value];
  });
  return Object.fromEntries(entries);
}

/** Whole lines from the cursor on, and how to get those that follow. */
export function pageOf(text: string, { line: from, atMs }: Cursor): string {
  const lines = text.split("\n");
  const page: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(from)) {
    const size = Buffer.byteLength(line) + 1;
    if (bytes + size > pageBytesMax) break;
    page.push(line);
    bytes += size;
  }
  if (page.length === 0 && from < lines.length) page.push(cut(lines[from]!));
  const next = from + page.length;
  if (next >= lines.length) return page.length === 0 ? "No more lines." : page.join("\n");
  return [
    ...page,
    `(lines ${from + 1} to ${next} of ${lines.length}; for more: cursor "${next}-${atMs}")`,
  ].join("\n");
}

function cut(line: string): string {
  return `${Buffer.from(line)
    .subarray(0, pageBytesMax - 4)
    .toString()
    .replace(/\ufffd$/, "")}…`;
}
