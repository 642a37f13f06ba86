import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, OctagonAlert, TriangleAlert } from "lucide-react";
import { plural } from "#format/number.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { type Health, healthOf, openAlerts } from "./model.ts";
import { openAlertsQuery, type Scope } from "./queries.ts";

const looks = {
  healthy: { label: "Healthy", tone: "ok", icon: CircleCheck },
  warning: { label: "Warning", tone: "warning", icon: TriangleAlert },
  critical: { label: "Critical", tone: "critical", icon: OctagonAlert },
} as const satisfies Record<Health, unknown>;

/** The health of the service now, whatever the range, from its open alerts. */
export function HealthBadge({ scope }: { readonly scope: Scope }) {
  const { data, isError } = useQuery(openAlertsQuery(scope));
  // Health that is not known is not shown: the alerts section says why.
  if (data === undefined) return isError ? null : <Skeleton className="h-5 w-20" />;
  const { label, tone, icon: Icon } = looks[healthOf(data.alerts)];
  const open = openAlerts(data.alerts).length;
  const badge = (
    <Badge tone={tone}>
      <Icon aria-hidden className="size-3.5" strokeWidth={2} />
      {label}
    </Badge>
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
