import type { ProfileList, StoredType } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Card } from "#ui/card.tsx";
import { SearchInput } from "#ui/input.tsx";
import { Panel } from "#ui/panel.tsx";
import { useAddressText } from "#ui/use-address-text.ts";
import { useDebounced } from "#ui/use-debounced.ts";
import { countOf } from "./model.ts";
import { Pager } from "./pager.tsx";
import { ProfileTable } from "./profile-table.tsx";
import { profilesQuery } from "./queries.ts";
import { TableSkeleton } from "./table-skeleton.tsx";
import { useTableSearch } from "./use-table-search.ts";

interface ProfileBrowserProps {
  readonly type?: StoredType | undefined;
  readonly service?: string | undefined;
  readonly filters?: ReactNode;
  readonly errorActions?: ReactNode;
  /** Shown when the range holds nothing at all; a search without a hit has its own words. */
  readonly empty: ReactNode;
}

const searchDelayMs = 300;

/** The table of profiles with search, page size and pages. */
export function ProfileBrowser({ type, service, filters, errorActions, empty }: ProfileBrowserProps) {
  const view = useTableSearch();
  const [text, search] = useAddressText(view.q, (kept) => view.change({ q: kept }));
  const q = useDebounced(text.trim(), searchDelayMs);
  const filter = { since: view.range, limit: view.size, service, type, q };
  const filterKey = JSON.stringify(filter);
  const [trail, setTrail] = useState<{ key: string; cursors: readonly string[] }>({
    key: filterKey,
    cursors: [],
  });
  const cursors = trail.key === filterKey ? trail.cursors : [];
  const query = useQuery(profilesQuery({ ...filter, cursor: cursors.at(-1) }));

  return (
    <Card>
      <div className="flex flex-wrap items-center gap-2 p-3">
        <SearchInput
          label="Search profiles"
          placeholder="Search by profile id, service or tag"
          value={text}
          onChange={search}
        />
        {filters}
      </div>
      <Panel
        query={query}
        loading={<TableSkeleton rows={filter.limit} hasService={service === undefined} />}
        errorTitle="Error Loading Profiles"
        errorActions={errorActions}
        empty={(list) => (list.profiles.length === 0 ? emptyOf(list, q, empty) : null)}
      >
        {(list) => (
          <>
            <ProfileTable profiles={list.profiles} hasService={service === undefined} />
            <Pager
              page={cursors.length}
              size={view.size}
              shown={list.profiles.length}
              total={q === "" ? countOf(list.counts_by_type, type ?? "all") : undefined}
              hasNext={list.next_cursor !== null}
              onSize={(size) => view.change({ size })}
              onPrevious={() => setTrail({ key: filterKey, cursors: cursors.slice(0, -1) })}
              onNext={() =>
                list.next_cursor && setTrail({ key: filterKey, cursors: [...cursors, list.next_cursor] })
              }
            />
          </>
        )}
      </Panel>
    </Card>
  );
}

function emptyOf(list: ProfileList, q: string, empty: ReactNode): ReactNode {
  if (q === "" || countOf(list.counts_by_type, "all") === 0) return empty;
  return (
    <p className="border-line border-t px-6 py-12 text-center text-muted">
      No profile in this range has “{q}” in its id, service or tags.
    </p>
  );
}
