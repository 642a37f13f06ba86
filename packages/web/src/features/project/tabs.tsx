// Tabs of a service that show parts of its project.
import { graphTypes } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { AnalysisOverview } from "#ai-analysis/overview.tsx";
import { serviceAlertsQuery } from "#alert-list/marker-queries.ts";
import { usePageTitle } from "#layout/page-title.ts";
import { countOf } from "#profile-list/model.ts";
import { ServiceFrame, type ServiceProfiles, useServiceProfiles } from "#service-frame/service-frame.tsx";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { HttpSections } from "./http/http-sections.tsx";
import { ProjectToolbar } from "./page.tsx";
import { type ProjectTime, useProjectTime } from "./parts/project-time.ts";
import { ProjectAlerts } from "./service-cards.tsx";

interface TabProps {
  readonly tab: "http" | "alerts" | "analysis";
  readonly toolbar?: (time: ProjectTime) => ReactNode;
  readonly children: (service: string, time: ProjectTime, profiles: ServiceProfiles) => ReactNode;
}

function Tab({ tab, toolbar = () => <TimeRangeControl />, children }: TabProps) {
  const { serviceName: service = "" } = useParams({ strict: false });
  const time = useProjectTime(service);
  const profiles = useServiceProfiles(service, time.scope.range, time.refreshMs);
  const title = `${service} Profiles`;
  usePageTitle(title);
  return (
    <ServiceFrame {...{ service, title, tab, profiles }} label={time.label} toolbar={toolbar(time)}>
      <div key={service} className="flex flex-col gap-6">
        {children(service, time, profiles)}
      </div>
    </ServiceFrame>
  );
}

export function HttpTabPage() {
  return (
    <Tab tab="http" toolbar={(time) => <ProjectToolbar time={time} />}>
      {(_, time) => <HttpSections time={time} />}
    </Tab>
  );
}

export function AlertsTabPage() {
  return <Tab tab="alerts">{(service, { scope }) => <Alerts service={service} scope={scope} />}</Tab>;
}

function Alerts({ service, scope }: { readonly service: string; readonly scope: ProjectTime["scope"] }) {
  return <ProjectAlerts service={service} query={useQuery(serviceAlertsQuery(scope))} />;
}

export function AnalysisTabPage() {
  return (
    <Tab tab="analysis">
      {(service, _, { list }) => (
        <AnalysisOverview
          service={service}
          types={graphTypes.filter((type) => countOf(list?.counts_by_display_type, type) > 0)}
        />
      )}
    </Tab>
  );
}
