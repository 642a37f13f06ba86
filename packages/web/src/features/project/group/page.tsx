import type { Project } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, CircleCheck, Columns2, Pencil, Unplug } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { AlertList } from "#alert-list/alert-list.tsx";
import { byIncrease } from "#alert-list/model.ts";
import { alertsQuery } from "#alert-list/queries.ts";
import { lazyPart } from "#api/import-page.ts";
import { figuresQuery, requestsQuery } from "#groups/queries.ts";
import { InHeader } from "#layout/header-slot.tsx";
import { usePageTitle } from "#layout/page-title.ts";
import { trendsQuery } from "#profile-list/queries.ts";
import { BlockSkeleton, Empty } from "#project/parts/parts.tsx";
import { useMayChange } from "#session/session.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { type TimeRangeState, useTimeRange } from "#time-range/use-time-range.ts";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { Card } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel, PanelCard } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { cx, staleClass } from "#ui/cx.ts";
import { CpuLanes } from "./cpu-lanes.tsx";
import { GroupFunctions } from "./group-functions.tsx";
import { type GroupReplies, groupTotals, serviceRows } from "./model.ts";
import { ServicesTable } from "./services-table.tsx";
import { Totals, Verdict } from "./totals.tsx";

const alertsShown = 10;

/** Open alerts of the services, the largest increase first. */
function GroupAlerts({ services }: { readonly services: readonly string[] }) {
  const query = useQuery(alertsQuery("open"));
  const open = byIncrease(query.data?.alerts ?? []).filter(({ service }) => services.includes(service));
  return (
    <PanelCard
      className="min-w-0"
      title="Open alerts"
      actions={
        <Link to="/alerts" className={buttonClass("secondary", "sm")}>
          {open.length > alertsShown ? `${open.length - alertsShown} more` : "All alerts"}
        </Link>
      }
      query={query}
      loading={<BlockSkeleton label="Loading alerts" className="h-20" />}
      errorTitle="Failed to load alerts. Please try again later."
      empty={() => (open.length === 0 ? <Empty title="No open alerts" icon={CircleCheck} /> : null)}
    >
      {() => <AlertList alerts={open.slice(0, alertsShown)} />}
    </PanelCard>
  );
}

const ProjectDialog = lazyPart(async () => (await import("#groups/project-dialog.tsx")).ProjectDialog);

/** A project that is a group of services: which of them costs and hurts most, and what they share. */
export function GroupPage({ project }: { readonly project: Project }) {
  const time = useTimeRange();
  usePageTitle(project.name);
  const { trends, figures, requests } = useGroup(project, time);
  const failed = [figures, requests].find(({ data, error }) => data === undefined && error !== null);
  return (
    <>
      <Head project={project} />
      <Panel
        query={trends}
        loading={<SkeletonBlocks label="Loading the group" count={2} className="h-44 rounded-card!" />}
        errorTitle="Failed to load the services of the group"
      >
        {(reply) => (
          <Overview
            project={project}
            replies={{ trends: reply, figures: readOf(figures), requests: readOf(requests) }}
            isStale={[figures, requests].some((each) => each.isPlaceholderData)}
            {...(failed && {
              failure: { message: failed.error?.message ?? "", onRetry: () => void failed.refetch() },
            })}
          />
        )}
      </Panel>
    </>
  );
}

function useGroup({ id, services }: Project, { query: range, refreshMs: refreshOf }: TimeRangeState) {
  const refetchInterval = refreshOf(refreshSteps.listMs);
  return {
    trends: useQuery({ ...trendsQuery(range, services), refetchInterval }),
    figures: useQuery({ ...figuresQuery(id, range), refetchInterval }),
    requests: useQuery({ ...requestsQuery(id, range), refetchInterval }),
  };
}

function readOf<T>({ data, error }: { readonly data: T | undefined; readonly error: Error | null }) {
  return data ?? (error === null ? undefined : null);
}

interface OverviewProps {
  readonly project: Project;
  readonly replies: GroupReplies;
  /** Whether some figures are of another range. */
  readonly isStale: boolean;
  /** Why some figures are missing. */
  readonly failure?: { readonly message: string; readonly onRetry: () => void };
}

function Overview({ project, replies, isStale, failure }: OverviewProps) {
  const { services } = project;
  const { trends, requests } = replies;
  const rows = useMemo(
    () => serviceRows(services, { trends, figures: replies.figures, requests }),
    [services, trends, replies.figures, requests],
  );
  if (rows.every(({ hasData }) => hasData === false)) return <NoData services={services} />;
  const totals = groupTotals(rows, requests);
  return (
    <div className={cx("flex flex-col gap-4", staleClass(isStale))}>
      <Verdict rows={rows} totals={totals} />
      <Totals totals={totals} />
      <ServicesTable rows={rows} failure={failure} />
      <CpuLanes name={project.name} rows={rows} trends={trends} />
      <GroupAlerts services={services} />
      <GroupFunctions project={project} />
    </div>
  );
}

function NoData({ services }: { readonly services: readonly string[] }) {
  const { label } = useTimeRange();
  return (
    <Card>
      <Message
        icon={Unplug}
        title="No data from these services"
        actions={
          <Link to="/senders" className={buttonClass("secondary")}>
            Senders
          </Link>
        }
      >
        <p>
          {label}: no profiles and no requests from {listed(services)}. Choose a longer time range, or see
          which services send.
        </p>
      </Message>
    </Card>
  );
}

const namedServices = 5;

function listed(services: readonly string[]): string {
  const named = services.slice(0, namedServices).join(", ");
  const others = services.length - namedServices;
  return others > 0 ? `${named} and ${others} more` : named;
}

/** Name, description, range and actions of the group. */
function Head({ project }: { readonly project: Project }) {
  const [isEditing, setEditing] = useState(false);
  const mayChange = useMayChange();
  const { id, name, description } = project;
  return (
    <>
      <Trail name={name} />
      <header className="-mx-6 -mt-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 bg-bg px-6 py-2 max-md:-mx-4 max-md:px-4 md:sticky md:top-16 md:z-20">
        <h1 className="wrap-anywhere line-clamp-2 min-w-0 flex-1 basis-64 font-semibold text-page tracking-tight">
          {name}
        </h1>
        <div className="flex flex-wrap items-center gap-2">
          <Link to="/compare/services" search={{ project: [id] }} className={buttonClass("secondary")}>
            <Columns2 aria-hidden className="size-4" strokeWidth={1.75} />
            Compare
          </Link>
          {mayChange && (
            <Button onClick={() => setEditing(true)}>
              <Pencil aria-hidden className="size-4" strokeWidth={1.75} />
              Edit
            </Button>
          )}
          <TimeRangeControl />
          <Link to="/projects" className={buttonClass("ghost")}>
            <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
            Back to Projects
          </Link>
        </div>
      </header>
      {description !== "" && (
        <p className="wrap-anywhere line-clamp-3 mb-2 max-w-4xl whitespace-pre-wrap text-muted">
          {description}
        </p>
      )}
      {isEditing && (
        <Suspense>
          <ProjectDialog project={project} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  );
}

function Trail({ name }: { readonly name: string }) {
  return (
    <InHeader className="mb-2">
      <Breadcrumb>
        <Link to="/projects">Projects</Link>
        <span className="truncate text-text">{name}</span>
      </Breadcrumb>
    </InHeader>
  );
}
