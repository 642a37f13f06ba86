import { type Alert, limits, listAlerts } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { severityOf } from "#alert-list/model.ts";
import { callQuery } from "#api/call-query.ts";
import { useIsLoadingDemo } from "#api/status-query.ts";
import { plural } from "#format/number.ts";
import { senderQuery } from "#profile-list/senders/queries.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { type Health, HealthBadge } from "#ui/content/health.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";

/** The service's open alerts now, whatever the range. */
export function openAlertsQuery(service: string) {
  const query = { service, status: "open", limit: limits.alertListLimitMax } as const;
  return callQuery(
    ["alerts", "open", service],
    listAlerts,
    { query },
    { refetchInterval: refreshSteps.listMs },
  );
}

/** The health of the service now, whatever the range, from its open alerts; or since when it is silent. */
export function ServiceHealth({ service }: { readonly service: string }) {
  const { data, isError } = useQuery(openAlertsQuery(service));
  const sender = useQuery(senderQuery(service));
  const isLoading = useIsLoadingDemo();
  // Health that is not known is not shown: the alerts section says why.
  if (data === undefined || sender.isPending) return isError ? null : <Skeleton className="h-5 w-20" />;
  const open = openOf(data.alerts).length;
  const silentSince = sender.data?.senders.find(({ state }) => state === "silent")?.since;
  const badge = <HealthBadge health={healthOf(data.alerts)} {...{ silentSince, isLoading }} />;
  if (silentSince)
    return (
      <Link to="/senders" search={{ service }}>
        {badge}
      </Link>
    );
  if (open === 0) return badge;
  return (
    <Link to="/alerts" search={{ service }} className="flex items-center gap-2 hover:underline">
      {badge}
      <span className="text-label text-muted">{plural(open, "open alert")}</span>
    </Link>
  );
}

/** The worst of the open alerts that are not muted. */
export function healthOf(alerts: readonly Alert[]): Health {
  const open = openOf(alerts).map(severityOf);
  if (open.includes("critical")) return "critical";
  return open.includes("warning") ? "warning" : "healthy";
}

export function openOf(alerts: readonly Alert[]): Alert[] {
  return alerts.filter(({ status, is_muted }) => status === "open" && !is_muted);
}
