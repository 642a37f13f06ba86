import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { plural } from "#format/number.ts";
import { HealthBadge } from "#ui/content/health.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { healthOf, openAlerts } from "./model/health.ts";
import { openAlertsQuery, type Scope } from "./queries.ts";

/** The health of the service now, whatever the range, from its open alerts. */
export function ProjectHealth({ scope }: { readonly scope: Scope }) {
  const { data, isError } = useQuery(openAlertsQuery(scope));
  // Health that is not known is not shown: the alerts section says why.
  if (data === undefined) return isError ? null : <Skeleton className="h-5 w-20" />;
  const open = openAlerts(data.alerts).length;
  const badge = <HealthBadge health={healthOf(data.alerts)} />;
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
