import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { lazyPart } from "#api/import-page.ts";
import { spanText } from "#charts/model/time-ticks.ts";
import { usePageTitle } from "#layout/page-title.ts";
import { serviceExistsQuery } from "#profile-list/queries.ts";
import { ServiceFrame, useServiceProfiles } from "#service-frame/service-frame.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { ExploreToolbar } from "./explore-toolbar.tsx";
import { loadTypeView } from "./load-ahead.ts";
import { Overview } from "./overview.tsx";
import { useExplore } from "./use-explore.ts";
import { useSeries } from "./use-series.ts";

const ServiceNotFound = lazyPart(async () => (await import("./no-service-profiles.tsx")).ServiceNotFound);
const TypeView = lazyPart(loadTypeView);

/** A service over time: choose a range on a timeline, read its merged flame graph, open a profile. */
export function ServicePage() {
  const explore = useExplore();
  const { service, tab, time, selection, active, tags } = explore;
  const title = `${service} Profiles`;
  usePageTitle(title);
  const profiles = useServiceProfiles(service, { ...active, tags }, time.refreshMs);
  const series = useSeries(explore);
  const { data: exists } = useQuery({ ...serviceExistsQuery(service), enabled: profiles.isEmpty });
  if (profiles.isEmpty && exists === false)
    return (
      <Suspense>
        <ServiceNotFound service={service} />
      </Suspense>
    );
  const label = selection === undefined ? time.label : spanText(selection.fromMs, selection.toMs, time.zone);
  const view = { explore, series, list: profiles.list, label };
  return (
    <ServiceFrame
      {...{ service, title, tab, profiles, label }}
      toolbar={<ExploreToolbar explore={explore} chart={tab === "all" ? undefined : series.charts?.[0]} />}
    >
      {tab === "all" ? (
        <Overview key={service} {...view} />
      ) : (
        <Suspense fallback={<Skeleton className="h-80 rounded-card!" />}>
          <TypeView key={service} {...view} type={tab} isCurrent={!profiles.isStale} />
        </Suspense>
      )}
    </ServiceFrame>
  );
}
