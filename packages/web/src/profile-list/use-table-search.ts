import type { TimeRange } from "@flamekeep/contract";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { savedTimeRange, saveTimeRange } from "#api/preferences.ts";

export const pageSizes = [5, 10, 25, 50] as const;
export type PageSize = (typeof pageSizes)[number];

export interface TableSearch {
  readonly range?: TimeRange | undefined;
  readonly q?: string | undefined;
  readonly size?: PageSize | undefined;
}

/** The table's view state: read from the URL and written back to it, the range also to the saved preference. */
export function useTableSearch() {
  const search: TableSearch = useSearch({ strict: false });
  const navigate = useNavigate();

  function change(part: TableSearch) {
    if (part.range !== undefined) saveTimeRange(part.range);
    void navigate({
      to: ".",
      search: (before: Record<string, unknown>) => ({ ...before, ...part }),
      replace: true,
      resetScroll: false,
    });
  }

  return {
    range: search.range ?? savedTimeRange(),
    q: search.q ?? "",
    size: search.size ?? 10,
    change,
  };
}
