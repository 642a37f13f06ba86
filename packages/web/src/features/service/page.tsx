import { type ProfileList, profileTabOf, profileTabs } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { profileTypeLabel } from "#format/names.ts";
import { countText } from "#format/number.ts";
import { usePageTitle } from "#layout/page-title.ts";
import { ProfileBrowser } from "#profile-list/browser.tsx";
import { countOf } from "#profile-list/model.ts";
import { liveIntervalMs, profilesQuery } from "#profile-list/queries.ts";
import { fromFirstPage } from "#profile-list/use-table-search.ts";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { TabCount, Tabs } from "#ui/controls/tabs.tsx";
import { useLastError } from "#ui/hooks/use-last-error.ts";
import { NoServiceProfiles } from "./no-service-profiles.tsx";
import { ServiceSummary } from "./service-summary.tsx";

export function ServicePage() {
  const { serviceName: service = "", type: segment } = useParams({ strict: false });
  const tab = profileTabOf(segment);
  const time = useTimeRange();
  const navigate = useNavigate();
  usePageTitle(`${service} Profiles`);
  const latest = useQuery({
    ...profilesQuery({ service, ...time.query, limit: 1 }),
    refetchInterval: time.refreshMs(liveIntervalMs),
  });
  const failure = useLastError(latest);
  const list = useLastList(service, latest.data);

  function open(next: (typeof profileTabs)[number]) {
    const search = (before: Record<string, unknown>) => ({ ...before, ...fromFirstPage });
    if (next === "all") {
      return navigate({ to: "/profiles/service/$serviceName", params: { serviceName: service }, search });
    }
    const params = { serviceName: service, type: next };
    return navigate({ to: "/profiles/service/$serviceName/$type", params, search });
  }

  const hasWall = countOf(list?.counts_by_display_type, "wall") > 0;
  const tabs = profileTabs.filter((value) => value !== "wall" || tab === "wall" || hasWall);
  const items = tabs.map((value) => ({
    value,
    label: (
      <>
        {profileTypeLabel(value)}
        {list && <TabCount value={countText(countOf(list.counts_by_display_type, value))} />}
      </>
    ),
  }));
  const back = (
    <Link to="/profiles" className={buttonClass("ghost")}>
      <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
      Back to Services
    </Link>
  );

  return (
    <>
      <Breadcrumb>
        <Link to="/profiles">Services</Link>
        <span className="truncate text-text">{service}</span>
      </Breadcrumb>
      <div className="mt-2 mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="break-words font-semibold text-page tracking-tight">{service} Profiles</h1>
          <p className="text-muted">Performance profiles for the {service} service</p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {back}
          <TimeRangeControl />
        </div>
      </div>
      {(failure === null || list !== undefined) && (
        <ServiceSummary list={list} label={time.label} isStale={latest.isPlaceholderData} />
      )}
      <Tabs label="Profile type" value={tab} items={items} onChange={(next) => void open(next)}>
        <ProfileBrowser
          key={service}
          service={service}
          type={tab === "all" ? undefined : tab}
          errorActions={back}
          onAllTypes={() => void open("all")}
          empty={<NoServiceProfiles service={service} tab={tab} />}
        />
      </Tabs>
    </>
  );
}

/** The latest reply for the service. Kept while a refetch fails, so that the layout of the page does not change. */
function useLastList(service: string, data: ProfileList | undefined): ProfileList | undefined {
  const [last, setLast] = useState({ service, data });
  const isNew = service !== last.service || (data !== undefined && data !== last.data);
  if (isNew) setLast({ service, data });
  return isNew ? data : last.data;
}
