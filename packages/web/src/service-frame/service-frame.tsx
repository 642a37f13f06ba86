import { type DisplayType, findProfileType, type ProfileList } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { type ReactNode, useState } from "react";
import { profileTypeLabel } from "#format/names.ts";
import { countMeasure, countText } from "#format/number.ts";
import { InHeader } from "#layout/header-slot.tsx";
import { countOf } from "#profile-list/model.ts";
import { liveIntervalMs, type ProfileFilter, profilesQuery } from "#profile-list/queries.ts";
import { chosenRange } from "#time-range/search.ts";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Quantity, RelativeTime } from "#ui/content/values.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { TabCount, Tabs } from "#ui/controls/tabs.tsx";
import { cx, staleClass } from "#ui/cx.ts";
import { useLastError } from "#ui/hooks/use-last-error.ts";
import { openAlertsQuery, openOf, ServiceHealth } from "./service-health.tsx";
import { type ServiceTab, serviceTabs, useOpenTab } from "./service-tabs.ts";

/** The value of the tabs where none is open. */
const noTab = "none";

type Counts = ProfileList["counts_by_display_type"];

interface ServiceFrameProps {
  readonly service: string;
  readonly title: string;
  /** Undefined for a page that is none of the tabs. */
  readonly tab: ServiceTab | undefined;
  readonly profiles: ServiceProfiles;
  /** The range in words. */
  readonly label: string;
  /** The controls of the page, next to its title. */
  readonly toolbar: ReactNode;
  /** Where Back leads; by default to all services. */
  readonly back?: ReactNode;
  readonly children: ReactNode;
}

/** The head of all pages about one service: its name and health, the controls of the page, and its tabs. */
export function ServiceFrame(props: ServiceFrameProps) {
  const { service, title, tab, profiles, toolbar, back = <BackToServices isCompact />, children } = props;
  const open = useOpenTab(service);
  const alerts = useQuery(openAlertsQuery(service));
  const openAlerts = openOf(alerts.data?.alerts ?? []).length;
  return (
    // Toolbars inside the page stick below the row of the title.
    <div className="lg:[--sticky-top:6.75rem]">
      <Trail {...props} />
      <div className="-mx-1 -mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 bg-bg px-1 py-1 md:-mt-5 lg:sticky lg:top-16 lg:z-30">
        <h1 className="wrap-anywhere line-clamp-2 min-w-0 max-w-full font-semibold text-page tracking-tight">
          {title}
        </h1>
        {countOf(profiles.list?.counts_by_display_type, "all") > 0 && <ServiceHealth service={service} />}
        <div className="flex min-w-0 flex-1 basis-96 items-start justify-end gap-2 max-sm:flex-wrap max-sm:justify-start">
          {toolbar}
          {back}
        </div>
      </div>
      <Tabs
        label="Profile type"
        value={tab ?? noTab}
        items={tabItems(tab, profiles.list, openAlerts)}
        onChange={(next) => next !== noTab && open(next)}
      >
        {children}
      </Tabs>
    </div>
  );
}

/** Where the page is, and what was sent in its range. */
function Trail({ service, profiles, label }: ServiceFrameProps) {
  const trail = (
    <div className="min-w-0">
      <div className="flex items-center gap-x-4 text-label">
        <div className="min-w-0">
          <Breadcrumb>
            <Link to="/profiles" search={chosenRange}>
              Services
            </Link>
            <span className="truncate text-text">{service}</span>
          </Breadcrumb>
        </div>
        <Link
          to="/compare/services"
          search={{ service: [service] }}
          className="shrink-0 text-muted hover:text-accent-text hover:underline max-md:-my-3 max-md:py-3"
        >
          Compare with another service
        </Link>
      </div>
      <p className="truncate text-label text-muted">
        Performance profiles for the {service} service
        <Sent profiles={profiles} label={label} />
      </p>
    </div>
  );
  return <InHeader className="mb-2">{trail}</InHeader>;
}

