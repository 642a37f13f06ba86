import type { CallTree } from "@flamekeep/flame";
import type { ComparisonMeta } from "@flamekeep/flame/compare";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeftRight, CircleAlert } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { lazyPart } from "#api/import-page.ts";
import { isNotFound } from "#api/reply.ts";
import { isComparable, sideNames, windowsOf } from "#comparison/model.ts";
import { diffQuery } from "#comparison/queries.ts";
import { sharedComparison, timesOf } from "#comparison/shared-comparison.ts";
import { decodedComparison } from "#flame-graph/decode/decode-comparison.ts";
import { flamePanel, StaleGraphProvider } from "#flame-graph/frame/wanted-function.ts";
import { OtherOrganization } from "#layout/other-organization.tsx";
import { usePageTitle } from "#layout/page-title.ts";
import { ShareButton } from "#sharing/share-button.tsx";
import { withSearch } from "#time-range/page-address.ts";
import { Card } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { cx, staleClass } from "#ui/cx.ts";
import { useLastError } from "#ui/hooks/use-last-error.ts";
import { NothingToCompare } from "./nothing-to-compare.tsx";
import { SideCard } from "./side-card.tsx";
import { Summary } from "./summary.tsx";
import { type Compare, useCompare } from "./use-compare.ts";

// Loaded while its data is on the way, so that the timelines above it do not wait for it.
const ComparedGraph = lazyPart(async () => (await import("#comparison/compared-graph.tsx")).ComparedGraph);

// Below the graph, which does not wait for it.
const CompareAnalysis = lazyPart(async () => (await import("./compare-analysis.tsx")).CompareAnalysis);

/** Two ranges, versions or profiles: what changed between them. */
export function ComparePage() {
  const compare = useCompare();
  const { search } = compare;
  const hasSides = isComplete(compare);
  const query = useQuery({ ...diffQuery(search), enabled: hasSides });
  const error = useLastError(query);
  const decoded = useMemo(() => query.data && decodedComparison(query.data), [query.data]);
  usePageTitle("Compare");
  if (!hasSides) return <NothingChosen />;
  if (decoded?.failure !== undefined || (decoded === undefined && error !== null))
    return (
      <Card>
        <Message
          icon={CircleAlert}
          tone="critical"
          title="Could not load the comparison"
          actions={<Button onClick={() => void query.refetch()}>Try Again</Button>}
        >
          <p>{decoded?.failure ?? error?.message}</p>
          {isNotFound(error) && <OtherOrganization kind="profile" id={profileOf(compare)} />}
        </Message>
      </Card>
    );
  if (decoded === undefined) return <CompareSkeleton />;
  return (
    <Compared
      compare={compare}
      {...decoded.value}
      isStale={query.isPlaceholderData}
      failure={error?.message}
      onRefresh={() => void query.refetch()}
    />
  );
}

/** The profile of a comparison that may be missing: an address names two of one organization. */
function profileOf({ search }: Compare): string {
  return search.after_profile ?? search.before_profile ?? "";
}

function isComplete({ search }: Compare): boolean {
  const { before_profile, after_profile, type } = search;
  if (before_profile !== undefined || after_profile !== undefined) return true;
  return type !== undefined && (search.service ?? search.after_service) !== undefined;
}

interface ComparedProps {
  readonly compare: Compare;
  readonly comparison: CallTree;
  readonly meta: ComparisonMeta;
  /** Whether the values are of the sides chosen before. */
  readonly isStale: boolean;
  /** Why the chosen sides could not be loaded. */
  readonly failure: string | undefined;
  readonly onRefresh: () => void;
}

function Compared({ compare, comparison, meta, isStale, failure, onRefresh }: ComparedProps) {
  const windows = useWindows(meta);
  const [changesPlace, setChangesPlace] = useState<HTMLElement | null>(null);
  const { type, unit } = comparison.valueType;
  const hasChanges = isComparable(comparison, meta);
  return (
    <div className="flex flex-col gap-4">
      <ComparedHead {...{ compare, comparison, meta, isStale, failure }} />
      {hasChanges && (
        <Card className={cx("min-w-0", staleClass(isStale))}>
          {/* The graph of the page fills it: pointing at a function outlines it there. */}
          <div ref={setChangesPlace} className="min-h-48 motion-safe:empty:animate-pulse" />
        </Card>
      )}
      <div className={cx("grid gap-4 lg:grid-cols-2", staleClass(isStale))}>
        {sideNames.map((name) => (
          <SideCard
            key={name}
            {...{ name, compare, meta }}
            sampleType={type === "" ? "" : `${type}/${unit}`}
            window={windows[name]}
          />
        ))}
      </div>
      <Card id={flamePanel.id} className={cx(flamePanel.className, staleClass(isStale))}>
        {hasChanges ? (
          <Suspense fallback={<Skeleton className="h-[40rem] w-full" />}>
            <StaleGraphProvider value={isStale}>
              <ComparedGraph {...{ compare, comparison, meta, onRefresh, changesPlace }} />
            </StaleGraphProvider>
          </Suspense>
        ) : (
          <NothingToCompare meta={meta} search={compare.search} />
        )}
      </Card>
      <Suspense fallback={<Skeleton className="h-48 rounded-card!" />}>
        <CompareAnalysis {...{ compare, meta }} />
      </Suspense>
    </div>
  );
}

/** The total of both sides, the actions, and why another choice could not be loaded. */
function ComparedHead({ compare, comparison, meta, isStale, failure }: Omit<ComparedProps, "onRefresh">) {
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <Summary comparison={comparison} meta={meta} isStale={isStale} />
        <div className="flex flex-wrap gap-2 self-start">
          <ShareButton
            label="Share"
            copied="Link copied to clipboard!"
            shared={() => sharedComparison(compare.search, meta)}
            fixAddress={(href) => withSearch(href, timesOf(compare.search, meta))}
          />
          <Button onClick={compare.swap}>
            <ArrowLeftRight aria-hidden className="size-4" strokeWidth={1.75} />
            Swap sides
          </Button>
        </div>
      </div>
      {failure !== undefined && (
        <p role="alert" className="flex items-center gap-2 text-critical-text">
          <CircleAlert aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
          {failure}
        </p>
      )}
    </>
  );
}

/** The timelines do not move while both ranges are on them, so that dragging changes only the range. */
function useWindows(meta: ComparisonMeta) {
  const [windows, setWindows] = useState(() => windowsOf(meta, Date.now()));
  const fits = sideNames.every((name) => {
    const [from, to] = [Date.parse(meta[name].from), Date.parse(meta[name].to)];
    return from >= windows[name].fromMs && to <= windows[name].toMs;
  });
  if (fits) return windows;
  const next = windowsOf(meta, Date.now());
  setWindows(next);
  return next;
}

function NothingChosen() {
  return (
    <Card>
      <Message
        icon={ArrowLeftRight}
        title="Choose what to compare"
        actions={
          <>
            <Link to="/profiles" className={buttonClass("secondary")}>
              Open a service
            </Link>
            <Link to="/alerts" className={buttonClass("secondary")}>
              Open the alerts
            </Link>
          </>
        }
      >
        <p>
          Open a service and choose Compare with the previous period, open the comparison of an alert, or
          select two profiles in a table.
        </p>
      </Message>
    </Card>
  );
}

function CompareSkeleton() {
  return (
    <div role="status" aria-label="Loading the comparison" className="flex flex-col gap-4">
      <Skeleton className="h-16 w-2/3" />
      <div className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-56 w-full" />
        <Skeleton className="h-56 w-full" />
      </div>
      <Skeleton className="h-[40rem] w-full" />
    </div>
  );
}
