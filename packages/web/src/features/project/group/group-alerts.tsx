import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { AlertList } from "#alert-list/alert-list.tsx";
import { byIncrease } from "#alert-list/model.ts";
import { alertsQuery } from "#alert-list/queries.ts";
import { BlockSkeleton, Empty } from "#project/parts/parts.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { buttonClass } from "#ui/controls/button.tsx";

const listed = 10;

/** Open alerts of the services, the largest increase first. */
export function GroupAlerts({ services }: { readonly services: readonly string[] }) {
  const query = useQuery(alertsQuery("open"));
  const open = byIncrease(query.data?.alerts ?? []).filter(({ service }) => services.includes(service));
  return (
    <PanelCard
      className="min-w-0"
      title="Open alerts"
      actions={
        <Link to="/alerts" className={buttonClass("secondary", "sm")}>
          {open.length > listed ? `${open.length - listed} more` : "All alerts"}
        </Link>
      }
      query={query}
      loading={<BlockSkeleton label="Loading alerts" className="h-20" />}
      errorTitle="Failed to load alerts. Please try again later."
      empty={() => (open.length === 0 ? <Empty title="No open alerts" icon={CircleCheck} /> : null)}
    >
      {() => <AlertList alerts={open.slice(0, listed)} />}
    </PanelCard>
  );
}
