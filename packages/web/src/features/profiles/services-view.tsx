import { useQuery } from "@tanstack/react-query";
import { CircleAlert, Server } from "lucide-react";
import { countMeasure, exactCount } from "#format/number.ts";
import { OrganizationEmpty } from "#onboarding/organization-empty.tsx";
import { type FleetTotals, fleetTotals, typeShares } from "#profile-list/model.ts";
import { liveIntervalMs, servicesQuery } from "#profile-list/queries.ts";
import { ServiceCard, serviceGridClass } from "#profile-list/service-card.tsx";
import { TypeBar } from "#profile-list/type-bar.tsx";
import { useTimeRange } from "#time-range/use-time-range.ts";
import { Message } from "#ui/content/message.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { Stat } from "#ui/content/stat.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { useLastError } from "#ui/hooks/use-last-error.ts";

export function ServicesView() {
  const time = useTimeRange();
  const query = useQuery({ ...servicesQuery(time.query), refetchInterval: time.refreshMs(liveIntervalMs) });
  const error = useLastError(query);
  if (query.data === undefined) {
    return error === null ? (
      <ServicesSkeleton />
    ) : (
      <ServicesFailure error={error} onRetry={() => void query.refetch()} />
    );
  }
  const { services } = query.data;
  if (services.length === 0) return <OrganizationEmpty otherwise={<NoServices range={time.label} />} />;
  return (
    <div className={query.isPlaceholderData ? "opacity-55" : undefined}>
      <Totals totals={fleetTotals(services)} range={time.label} />
      <div className={serviceGridClass}>
        {services.map((service) => (
          <ServiceCard key={service.name} service={service} leadsTo="profiles" />
        ))}
      </div>
    </div>
  );
}

function Totals({ totals, range }: { readonly totals: FleetTotals; readonly range: string }) {
  return (
    <dl className="mb-8 grid grid-cols-2 gap-4 lg:grid-cols-[1fr_1fr_2fr]">
      <Stat label="Services" value={countMeasure(totals.services)} detail={range} />
      <Stat
        label="Profiles"
        value={countMeasure(totals.profiles)}
        detail={
          totals.lastActivity && (
            <span title={`${exactCount(totals.profiles)} profiles`}>
              last one <RelativeTime at={totals.lastActivity} />
            </span>
          )
        }
      />
      <div className="col-span-2 rounded-card border border-line bg-surface p-4 lg:col-span-1">
        <dt className="mb-3 text-label text-muted">Profiles by type</dt>
        <dd>
          <TypeBar shares={typeShares(totals.byType)} />
        </dd>
      </div>
    </dl>
  );
}

function NoServices({ range }: { readonly range: string }) {
  return (
    <Message icon={Server} title="No Services Found">
      <p>
        {range}: nothing was received. Choose a longer time range, or check that your services are sending.
      </p>
    </Message>
  );
}

interface ServicesFailureProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

function ServicesFailure({ error, onRetry }: ServicesFailureProps) {
  return (
    <Message
      icon={CircleAlert}
      tone="critical"
      title="Error Loading Services"
      actions={<Button onClick={onRetry}>Try Again</Button>}
    >
      <p>Failed to load services. Please try again later.</p>
      <p>{error.message}</p>
    </Message>
  );
}

function ServicesSkeleton() {
  return (
    <div role="status" aria-label="Loading services...">
      <div className="mb-8 grid grid-cols-2 gap-4 lg:grid-cols-[1fr_1fr_2fr]">
        <Skeleton className="h-[6.5rem] rounded-card!" />
        <Skeleton className="h-[6.5rem] rounded-card!" />
        <p className="col-span-2 grid h-[6.5rem] place-items-center rounded-card bg-surface-2 text-muted lg:col-span-1">
          Loading services...
        </p>
      </div>
      <div className={serviceGridClass}>
        {["a", "b", "c", "d", "e", "f"].map((key) => (
          <Skeleton key={key} className="h-36 rounded-card!" />
        ))}
      </div>
    </div>
  );
}
