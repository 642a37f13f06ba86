import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesGantt } from "lucide-react";
import { ProfileTable } from "#profile-list/profile-table.tsx";
import { profilesQuery } from "#profile-list/queries.ts";
import { TableSkeleton } from "#profile-list/table-skeleton.tsx";
import { Empty } from "#project/parts.tsx";
import type { Scope } from "#project/queries.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";

const shown = 5;

export function RecentProfiles({ scope: { service, range, refetchInterval } }: { readonly scope: Scope }) {
  const query = useQuery({
    ...profilesQuery({ service, ...range, limit: shown, isWithoutMetrics: true }),
    refetchInterval,
  });
  return (
    <Card className="min-w-0">
      <CardHeader title="Recent Profiles" />
      <Panel
        query={query}
        loading={<TableSkeleton rows={shown} hasService={false} />}
        errorTitle="Failed to load profiles. Please try again later."
        empty={({ profiles }) =>
          profiles.length === 0 ? <Empty title="No profiles available" icon={ChartNoAxesGantt} /> : null
        }
      >
        {({ profiles }) => <ProfileTable profiles={profiles} hasService={false} />}
      </Panel>
    </Card>
  );
}
