import { displayTypes, profileTabOf, readableLine } from "@flamekeep/contract";
import { type AnyRouter, useLocation, useRouter } from "@tanstack/react-router";
import { Info, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { rangeOfSearch } from "#time-range/view-range.ts";
import { Button } from "#ui/controls/button.tsx";
import { openedAddress, openedAddressNotice } from "#url/base-path.ts";

/** Says which values of the address that the app was opened with are not used, until the person leaves the page. */
export function AddressNotice() {
  const router = useRouter();
  const { pathname } = useLocation();
  const { label } = useTimeRange();
  const [first] = useState(() => ({ pathname, ignored: ignoredOf(router, pathname) }));
  const [isClosed, setClosed] = useState(openedAddressNotice.isDone);
  const isOver = isClosed || pathname !== first.pathname;
  // The layout is made again after every sign-in, and must not bring the notice back.
  useEffect(() => {
    if (isOver) openedAddressNotice.isDone = true;
  }, [isOver]);
  if (isOver && !isClosed) setClosed(true);
  if (isOver || first.ignored.length === 0) return null;
  const instead = insteadOf(first.ignored, label);
  return (
    <div
      role="status"
      className="mb-4 flex items-center gap-2 rounded-control border border-line bg-surface py-1 pr-1 pl-3 text-label md:mb-6"
    >
      <Info aria-hidden className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
      <p className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">
        Ignored in this address: {first.ignored.map(({ name, value }) => `${name} “${value}”`).join(", ")}.
        {instead.length > 0 && <span className="text-muted"> Shown instead: {instead.join(", ")}.</span>}
      </p>
      <Button
        variant="ghost"
        size="icon"
        className="size-7!"
        aria-label="Close"
        onClick={() => setClosed(true)}
      >
        <X aria-hidden className="size-3.5" strokeWidth={1.75} />
      </Button>
    </div>
  );
}

function ignoredOf(router: AnyRouter, pathname: string): IgnoredValue[] {
  const [, params, route] = router.getMatchedRoutes(openedAddress.pathname);
  const segment = ignoredSegment(params.type);
  const ofPath = segment === undefined ? [] : [segment];
  const read: unknown = route?.options.validateSearch;
  // An address can lead on to another page, which has other parameters.
  if (typeof read !== "function" || pathname !== openedAddress.pathname) return ofPath;
  const raw = router.options.parseSearch(openedAddress.search);
  return [...ofPath, ...ignoredValues(raw, read(raw))];
}

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
