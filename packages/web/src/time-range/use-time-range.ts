import { spanMs } from "@flamekeep/contract";
import { withoutFrameRefs } from "@flamekeep/flame/without-graph";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Zone } from "#format/wall-time.ts";
import { chooseRefresh, type RefreshChoice, useRefreshChoice } from "#preferences/auto-refresh.ts";
import { chooseZone, useZone } from "#preferences/time-zone.ts";
import { useNow } from "#ui/hooks/use-now.ts";
import { savedRange, saveRange } from "./saved-range.ts";
import {
  defaultRange,
  queryOfRange,
  type RangeQuery,
  type RangeSearch,
  rangeOfSearch,
  rangeText,
  searchOfRange,
  type ViewRange,
} from "./view-range.ts";

export interface TimeRangeState {
  readonly range: ViewRange;
  /** `from` and `to` of calls over the range. */
  readonly query: RangeQuery;
  /** The range in words: `Last 24 hours`. */
  readonly label: string;
  /** Also saves the choice and returns to the first page of lists. Browser Back undoes it. */
  readonly change: (range: ViewRange) => void;
  readonly zone: Zone;
  readonly changeZone: (zone: Zone) => void;
  readonly refresh: RefreshChoice;
  readonly changeRefresh: (choice: RefreshChoice) => void;
  /** For `refetchInterval`: the chosen interval, at least `fastestMs`. False for a range that has ended. */
  readonly refreshMs: (fastestMs: number) => number | false;
}

/** The time range of the page: from its URL, else the saved choice, else the last 24 hours. */
export function useTimeRange(): TimeRangeState {
  const { range: span, from, to }: RangeSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const zone = useZone();
  const refresh = useRefreshChoice();
  const nowMs = useNow();
  const range = useMemo(
    () => rangeOfSearch({ range: span, from, to }) ?? savedRange() ?? defaultRange,
    [span, from, to],
  );
  const query = useMemo(() => queryOfRange(range), [range]);

  function change(next: ViewRange) {
    saveRange(next);
    void navigate({
      to: ".",
      search: (before: Record<string, unknown>) => ({ ...before, ...firstView, ...searchOfRange(next) }),
      resetScroll: false,
    });
  }

  return {
    range,
    query,
    label: rangeText(range, nowMs, zone),
    change,
    zone,
    changeZone: chooseZone,
    refresh,
    changeRefresh: chooseRefresh,
    refreshMs: (fastestMs) => {
      if (refresh === "off" || range.kind === "between") return false;
      return refresh === "live" ? fastestMs : Math.max(fastestMs, spanMs(refresh) ?? 0);
    },
  };
}

/** Cursors belong to the list of another range, references to frames to the graph of another range. */
const firstView = { page: undefined, after: undefined, ...withoutFrameRefs };
