import type { Alert } from "@flamekeep/contract";
import { shortFunctionName } from "@flamekeep/flame/without-graph";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BellOff } from "lucide-react";
import type { ReactElement } from "react";
import { AlertIncrease, AlertSince } from "#alert-list/alert-parts.tsx";
import { CompareLink } from "#alert-list/compare-link.tsx";
import { alertName, alertPage, byIncrease, isOfProfiles, severityOf } from "#alert-list/model.ts";
import { alertsQuery } from "#alert-list/queries.ts";
import { SeverityMark } from "#alert-list/severity-mark.tsx";
import { useMute } from "#alert-list/use-mute.ts";
import { profileTypeLabel } from "#format/names.ts";
import { plural } from "#format/number.ts";
import { useMayChange } from "#session/session.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { ProfileTypeBadge } from "#ui/content/profile-type-badge.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { Button, buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { useMinute } from "#ui/hooks/use-now.ts";
import { Popover } from "#ui/overlays/popover.tsx";

export function AlertsPopover({ trigger }: { readonly trigger: ReactElement }) {
  return (
    <Popover
      trigger={trigger}
      title="Open alerts"
      titleClass="px-4 pt-3 pb-2 font-semibold text-body"
      className="flex max-h-[min(32rem,var(--available-height))] w-[min(24rem,calc(100vw-2rem))] flex-col overflow-hidden!"
    >
      {(close) => <OpenAlerts onLeave={close} />}
    </Popover>
  );
}

const shownCount = 8;

/** The worst open alerts that are not muted. */
function OpenAlerts({ onLeave }: { readonly onLeave: () => void }) {
  const query = useQuery({
    ...alertsQuery("open"),
    select: ({ alerts }) => byIncrease(alerts.filter((alert) => !alert.is_muted)),
  });
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto border-line border-t">
        <Panel
          query={query}
          loading={
            <SkeletonBlocks
              label="Loading alerts"
              count={3}
              className="h-10"
              layoutClass="flex flex-col gap-3 p-4"
            />
          }
          errorTitle="Failed to load alerts. Please try again later."
          empty={(alerts) => (alerts.length === 0 ? <NoOpenAlerts /> : null)}
        >
          {(alerts) => (
            <ul className="divide-y divide-line">
              {alerts.slice(0, shownCount).map((alert) => (
                <AlertItem key={alert.id} alert={alert} onLeave={onLeave} />
              ))}
            </ul>
          )}
        </Panel>
      </div>
      <div className="border-line border-t p-2">
        <Link to="/alerts" onClick={onLeave} className={cx(buttonClass("ghost", "sm"), "w-full")}>
          {query.data && query.data.length > shownCount
            ? `View all ${plural(query.data.length, "open alert")}`
            : "View all alerts"}
        </Link>
      </div>
    </>
  );
}

function AlertItem({ alert, onLeave }: { readonly alert: Alert; readonly onLeave: () => void }) {
  const nowMs = useMinute();
  const mayChange = useMayChange();
  const mute = useMute();
  const grown = alert.culprit ?? alert.functions[0];
  const series = `${profileTypeLabel(alert.profile_type)} alerts of ${alert.service}`;
  return (
    <li className="flex items-center gap-1 hover:bg-surface-2 focus-within:bg-surface-2">
      <Link
        {...alertPage(alert, nowMs)}
        onClick={onLeave}
        className="flex min-w-0 flex-1 flex-col gap-1 px-4 py-2.5 focus-visible:-outline-offset-2"
      >
        <span className="flex items-center gap-2">
          <span className="min-w-0 truncate font-medium">{alert.service}</span>
          {isOfProfiles(alert) ? <ProfileTypeBadge type={alert.profile_type} /> : <Badge>HTTP</Badge>}
          {alert.rule && <Badge>Rule</Badge>}
          <span className="ml-auto">
            <AlertIncrease alert={alert} />
          </span>
        </span>
        <span className="flex items-center gap-2 text-label text-muted">
          <SeverityMark severity={severityOf(alert)} />
          {(alert.rule || alert.signal) && (
            <span className="min-w-0 truncate">{alert.rule?.name ?? alertName(alert)}</span>
          )}
          {grown && alert.signal !== "function" && (
            <span className="min-w-0 truncate-start font-mono" title={grown.name}>
              <bdi>{shortFunctionName(grown.name)}</bdi>
            </span>
          )}
        </span>
        <span className="text-label text-muted">
          <AlertSince alert={alert} />
        </span>
      </Link>
      <span className="-ml-2 last:mr-2">
        <CompareLink alert={alert} onClick={onLeave} />
      </span>
      {mayChange && (
        <Button
          variant="ghost"
          size="icon"
          className="mr-2 size-7! max-md:size-10!"
          aria-label={`Mute the ${series}`}
          title={`Mute the ${series}`}
          onClick={() => mute(alert, true)}
        >
          <BellOff aria-hidden className="size-3.5" strokeWidth={1.75} />
        </Button>
      )}
    </li>
  );
}

function NoOpenAlerts() {
  return (
    <div className="px-4 py-8 text-center">
      <p className="font-medium">No open alerts</p>
      <p className="mt-1 text-label text-muted">
        An alert opens when usage rises at least 15% above its normal range.
      </p>
    </div>
  );
}