function Sent({ profiles: { list, isStale }, label }: Pick<ServiceFrameProps, "profiles" | "label">) {
  if (list === undefined) return null;
  const [latest] = list.profiles;
  return (
    <span className={staleClass(isStale)}>
      {" · "}
      <Quantity value={countMeasure(profilesOf(list.counts_by_display_type))} /> profiles,{" "}
      {label.replace(/^Last/, "last")}
      {latest && (
        <>
          {", latest "}
          <RelativeTime at={latest.timestamp} />
        </>
      )}
    </span>
  );
}

interface BackToServicesProps {
  /** Only the icon where the row of a title and its controls has no room. */
  readonly isCompact?: boolean;
}

export function BackToServices({ isCompact = false }: BackToServicesProps) {
  return (
    <Link
      to="/profiles"
      search={chosenRange}
      title="Back to Services"
      className={cx(buttonClass("ghost"), isCompact && "md:max-2xl:w-9 md:max-2xl:px-0!")}
    >
      <ArrowLeft aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
      <span className={cx(isCompact && "md:max-2xl:sr-only")}>Back to Services</span>
    </Link>
  );
}

function tabItems(tab: ServiceTab | undefined, list: ProfileList | undefined, openAlerts: number) {
  const counts = list?.counts_by_display_type;
  const isShown = (each: ServiceTab) =>
    each === tab || findProfileType(each)?.isRare !== true || countOf(counts, each as DisplayType) > 0;
  return serviceTabs.filter(isShown).map((value) => ({
    value: value as ServiceTab | typeof noTab,
    label: <TabLabel value={value} counts={counts} openAlerts={openAlerts} />,
  }));
}

interface TabLabelProps {
  readonly value: ServiceTab;
  readonly counts: Counts | undefined;
  readonly openAlerts: number;
}

function TabLabel({ value, counts, openAlerts }: TabLabelProps) {
  if (value === "http") return "HTTP";
  if (value === "analysis") return "Analysis";
  if (value === "alerts")
    return (
      <>
        Alerts
        {openAlerts > 0 && <TabCount value={countText(openAlerts)} />}
      </>
    );
  const count = counts && (value === "all" ? profilesOf(counts) : countOf(counts, value));
  return (
    <>
      {value === "all" ? (
        <>
          Overview
          <span className="sr-only">All</span>
        </>
      ) : (
        profileTypeLabel(value)
      )}
      {count === undefined ? <Skeleton className="h-4 w-6" /> : <TabCount value={countText(count)} />}
    </>
  );
}

/** Profiles of all types. Batches of HTTP metrics are stored like profiles, but are none. */
export function profilesOf(counts: Readonly<Partial<Record<DisplayType, number>>> | undefined): number {
  return countOf(counts, "all") - countOf(counts, "metrics");
}

export interface ServiceProfiles {
  /** Counts by type, and the newest profile; undefined while unknown. */
  readonly list: ProfileList | undefined;
  /** Whether the list is of another range. */
  readonly isStale: boolean;
  readonly isFailed: boolean;
  readonly isEmpty: boolean;
}

type SentRange = Pick<ProfileFilter, "from" | "to" | "tags">;

/** The profiles of a service in a range, with all of the tags. The latest reply is kept while a refetch fails. */
export function useServiceProfiles(
  service: string,
  { from, to, tags }: SentRange,
  refreshMs: (fastestMs: number) => number | false,
): ServiceProfiles {
  const latest = useQuery({
    ...profilesQuery({ service, from, to, tags, isWithoutMetrics: true, limit: 1 }),
    refetchInterval: refreshMs(liveIntervalMs),
  });
  const isFailed = useLastError(latest) !== null;
  const list = useLastList(service, latest.data);
  const isEmpty = latest.data !== undefined && countOf(latest.data.counts_by_display_type, "all") === 0;
  return { list, isStale: latest.isPlaceholderData, isFailed, isEmpty };
}

function useLastList(service: string, data: ProfileList | undefined): ProfileList | undefined {
  const [last, setLast] = useState({ service, data });
  const isNew = service !== last.service || (data !== undefined && data !== last.data);
  if (isNew) setLast({ service, data });
  return isNew ? data : last.data;
}
