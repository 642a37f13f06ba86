import type { Alert, Summary } from "@flamekeep/contract";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ArrowLeft, FolderX } from "lucide-react";
import type { ReactNode } from "react";
import { serviceAlertsQuery } from "#alert-list/marker-queries.ts";
import { severityOf } from "#alert-list/model.ts";
import { plural } from "#format/number.ts";
import { OtherOrganization } from "#layout/other-organization.tsx";
import { usePageTitle } from "#layout/page-title.ts";
import { serviceExistsQuery } from "#profile-list/queries.ts";
import { DataReceived, SenderLink } from "#profile-list/senders/data-received.tsx";
import { senderQuery } from "#profile-list/senders/queries.ts";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { type Health, HealthBadge } from "#ui/content/health.tsx";
import { Message } from "#ui/content/message.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { type AnalyticsTab, HttpAnalytics } from "./http/http-analytics.tsx";
import { type HttpTab, HttpTimelineCard } from "./http/http-timeline-card.tsx";
import { RequestCharts } from "./http/request-charts.tsx";
import { BucketSelect } from "./parts/bucket-select.tsx";
import { type ProjectTime, useProjectTime } from "./parts/project-time.ts";
import {
  namedProjectQuery,
  openAlertsQuery,
  type Scope,
  summaryQuery,
  timelineQuery,
} from "./parts/queries.ts";
import { projectTitle } from "./parts/timeline.ts";
import { ProjectAlerts, RecentProfiles, ServicePanel } from "./service-cards.tsx";
import { SummaryCards } from "./summary-cards.tsx";
import { Timelines } from "./timelines.tsx";

export function ProjectPage() {
  const { projectId } = useParams({ from: "/protected/projects/$projectId" });
  const service = projectId.trim();
  if (service === "")
    return (
      <ProjectNotFound>
        <p>The address names no project.</p>
      </ProjectNotFound>
    );
  // The key resets the page for another project: its charts must not show data of the one before while they load.
  return <Project key={service} service={service} />;
}

function ProjectNotFound({ children }: { readonly children: ReactNode }) {
  usePageTitle("Project Not Found");
  const actions = (
    <>
      <BackLink />
      <Link to="/projects" className={buttonClass("secondary", "sm")}>
        All projects
      </Link>
    </>
  );
  return (
    <Message icon={FolderX} title="Project Not Found" heading="h1" actions={actions}>
      {children}
    </Message>
  );
}

function BackLink() {
  return (
    <Link to="/dashboard" className={buttonClass("ghost", "sm")}>
      <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
      Back to Dashboard
    </Link>
  );
}

function Project({ service }: { readonly service: string }) {
  const time = useProjectTime(service);
  const { http, endpoints } = useSearch({ from: "/protected/projects/$projectId" });
  const navigate = useNavigate({ from: "/projects/$projectId" });
  const timeline = useQuery(timelineQuery(time.scope, time.bucket));
  const summary = useQuery(summaryQuery(time.scope));
  const alerts = useQuery(serviceAlertsQuery(time.scope));
  const existence = useExistence(service, summary);

  function openTab(tab: { readonly http?: HttpTab; readonly endpoints?: AnalyticsTab }) {
    void navigate({ search: (before) => ({ ...before, ...tab }), replace: true, resetScroll: false });
  }

  if (existence === "nothing")
    return (
      <ProjectNotFound>
        <p>
          No project and no service has the name “{service}”. A service that is new appears here with its
          first profile.
        </p>
        <SenderLink service={service} />
        <OtherOrganization kind="service" id={service} />
      </ProjectNotFound>
    );
  return (
    <>
      <Heading service={service} time={time} hasData={existence === "service"} />
      <div className="flex flex-col gap-6">
        <Section id="summary">
          <SummaryCards query={summary} />
        </Section>
        <ServicePanel service={service} timeline={timeline.data} />
        <RecentProfiles scope={time.scope} />
        <Section id="timelines">
          <Timelines time={time} query={timeline} />
        </Section>
        <Section id="http">
          <HttpTimelineCard time={time} tab={http ?? "requests"} onTab={(tab) => openTab({ http: tab })} />
        </Section>
        <RequestCharts time={time} />
        <Section id="alerts">
          <ProjectAlerts service={service} query={alerts} />
        </Section>
        <Section id="paths">
          <HttpAnalytics
            time={time}
            tab={endpoints ?? "popular"}
            onTab={(tab) => openTab({ endpoints: tab })}
          />
        </Section>
        <DataReceived service={service} />
      </div>
    </>
  );
}

