import type { DisplayType, ProfileList } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTimeRange } from "#time-range/use-time-range.ts";
import type { RangeQuery } from "#time-range/view-range.ts";
import { Card } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { SearchInput } from "#ui/controls/input.tsx";
import { useDebounced, useSearchText } from "#ui/hooks/search-text.ts";
import { CompareBar } from "./compare-bar.tsx";
import { NoMatch, PastLastPage } from "./empty-lists.tsx";
import { countOf } from "./model.ts";
import { Pager } from "./pager.tsx";
import { ProfileTable } from "./profile-table.tsx";
import { liveIntervalMs, profilesQuery } from "./queries.ts";
import { TableSkeleton } from "./table-skeleton.tsx";
import { usePicked } from "./use-picked.ts";
import { useTableSearch } from "./use-table-search.ts";

interface ProfileBrowserProps {
  readonly type?: DisplayType | undefined;
  readonly service?: string | undefined;
  /** Replaces the page's time range. */
  readonly range?: RangeQuery | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly isWithoutMetrics?: boolean;
  readonly filters?: ReactNode;
  readonly errorActions?: ReactNode;
  /** Removes the filter by type, if the page has one. */
  readonly onAllTypes?: (() => void) | undefined;
  /** Shown if the range has no profiles. A search without matches has its own message. */
  readonly empty: ReactNode;
}

const searchDelayMs = 300;

/** The table of profiles with search, page size and pages. */
export function ProfileBrowser(props: ProfileBrowserProps) {
  const { type, service, range, tags, isWithoutMetrics, filters, errorActions, onAllTypes, empty } = props;
  const view = useTableSearch();
  const [text, search] = useSearchText(view.q, (q) => view.change({ q }));
  const q = useDebounced(text.trim(), searchDelayMs);
  const time = useTimeRange();
  const picked = usePicked();
  const filter = { ...(range ?? time.query), limit: view.size, service, type, q, tags, isWithoutMetrics };
  const query = useQuery({
    ...profilesQuery({ ...filter, order: view.order, cursor: view.after }),
    // Later pages would shift while somebody reads them.
    refetchInterval: view.after === undefined && time.refreshMs(liveIntervalMs),
  });

  function emptyOf(list: ProfileList): ReactNode {
    if (list.profiles.length > 0) return null;
    if (view.page > 1) return <PastLastPage onFirst={() => view.change({})} />;
    if (q === "" || totalOf(list, undefined, isWithoutMetrics) === 0) return empty;
    return <NoMatch q={q} type={type} onClearSearch={() => search("")} onAllTypes={onAllTypes} />;
  }

  return (
    <Card>
      <div className="top-[var(--sticky-top,4rem)] z-20 flex flex-wrap items-center gap-2 rounded-t-card bg-surface p-3 max-lg:shadow-[0_1px_var(--line)] sm:sticky">
        <SearchInput
          label="Search profiles"
          placeholder="Search by profile id, service or tag"
          value={text}
          onChange={search}
        />
        {filters}
        <CompareBar picked={picked} />
      </div>
      <Panel
        query={query}
        loading={<TableSkeleton rows={filter.limit} hasService={service === undefined} />}
        errorTitle="Error Loading Profiles"
        errorActions={errorActions}
        empty={emptyOf}
      >
        {(list) => (
          <>
            <ProfileTable
              profiles={list.profiles}
              hasService={service === undefined}
              picked={picked}
              order={view.order}
              onOrder={(by) => view.change({ by: by === "newest" ? undefined : by })}
            />
            <Pager
              page={view.page}
              size={view.size}
              shown={list.profiles.length}
              total={q === "" ? totalOf(list, type, isWithoutMetrics) : undefined}
              // While the next page loads, the previous one is still shown, and it has the cursor of the loading page.
              hasNext={list.next_cursor !== null && !query.isPlaceholderData}
              isBackToFirst={view.isBackToFirst}
              onSize={(size) => view.change({ size })}
              onPrevious={view.previous}
              onNext={() => list.next_cursor && view.next(list.next_cursor)}
            />
          </>
        )}
      </Panel>
    </Card>
  );
}

function totalOf(list: ProfileList, type: DisplayType | undefined, isWithoutMetrics = false): number {
  const counts = list.counts_by_display_type;
  if (type !== undefined || !isWithoutMetrics) return countOf(counts, type ?? "all");
  return countOf(counts, "all") - countOf(counts, "metrics");
}
