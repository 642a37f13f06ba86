import type { DisplayType, TimeRange } from "@flamekeep/contract";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { savedTimeRange, saveTimeRange } from "#preferences/time-range.ts";

export const pageSizes = [5, 10, 25, 50] as const;
export type PageSize = (typeof pageSizes)[number];

interface TableFilters {
  readonly range?: TimeRange | undefined;
  readonly type?: DisplayType | undefined;
  readonly q?: string | undefined;
  readonly size?: PageSize | undefined;
}

interface TableSearch extends TableFilters {
  /** From 1; what the reader sees of `after`. */
  readonly page?: number | undefined;
  /** The cursor behind which the page begins. */
  readonly after?: string | undefined;
}

/** What a change of filters leaves behind: the place in the list. */
export const fromFirstPage = { page: undefined, after: undefined };

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Cursors of the second page to this one; a link that was shared has none. */
    readonly trail?: readonly string[];
  }
}

/** The table's view state: read from the URL and written back to it, the range also to the saved preference. */
export function useTableSearch() {
  const search: TableSearch = useSearch({ strict: false });
  const known = useLocation({ select: ({ state }) => state.trail });
  const navigate = useNavigate();
  const page = search.after === undefined ? 1 : (search.page ?? 2);
  const trail = search.after === undefined ? [] : (known ?? [search.after]);

  function change(part: TableFilters) {
    if (part.range !== undefined) saveTimeRange(part.range);
    void navigate({
      to: ".",
      search: (before: Record<string, unknown>) => ({ ...before, ...fromFirstPage, ...part }),
      replace: true,
      resetScroll: false,
    });
  }

  function turn(to: number, cursors: readonly string[]) {
    const after = cursors.at(-1);
    void navigate({
      to: ".",
      search: (before: Record<string, unknown>) => ({
        ...before,
        ...(after === undefined ? fromFirstPage : { page: to, after }),
      }),
      state: { trail: cursors },
      resetScroll: false,
    });
  }

  return {
    range: search.range ?? savedTimeRange(),
    q: search.q ?? "",
    size: search.size ?? 10,
    page,
    after: search.after,
    change,
    /** Behind a link only the first page is known of those before. */
    isBackToFirst: page > 2 && trail.length < 2,
    previous: () => turn(page - 1, trail.slice(0, -1)),
    next: (cursor: string) => turn(page + 1, [...trail, cursor]),
  };
}
