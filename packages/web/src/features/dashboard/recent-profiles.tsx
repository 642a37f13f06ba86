import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesGantt } from "lucide-react";
import type { ReactNode } from "react";
import { ProfileTable } from "#profile-list/profile-table.tsx";
import { liveIntervalMs, profilesQuery } from "#profile-list/queries.ts";
import { TableSkeleton } from "#profile-list/table-skeleton.tsx";
import { useTimeRange } from "#time-range/use-time-range.ts";
import type { RangeQuery } from "#time-range/view-range.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Message } from "#ui/content/message.tsx";
import { Panel } from "#ui/content/panel.tsx";

const recentCount = 5;

export function recentProfilesQuery(range: RangeQuery) {
  return profilesQuery({ ...range, limit: recentCount, isWithoutMetrics: true });
}

export function RecentProfiles({ action }: { readonly action: ReactNode }) {
  const time = useTimeRange();
  const query = useQuery({
    ...recentProfilesQuery(time.query),
    refetchInterval: time.refreshMs(liveIntervalMs),
  });
  return (
    <Card className="min-w-0">
      <CardHeader title="Recent Profiles" actions={action} />
      <Panel
        query={query}
        loading={<TableSkeleton rows={recentCount} hasService isCompact />}
        errorTitle="Failed to load profiles. Please try again later."
        empty={({ profiles }) =>
          profiles.length === 0 ? <Message icon={ChartNoAxesGantt} title="No profiles available" /> : null
        }
      >
        {({ profiles }) => <ProfileTable profiles={profiles} hasService isCompact />}
      </Panel>
    </Card>
  );
}
