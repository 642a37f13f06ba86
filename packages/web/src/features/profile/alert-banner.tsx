import { type Profile, sinceOf } from "@flamekeep/contract";
import { Link } from "@tanstack/react-router";
import { OctagonAlert } from "lucide-react";
import { AlertSince } from "#alert-list/alert-parts.tsx";
import { alertComparison, alertPage } from "#alert-list/model.ts";
import { useWorstAlert } from "#alert-list/use-worst-alert.ts";
import { alertSentence } from "#alert-list/values.ts";
import { useMinute } from "#ui/hooks/use-now.ts";

/** The worst open alert on the service and type of a profile. */
export function AlertBanner({ profile }: { readonly profile: Profile }) {
  const nowMs = useMinute();
  const alert = useWorstAlert(profile);
  if (alert === undefined) return null;
  const isOlder = !alert.rule && profile.timestamp < sinceOf(alert);
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
      <span className="ml-auto flex shrink-0 gap-4 font-medium text-critical-text max-sm:flex-col max-sm:gap-1">
        <Link {...alertComparison(alert)} title="Compare before and after" className="hover:underline">
          Compare
        </Link>
        <Link {...alertPage(alert, nowMs)} className="hover:underline">
          Timeline
        </Link>
      </span>
    </p>
  );
}
