import { listServiceProfiles, type Profile } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { callQuery } from "#api/call-query.ts";
import { plural } from "#format/number.ts";
import { countOf } from "#profile-list/model.ts";
import { whileOfSameSubject } from "#profile-series/series-query.ts";
import { isoText, type RangeQuery } from "#time-range/view-range.ts";
import { PanelCard } from "#ui/content/panel.tsx";
import { SkeletonRows } from "#ui/content/skeleton.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import type { Explore } from "./use-explore.ts";

const firstRows = 5;
const moreRows = 50;
/** Around the start of a batch: its requests lie after it, and a chart of a few minutes shows what led to them. */
const beforeMs = 5 * 60_000;
const afterMs = 10 * 60_000;

interface MetricBatchesProps {
  readonly explore: Explore;
  readonly label: string;
  /** Whether the range is known to have batches. */
  readonly isExpected: boolean;
}

/**
 * Batches of HTTP metrics, which are stored like profiles but have no stacks. Each leads to the requests of its time. Nothing
 * if there are none. The call does not wait until that is known.
 */
export function MetricBatches({ explore, label, isExpected }: MetricBatchesProps) {
  const { service, active: range } = explore;
  const [limit, setLimit] = useState(firstRows);
  const query = useQuery(metricBatchesQuery({ service, range }, limit));
  const total = countOf(query.data?.counts_by_display_type, "metrics");
  if (query.data === undefined ? !isExpected : total === 0) return null;
  return (
    <PanelCard
      className="mt-6"
      title="HTTP metric batches"
      detail={query.data && `${plural(total, "batch", "batches")}, ${label.replace(/^Last/, "last")}`}
      query={query}
      loading={
        <table className="w-full">
          <tbody>
            <SkeletonRows count={firstRows} columns={["w-32", "w-24"]} />
          </tbody>
        </table>
      }
      errorTitle="Could not load the HTTP metric batches"
    >
      {({ profiles }) => (
        <>
          <ul className="divide-y divide-line border-line border-t">
            {profiles.map((batch) => (
              <BatchRow key={batch.profile_id} batch={batch} />
            ))}
          </ul>
          {limit === firstRows && total > firstRows && (
            <div className="border-line border-t px-3 py-2">
              <Button size="sm" onClick={() => setLimit(moreRows)}>
                Show {Math.min(total, moreRows)}
              </Button>
            </div>
          )}
        </>
      )}
    </PanelCard>
  );
}

function BatchRow({ batch }: { readonly batch: Profile }) {
  const atMs = Date.parse(batch.timestamp);
  return (
    <li>
      <Link
        to="/projects/$projectId"
        params={{ projectId: batch.service }}
        search={{ from: isoText(atMs - beforeMs), to: isoText(atMs + afterMs) }}
        className="flex h-9 items-center gap-3 px-4 transition-colors duration-120 hover:bg-surface-2 max-md:min-h-11"
      >
        <span className="w-24 shrink-0">
          <RelativeTime at={batch.timestamp} />
        </span>
        <span className="min-w-0 flex-1 truncate text-muted">
          {plural(batch.statistics?.total_samples ?? 0, "request")}
        </span>
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
      </Link>
    </li>
  );
}

interface OfService {
  readonly service: string;
  readonly range: RangeQuery;
}

/** The newest batches of HTTP metrics. */
function metricBatchesQuery({ service, range }: OfService, limit: number) {
  const subject = ["metric-batches", service, limit] as const;
  return callQuery(
    [...subject, range],
    listServiceProfiles,
    {
      params: { service },
      query: { ...range, type: "metrics", limit },
    },
    { placeholderData: whileOfSameSubject(subject) },
  );
}
