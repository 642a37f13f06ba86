import type { ServiceTrend } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { useIsLoadingDemo } from "#api/status-query.ts";
import { measureText } from "#format/measure.ts";
import { profileTypeLabel } from "#format/names.ts";
import { changeMeasure, plural } from "#format/number.ts";
import { HealthMark } from "#ui/content/health.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { cx } from "#ui/cx.ts";
import { CpuTrend, type TrendState } from "./cpu-trend.tsx";
import { countOf, typeShares } from "./model.ts";
import { profileCount, type ServiceEntry } from "./service-order.ts";

/** Of every card, so that a list of thousands knows its length. */
export const serviceCardHeightPx = 148;

interface ServiceCardProps {
  readonly entry: ServiceEntry;
  /** Of health and CPU. */
  readonly trends: TrendState;
  readonly leadsTo: "profiles" | "project";
}

/**
 * A service: is it healthy, how much CPU does it use against before, what does it send and since when. Memoized, because a
 * list that scrolls renders again with each row.
 */
export const ServiceCard = memo(function ServiceCard({ entry, trends, leadsTo }: ServiceCardProps) {
  const { totals, trend } = entry;
  const isLoading = useIsLoadingDemo();
  const target =
    leadsTo === "project"
      ? ({ to: "/projects/$projectId", params: { projectId: totals.name } } as const)
      : ({ to: "/profiles/service/$serviceName", params: { serviceName: totals.name } } as const);
  const alerts = trend?.open_alerts ?? 0;
  const types = typeShares(totals.profiles_by_display_type).map(({ type }) => profileTypeLabel(type));
  return (
    <Link
      {...target}
      className={cx(
        "flex h-full min-w-0 flex-col rounded-card border bg-surface p-4 pb-3 hover:bg-surface-2/40",
        trend?.health === "critical" ? "border-critical/50" : "border-line hover:border-line-strong",
      )}
    >
      <span className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-semibold text-card tracking-tight" title={totals.name}>
          {totals.name}
        </span>
        {trends === "read" && (
          <HealthMark
            health={trend?.health ?? "healthy"}
            silentSince={trend?.silent_since}
            isLoading={isLoading}
          />
        )}
      </span>
      <span className="flex justify-between gap-2 text-label text-muted">
        <span className="truncate" title={types.join(", ")}>
          {types.join(", ")}
        </span>
        {trend?.worst_alert && <WorstAlert alert={trend.worst_alert} />}
      </span>
      <span className="mt-auto flex h-9 items-end gap-4">
        <CpuTrend
          name={totals.name}
          state={trends}
          trend={trend}
          hasCpuProfiles={countOf(totals.profiles_by_display_type, "cpu") > 0}
        />
      </span>
      <span className="mt-2 flex justify-between gap-2 whitespace-nowrap text-label text-muted">
        <span className="truncate">
          {plural(profileCount(totals), "profile")} · <RelativeTime at={totals.last_activity} />
        </span>
        {alerts > 0 && <span className="font-medium text-text">{plural(alerts, "open alert")}</span>}
      </span>
    </Link>
  );
});

/** Named as an alert and by its type, because the change below is always of CPU in the range, which may be another. */
function WorstAlert({ alert }: { readonly alert: NonNullable<ServiceTrend["worst_alert"]> }) {
  return (
    <span
      title="The open alert with the largest increase"
      className="shrink-0 font-medium text-critical-text"
    >
      {profileTypeLabel(alert.profile_type)} alert
      {alert.increase > 0 && ` ${measureText(changeMeasure(alert.increase * 100))}`}
    </span>
  );
}
