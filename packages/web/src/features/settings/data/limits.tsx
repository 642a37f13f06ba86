import { getOrganizationLimits } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { callQuery } from "#api/call-query.ts";
import { LimitList } from "#limits/limit-list.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";

const limitsQuery = callQuery(["organization-limits"], getOrganizationLimits);

/** The limits of the organization and their usage, for its admins. */
export function OrganizationLimits() {
  const query = useQuery(limitsQuery);
  return (
    <PanelCard
      title="Limits"
      detail="Usage of your organization. Only the operator of the server can change limits."
      query={query}
      loading={<Skeleton className="mx-4 mb-4 h-24" />}
      errorTitle="Failed to load the limits"
    >
      {({ limits }) => (
        <div className="border-line border-t px-4 py-4">
          <LimitList limits={limits} />
        </div>
      )}
    </PanelCard>
  );
}
