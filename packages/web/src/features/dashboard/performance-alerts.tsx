import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { AlertRows } from "#alert-list/alert-rows.tsx";
import { byIncrease } from "#alert-list/model.ts";
import { alertsQuery } from "#alert-list/queries.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { useIsNarrow } from "#ui/hooks/use-media.ts";
import { AlertLines } from "./alert-lines.tsx";
import { ViewAll } from "./view-all.tsx";

const shownCount = 5;

/** The worst open alerts that are not muted. */
export function PerformanceAlerts() {
  const isNarrow = useIsNarrow();
  const query = useQuery({
    ...alertsQuery("open"),
    select: ({ alerts }) => {
      const heard = alerts.filter((alert) => !alert.is_muted);
      return { worst: byIncrease(heard).slice(0, shownCount), muted: alerts.length - heard.length };
    },
  });
  return (
    <Card className="min-w-0">
      <CardHeader title="Performance Alerts" actions={<ViewAll to="/alerts" />} />
      <Panel
        query={query}
        loading={
          <SkeletonBlocks
            label="Loading alerts"
            count={3}
            className="h-16"
            layoutClass="flex flex-col gap-4 p-4 pt-1"
          />
        }
        errorTitle="Failed to load alerts. Please try again later."
        empty={({ worst, muted }) => (worst.length === 0 ? <NoAlerts muted={muted} /> : null)}
      >
        {({ worst }) => (isNarrow ? <AlertRows alerts={worst} /> : <AlertLines alerts={worst} />)}
      </Panel>
    </Card>
  );
}

/** A line: nothing to do must not push the services off the screen. */
function NoAlerts({ muted }: { readonly muted: number }) {
  return (
    <p className="flex items-center gap-2 px-4 pb-4">
      <CircleCheck aria-hidden className="size-4 shrink-0 text-ok-text" strokeWidth={1.75} />
      {muted === 0 ? "No alerts detected" : `No alerts but ${muted} muted ${muted === 1 ? "one" : "ones"}`}
    </p>
  );
}
