import type { Alert, Profile } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { OctagonAlert } from "lucide-react";
import { AlertSince } from "#alert-list/alert-parts.tsx";
import { alertPage, alertSentence, byIncrease } from "#alert-list/model.ts";
import { alertsQuery } from "#alert-list/queries.ts";
import { useMinute } from "#ui/hooks/use-now.ts";

/** The worst open alert on the service and type of a profile. */
export function AlertBanner({ profile }: { readonly profile: Profile }) {
  const nowMs = useMinute();
  const { data: alert } = useQuery({
    ...alertsQuery("open"),
    select: ({ alerts }) => byIncrease(alerts.filter((each) => isAbout(each, profile)))[0],
  });
  if (alert === undefined) return null;
  return (
    <p className="mb-3 flex items-start gap-2 rounded-control border border-critical/30 bg-critical/8 px-3 py-2">
      <OctagonAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-critical-text" strokeWidth={1.75} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {alertSentence(alert)}{" "}
        <span className="inline-block text-muted first-letter:uppercase">
          <AlertSince alert={alert} />.
        </span>
        {profile.timestamp < (alert.began_at ?? alert.current_range.from) && (
          <span className="text-muted"> This profile is older than the increase.</span>
        )}
      </span>
      <Link
        {...alertPage(alert, nowMs)}
        className="ml-auto shrink-0 font-medium text-critical-text hover:underline"
      >
        Timeline
      </Link>
    </p>
  );
}

function isAbout(alert: Alert, { service, type }: Profile): boolean {
  return alert.service === service && alert.profile_type === type && !alert.is_muted;
}
