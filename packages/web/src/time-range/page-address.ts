import { minuteMs } from "@flamekeep/contract/durations";
import { type AnyRoute, type AnyRouter, useRouter } from "@tanstack/react-router";
import { keepTimeRange } from "./search.ts";
import { useTimeRange } from "./use-time-range.ts";
import { boundsOf, searchOfRange, type ViewRange } from "./view-range.ts";

/** The address of the current view, for readers who open it later. */
export interface PageAddress {
  /** Shows the same time whenever it is opened. */
  readonly fixed: string;
  /** The address of a range up to now that keeps moving; undefined for pages without one. */
  readonly moving?: {
    readonly href: string;
    /** Such as `24h`. */
    readonly span: string;
    /** The range of `fixed`. */
    readonly fixedRange: ViewRange;
  };
}

/**
 * @param href the address in the browser, which names no range where the person's own choice is shown
 * @param range the range on screen; undefined on pages without one
 */
export function pageAddress(href: string, range: ViewRange | undefined, nowMs: number): PageAddress {
  if (range === undefined) return { fixed: href };
  const fixed = fixedRange(range, nowMs);
  const address = { fixed: withSearch(href, searchOfRange(fixed)) };
  if (range.kind === "between") return address;
  return {
    ...address,
    moving: { href: withSearch(href, searchOfRange(range)), span: range.span, fixedRange: fixed },
  };
}

/** In whole minutes, which calls widen ranges to. */
function fixedRange(range: ViewRange, nowMs: number): ViewRange {
  if (range.kind === "between") return range;
  const { fromMs, toMs } = boundsOf(range, nowMs);
  return {
    kind: "between",
    fromMs: Math.floor(fromMs / minuteMs) * minuteMs,
    toMs: Math.ceil(toMs / minuteMs) * minuteMs,
  };
}

/** The address with some of its parameters replaced, and removed where the new value is undefined. */
export function withSearch(href: string, search: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(href);
  for (const [name, value] of Object.entries(search)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.href;
}

/** Returns the address of the page at the time of the call. */
export function usePageAddress(): () => PageAddress {
  const router: AnyRouter = useRouter();
  const { range } = useTimeRange();
  return () => {
    const hasRange = router.state.matches.some(({ routeId }) =>
      (router.routesById as Record<string, AnyRoute>)[routeId]?.options.search?.middlewares?.includes(
        keepTimeRange,
      ),
    );
    return pageAddress(window.location.href, hasRange ? range : undefined, Date.now());
  };
}
