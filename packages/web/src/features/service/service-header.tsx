import type { DisplayType, ProfileList } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { countMeasure } from "#format/number.ts";
import { InHeader } from "#layout/header-slot.tsx";
import { countOf } from "#profile-list/model.ts";
import { chosenRange } from "#time-range/search.ts";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Quantity, RelativeTime } from "#ui/content/values.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { useIsWide } from "#ui/hooks/use-media.ts";

interface ServiceHeaderProps {
  readonly service: string;
  /** Counts and the newest profile of the selection; undefined while loading and if the call failed. */
  readonly list: ProfileList | undefined;
  readonly isFailed: boolean;
  /** The selection or range in words. */
  readonly label: string;
  /** Whether the list is of another range. */
  readonly isStale: boolean;
}

export function ServiceHeader({ service, ...summary }: ServiceHeaderProps) {
  const isWide = useIsWide();
  const trail = <Trail service={service} />;
  return (
    <>
      {isWide ? <InHeader>{trail}</InHeader> : <div className="mb-2">{trail}</div>}
      <div className="mb-4 flex flex-wrap items-center gap-x-8 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h1 className="break-words font-semibold text-page tracking-tight">{service} Profiles</h1>
          <p className="text-muted">Performance profiles for the {service} service</p>
        </div>
        <Summary {...summary} />
        {/* Its text ends where everything below ends. */}
        <div className="-mr-3.5 flex shrink-0 max-sm:-ml-3.5">
          {countOf(summary.list?.counts_by_display_type, "metrics") > 0 && (
            <Link
              to="/projects/$projectId"
              params={{ projectId: service }}
              hash="http"
              className={buttonClass("ghost")}
            >
              HTTP performance
            </Link>
          )}
          <BackToServices />
        </div>
      </div>
    </>
  );
}

function Trail({ service }: { readonly service: string }) {
  return (
    <Breadcrumb>
      <Link to="/profiles" search={chosenRange}>
        Services
      </Link>
      <span className="truncate text-text">{service}</span>
    </Breadcrumb>
  );
}

export function BackToServices() {
  return (
    <Link to="/profiles" search={chosenRange} className={buttonClass("ghost")}>
      <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
      Back to Services
    </Link>
  );
}

function Summary({ list, isFailed, label, isStale }: Omit<ServiceHeaderProps, "service">) {
  if (isFailed && list === undefined) return null;
  const latest = list?.profiles[0];
  const batches = countOf(list?.counts_by_display_type, "metrics");
  return (
    <dl
      className={cx(
        "grid auto-cols-auto grid-flow-col items-end gap-x-4 transition-opacity duration-150 sm:gap-x-8",
        isStale && "opacity-55",
      )}
    >
      <Fact label={`Profiles, ${label.replace(/^Last/, "last")}`}>
        {list && <Quantity value={countMeasure(profilesOf(list.counts_by_display_type))} />}
      </Fact>
      <Fact label="Latest profile">{list && (latest ? <RelativeTime at={latest.timestamp} /> : "N/A")}</Fact>
      {batches > 0 && (
        <Fact label="HTTP metric batches">
          <Quantity value={countMeasure(batches)} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-label text-muted">{label}</dt>
      <dd className="min-w-16 font-semibold text-card">
        {children ?? <Skeleton className="my-1 h-4 w-16" />}
      </dd>
    </div>
  );
}

/** Profiles of all types. Batches of HTTP metrics are stored like profiles, but are none. */
export function profilesOf(counts: Readonly<Partial<Record<DisplayType, number>>> | undefined): number {
  return countOf(counts, "all") - countOf(counts, "metrics");
}
