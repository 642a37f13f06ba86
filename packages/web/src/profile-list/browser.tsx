import type { DisplayType, ProfileList } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeftRight, ChartNoAxesGantt, ChevronLeft, ChevronRight, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { profileTypeLabel } from "#format/names.ts";
import { exactCount } from "#format/number.ts";
import { type PageSize, pageSizes } from "#preferences/page-size.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import type { RangeQuery } from "#time-range/view-range.ts";
import { Card } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { SearchInput } from "#ui/controls/input.tsx";
import { Select } from "#ui/controls/select.tsx";
import { useDebounced, useSearchText } from "#ui/hooks/search-text.ts";
import { countOf } from "./model.ts";
import { ProfileTable } from "./profile-table.tsx";
import { liveIntervalMs, profilesQuery } from "./queries.ts";
import { TableSkeleton } from "./table-skeleton.tsx";
import { comparisonOf, type PickedProfiles, usePicked } from "./use-picked.ts";
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

/** Says what is missing for a comparison, and opens it. */
function CompareBar({ picked: { picked, clear } }: { readonly picked: PickedProfiles }) {
  const [first, second] = picked;
  if (first === undefined) return null;
  return (
    <div className="flex items-center gap-2">
      {second === undefined ? (
        <span className="text-label text-muted">Select a second profile to compare</span>
      ) : (
        <Link {...comparisonOf([first, second])} className={buttonClass("secondary")}>
          <ArrowLeftRight aria-hidden className="size-4" strokeWidth={1.75} />
          Compare 2 profiles
        </Link>
      )}
      <Button variant="ghost" onClick={clear}>
        Clear selection
      </Button>
    </div>
  );
}

interface NoMatchProps {
  readonly q: string;
  readonly type: DisplayType | undefined;
  readonly onClearSearch: () => void;
  readonly onAllTypes?: (() => void) | undefined;
}

/** Shown if the range has profiles but none matches the search and type. Offers to remove the filters. */
function NoMatch({ q, type, onClearSearch, onAllTypes }: NoMatchProps) {
  const kind = type === undefined ? "profile" : `${profileTypeLabel(type)} profile`;
  return (
    <div className="border-line border-t">
      <Message
        icon={SearchX}
        title="No profile matches"
        actions={
          <>
            <Button onClick={onClearSearch}>Clear Search</Button>
            {type !== undefined && onAllTypes && <Button onClick={onAllTypes}>Search All Types</Button>}
          </>
        }
      >
        <p>
          No {kind} in this range has “{q}” in its id, service or tags.
        </p>
        {type !== undefined && <p>Profiles of other types are not searched.</p>}
      </Message>
    </div>
  );
}

/** Shown if a link or a reload leads behind the last profile of the range. */
function PastLastPage({ onFirst }: { readonly onFirst: () => void }) {
  return (
    <div className="border-line border-t">
      <Message
        icon={ChartNoAxesGantt}
        title="No profiles on this page"
        actions={<Button onClick={onFirst}>First Page</Button>}
      >
        <p>The profiles of this page are now older than the time range.</p>
      </Message>
    </div>
  );
}

const sizeOptions = pageSizes.map((size) => ({ value: String(size), label: `${size} rows` }));

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly size: PageSize;
  readonly shown: number;
  /** Size of the whole list, which a search knows only on its last page. */
  readonly total: number | undefined;
  readonly hasNext: boolean;
  /** The button leads to the first page, because the cursor of the previous one is unknown. */
  readonly isBackToFirst: boolean;
  readonly onSize: (size: PageSize) => void;
  readonly onPrevious: () => void;
  readonly onNext: () => void;
}

function Pager(props: PagerProps) {
  const { page, size, shown, total, hasNext, isBackToFirst, onSize, onPrevious, onNext } = props;
  const first = (page - 1) * size + 1;
  const last = first + shown - 1;
  const back = isBackToFirst ? "First" : "Previous";

  function choose(value: string) {
    const chosen = pageSizes.find((each) => String(each) === value);
    if (chosen !== undefined) onSize(chosen);
  }

  return (
    <footer className="flex flex-wrap items-center gap-3 border-line border-t px-3 py-2.5 text-label text-muted">
      <Select label="Rows per page" value={String(size)} options={sizeOptions} onChange={choose} size="sm" />
      <span className="flex-1 whitespace-nowrap">
        {exactCount(first)}–{exactCount(last)} of {totalText(total ?? last, total === undefined && hasNext)}
      </span>
      <span className="flex gap-1">
        <Button size="sm" disabled={page === 1} onClick={onPrevious} aria-label={`${back} page`}>
          <ChevronLeft aria-hidden className="size-3.5" /> <span className="max-sm:hidden">{back}</span>
        </Button>
        <Button size="sm" disabled={!hasNext} onClick={onNext} aria-label="Next page">
          <span className="max-sm:hidden">Next</span> <ChevronRight aria-hidden className="size-3.5" />
        </Button>
      </span>
    </footer>
  );
}

function totalText(atLeast: number, isMore: boolean): string {
  return isMore ? `more than ${exactCount(atLeast)}` : exactCount(atLeast);
}