interface SectionProps {
  readonly id: (typeof sections)[number]["id"];
  readonly children: ReactNode;
}

/** A part of the page to which the heading leads. */
function Section({ id, children }: SectionProps) {
  return (
    <div id={id} className="min-w-0 scroll-mt-24 md:scroll-mt-44">
      {children}
    </div>
  );
}

const sections = [
  { id: "summary", label: "Summary" },
  { id: "timelines", label: "CPU, memory, locks" },
  { id: "http", label: "HTTP over time" },
  { id: "alerts", label: "Alerts" },
  { id: "paths", label: "HTTP paths" },
] as const;

function SectionLinks() {
  return (
    <nav aria-label="Sections" className="scroll-row -mx-2 flex w-full gap-1">
      {sections.map(({ id, label }) => (
        <Link
          key={id}
          from="/projects/$projectId"
          to="."
          search
          hash={id}
          replace
          // The router scrolls only when the address changes.
          onClick={() => document.getElementById(id)?.scrollIntoView()}
          activeOptions={{ includeHash: true }}
          activeProps={{ className: "bg-surface-2 text-text" }}
          inactiveProps={{ className: "text-muted" }}
          className="shrink-0 rounded-control px-2 py-1 font-medium text-label hover:bg-surface-2 hover:text-text max-md:py-2"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

interface HeadingProps {
  readonly service: string;
  readonly time: ProjectTime;
  /** Whether the service is known to have sent something: nothing else has a health. */
  readonly hasData: boolean;
}

function Heading({ service, time, hasData }: HeadingProps) {
  const title = projectTitle(service);
  usePageTitle(title);
  return (
    <>
      <div className="-mt-2 -ml-2.5">
        <BackLink />
      </div>
      <header className="-mx-6 mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 bg-bg px-6 py-3 max-md:-mx-4 max-md:px-4 md:sticky md:top-16 md:z-20">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 break-words font-semibold text-page tracking-tight">{title}</h1>
          {hasData && <ProjectHealth scope={time.scope} />}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <BucketSelect time={time} />
          <TimeRangeControl />
        </div>
        <SectionLinks />
      </header>
    </>
  );
}

/** The health of the service now, whatever the range, from its open alerts. */
function ProjectHealth({ scope }: { readonly scope: Scope }) {
  const { data, isError } = useQuery(openAlertsQuery(scope));
  const sender = useQuery(senderQuery(scope.service));
  // Health that is not known is not shown: the alerts section says why.
  if (data === undefined || sender.isPending) return isError ? null : <Skeleton className="h-5 w-20" />;
  const open = openAlerts(data.alerts).length;
  const silentSince = sender.data?.senders.find(({ state }) => state === "silent")?.since;
  const badge = <HealthBadge health={healthOf(data.alerts)} silentSince={silentSince} />;
  if (silentSince)
    return (
      <Link to="/senders" search={{ service: scope.service }}>
        {badge}
      </Link>
    );
  if (open === 0) return badge;
  return (
    <Link
      to="/alerts"
      search={{ service: scope.service }}
      className="flex items-center gap-2 hover:underline"
    >
      {badge}
      <span className="text-label text-muted">{plural(open, "open alert")}</span>
    </Link>
  );
}

/** The worst of the open alerts that are not muted. */
export function healthOf(alerts: readonly Alert[]): Health {
  const open = openAlerts(alerts).map(severityOf);
  if (open.includes("critical")) return "critical";
  return open.includes("warning") ? "warning" : "healthy";
}

function openAlerts(alerts: readonly Alert[]): Alert[] {
  return alerts.filter(({ status, is_muted }) => status === "open" && !is_muted);
}

/**
 * An address names a service with data, a project whose service has none, or nothing. Undefined while that is not known; the
 * other calls are made only where the summary of the range is empty.
 */
export function useExistence(
  service: string,
  { data }: UseQueryResult<{ summary: Summary }>,
): "service" | "project" | "nothing" | undefined {
  const isEmpty = data?.summary.total_profiles === 0;
  const { data: isStored } = useQuery({ ...serviceExistsQuery(service), enabled: isEmpty });
  const project = useQuery({ ...namedProjectQuery(service), enabled: isEmpty });
  if (data === undefined) return undefined;
  if (!isEmpty || isStored === true) return "service";
  if (isStored === undefined || !project.isSuccess) return undefined;
  return project.data === undefined ? "nothing" : "project";
}
