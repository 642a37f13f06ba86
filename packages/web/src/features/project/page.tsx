import type { Summary } from "@flamekeep/contract";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link, Navigate, useParams } from "@tanstack/react-router";
import { ArrowLeft, FolderX } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import { serviceAlertsQuery } from "#alert-list/marker-queries.ts";
import { lazyPart } from "#api/import-page.ts";
import { CallFailure } from "#api/reply.ts";
import { projectQuery } from "#groups/queries.ts";
import { OtherOrganization } from "#layout/other-organization.tsx";
import { usePageTitle } from "#layout/page-title.ts";
import { serviceExistsQuery } from "#profile-list/queries.ts";
import { DataReceived, SenderLink } from "#profile-list/senders/data-received.tsx";
import { ServiceFrame, useServiceProfiles } from "#service-frame/service-frame.tsx";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { HttpSections } from "./http/http-sections.tsx";
import { BucketSelect } from "./parts/bucket-select.tsx";
import { type ProjectTime, useProjectTime } from "./parts/project-time.ts";
import { namedProjectQuery, summaryQuery, timelineQuery } from "./parts/queries.ts";
import { Section } from "./parts/section.tsx";
import { projectTitle } from "./parts/timeline.ts";
import { ProjectAlerts, RecentProfiles, ServicePanel } from "./service-cards.tsx";
import { SummaryCards } from "./summary-cards.tsx";
import { Timelines } from "./timelines.tsx";

const GroupPage = lazyPart(async () => (await import("./group/page.tsx")).GroupPage);

/** Projects that people make have a UUID. */
const createdId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

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
  if (createdId.test(service)) return <CreatedProject key={service} id={service} />;
  return <Project key={service} service={service} />;
}

/** A group of services, or the service of the project's name. A service may have the form of an id as its name. */
function CreatedProject({ id }: { readonly id: string }) {
  const query = useQuery(projectQuery(id));
  if (query.error instanceof CallFailure && query.error.code === "not_found") return <Project service={id} />;
  const loading = <SkeletonBlocks label="Loading the project" count={2} className="h-44 rounded-card!" />;
  return (
    <Panel query={query} loading={loading} errorTitle="Failed to load the project" errorHeading="h1">
      {({ project }) =>
        project.services.length === 0 ? (
          <Navigate from="/projects/$projectId" to="." params={{ projectId: project.name }} search replace />
        ) : (
          <Suspense fallback={loading}>
            <GroupPage project={project} />
          </Suspense>
        )
      }
    </Panel>
  );
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
    <Link to="/dashboard" className={buttonClass("ghost")}>
      <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
      Back to Dashboard
    </Link>
  );
}

function Project({ service }: { readonly service: string }) {
  const time = useProjectTime(service);
  const timeline = useQuery(timelineQuery(time.scope, time.bucket));
  const summary = useQuery(summaryQuery(time.scope));
  const alerts = useQuery(serviceAlertsQuery(time.scope));
  const profiles = useServiceProfiles(service, time.scope.range, time.refreshMs);
  const existence = useExistence(service, summary);
  const title = projectTitle(service);
  usePageTitle(title);

  if (existence === "nothing")
    return (
      <ProjectNotFound>
        <p>
          No project and no service has the name “{service}”. A new service appears here with its first
          profile.
        </p>
        <SenderLink service={service} />
        <OtherOrganization kind="service" id={service} />
      </ProjectNotFound>
    );
  return (
    <ServiceFrame
      {...{ service, title, profiles }}
      tab={undefined}
      label={time.label}
      toolbar={<ProjectToolbar time={time} />}
      back={<BackLink />}
    >
      <SectionLinks />
      <div className="flex flex-col gap-6">
        <Section id="summary">
          <SummaryCards query={summary} />
        </Section>
        <ServicePanel service={service} timeline={timeline.data} />
        <RecentProfiles scope={time.scope} />
        <Section id="timelines">
          <Timelines time={time} query={timeline} />
        </Section>
        <HttpSections
          time={time}
          between={
            <Section id="alerts">
              <ProjectAlerts service={service} query={alerts} />
            </Section>
          }
        />
        <DataReceived service={service} />
      </div>
    </ServiceFrame>
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
    <nav aria-label="Sections" className="scroll-row -mx-2 -mt-2 mb-4 flex gap-1">
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

/** The controls of all pages with the charts of requests. */
export function ProjectToolbar({ time }: { readonly time: ProjectTime }) {
  return (
    <>
      <BucketSelect time={time} />
      <TimeRangeControl />
    </>
  );
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
