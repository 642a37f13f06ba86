import type { DisplayType, ProfileOrder } from "@flamekeep/contract";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { type PageSize, savedPageSize, savePageSize } from "#preferences/page-size.ts";

interface TableFilters {
  readonly type?: DisplayType | undefined;
  readonly q?: string | undefined;
  readonly size?: PageSize | undefined;
  /** The order; without it the newest come first. */
  readonly by?: ProfileOrder | undefined;
}

interface TableSearch extends TableFilters {
  /** From 1, for display: `after` is what selects the page. */
  readonly page?: number | undefined;
  /** The cursor of the last row before the page. */
  readonly after?: string | undefined;
}

/** Resets the page, for changes of the filters. */
export const fromFirstPage = { page: undefined, after: undefined };

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Cursors of the second page to this one. Missing after opening a shared link. */
    readonly trail?: readonly string[];
  }
}

/** The table's view state in the URL. */
export function useTableSearch() {
  const search: TableSearch = useSearch({ strict: false });
  const storedTrail = useLocation({ select: ({ state }) => state.trail });
  const navigate = useNavigate();
  const page = search.after === undefined ? 1 : (search.page ?? 2);
  const trail = search.after === undefined ? [] : (storedTrail ?? [search.after]);

  function change(part: TableFilters) {
    if (part.size !== undefined) savePageSize(part.size);
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
    q: search.q ?? "",
    size: search.size ?? savedPageSize(),
    order: search.by ?? "newest",
    page,
    after: search.after,
    change,
    /** After opening a shared link, the first page is the only earlier one whose address is known. */
    isBackToFirst: page > 2 && trail.length < 2,
    previous: () => turn(page - 1, trail.slice(0, -1)),
    next: (cursor: string) => turn(page + 1, [...trail, cursor]),
  };
}
