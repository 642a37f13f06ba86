import { displayTypes, profileTabOf, readableLine } from "@flamekeep/contract";
import { rangeOfSearch } from "#time-range/view-range.ts";

/** A value of the page's address that is not used, because it is malformed or leads nowhere. */
export interface IgnoredValue {
  readonly name: string;
  readonly value: string;
}

type Search = Readonly<Record<string, unknown>>;

const valueLengthMax = 39;

/** @param read the parameters that the page knows, undefined if they are malformed */
export function ignoredValues(raw: Search, read: Search): IgnoredValue[] {
  const malformed = Object.keys(read).filter((name) => read[name] === undefined && !isAbsent(raw[name]));
  const useless = [...uselessBounds(read), ...uselessPage(read)];
  return [...malformed, ...useless]
    .filter((name) => !(name === "page" && raw[name] === 1))
    .map((name) => ({ name, value: shown(raw[name]) }));
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** A range has both ends, the earlier one first. */
function uselessBounds({ from, to }: Search): string[] {
  const bounds = { from: textOf(from), to: textOf(to) };
  if (rangeOfSearch(bounds) !== undefined) return [];
  return (["from", "to"] as const).filter((name) => bounds[name] !== undefined);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The cursor leads to a page; its number is only shown. */
function uselessPage({ page, after }: Search): string[] {
  return page !== undefined && after === undefined ? ["page"] : [];
}

/** The type in a path, if there is no such type. */
export function ignoredSegment(segment: string | undefined): IgnoredValue | undefined {
  const type = segment?.toLowerCase();
  const isKnown = type === undefined || type === "all" || displayTypes.some((each) => each === type);
  return isKnown || profileTabOf(type) !== "all" ? undefined : { name: "type", value: shown(segment) };
}

function shown(value: unknown): string {
  const text = readableLine(typeof value === "string" ? value : JSON.stringify(value));
  return text.length > valueLengthMax ? `${text.slice(0, valueLengthMax)}…` : text;
}

const ofRange = ["range", "from", "to"];
const fallbacks: Readonly<Record<string, string>> = {
  page: "the first page",
  after: "the first page",
  tags: "no tag filter",
  type: "all types",
  selection: "the whole range",
  since: "the whole range",
};

/** The replacements of the ignored values, each once. @param range the page's time range in words */
export function insteadOf(ignored: readonly IgnoredValue[], range: string): string[] {
  const all = ignored.flatMap(({ name }) =>
    ofRange.includes(name) ? [range.replace(/^Last/, "the last")] : (fallbacks[name] ?? []),
  );
  return [...new Set(all)];
}
