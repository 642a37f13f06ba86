import type { Alert, Profile } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { OctagonAlert } from "lucide-react";
import { AlertSince } from "#alert-list/alert-parts.tsx";
import { alertPage, alertSentence, byIncrease, sinceOf } from "#alert-list/model.ts";
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
  const isOlder = profile.timestamp < sinceOf(alert);
  return (
    <p className="mb-2 flex items-start gap-2 rounded-control border border-critical/30 bg-critical/8 px-2.5 py-1 lg:items-center">
      <OctagonAlert
        aria-hidden
        className="size-4 shrink-0 text-critical-text max-lg:mt-0.5"
        strokeWidth={1.75}
      />
      <span title={alertSentence(alert)} className="min-w-0 [overflow-wrap:anywhere] lg:truncate">
        {alertSentence(alert)}{" "}
        <span className="text-muted">
          <AlertSince alert={alert} />
          {isOlder && "; this profile is older than the increase"}
        </span>
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
