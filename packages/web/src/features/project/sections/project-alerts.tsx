import type { Alert } from "@flamekeep/contract";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { AlertRows } from "#alert-list/alert-rows.tsx";
import { byIncrease } from "#alert-list/model.ts";
import { BlockSkeleton, Empty } from "#project/parts.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { buttonClass } from "#ui/controls/button.tsx";

interface ProjectAlertsProps {
  readonly service: string;
  readonly query: UseQueryResult<{ alerts: Alert[] }>;
}

/** Alerts that were open in the range, open ones first. */
export function ProjectAlerts({ service, query }: ProjectAlertsProps) {
  return (
    <Card className="min-w-0">
      <CardHeader
        title="Performance Alerts"
        actions={
          <Link to="/alerts" search={{ service }} className={buttonClass("secondary", "sm")}>
            View All
          </Link>
        }
      />
      <Panel
        query={query}
        loading={<BlockSkeleton label="Loading alerts" className="h-20" />}
        errorTitle="Failed to load alerts. Please try again later."
        empty={({ alerts }) =>
          alerts.length === 0 ? <Empty title="No alerts detected" icon={CircleCheck} /> : null
        }
      >
        {({ alerts }) => <AlertRows alerts={openFirst(alerts)} />}
      </Panel>
    </Card>
  );
}

function openFirst(alerts: readonly Alert[]): Alert[] {
  const sorted = byIncrease(alerts);
  return [
    ...sorted.filter(({ status }) => status === "open"),
    ...sorted.filter(({ status }) => status !== "open"),
  ];
}
