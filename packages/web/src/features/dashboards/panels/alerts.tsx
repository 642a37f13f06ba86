import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { AlertRows } from "#alert-list/alert-rows.tsx";
import { alertsQuery } from "#alert-list/queries.ts";
import { Panel } from "#ui/content/panel.tsx";
import { NoData, type PanelProps, PanelSkeleton } from "./panel-parts.tsx";

const listed = 5;

/** Open alerts of a service, or of all. */
export function AlertsPanel({ service }: PanelProps<"alerts">) {
  const query = useQuery(alertsQuery("open"));
  return (
    <Panel query={query} loading={<PanelSkeleton className="h-40" />} errorTitle="Could not load the alerts">
      {({ alerts }) => {
        const shown = alerts.filter((alert) => service === "" || alert.service === service);
        if (shown.length === 0)
          return <NoData>No open alerts{service === "" ? "" : ` for ${service}`}.</NoData>;
        return (
          <>
            <AlertRows alerts={shown.slice(0, listed)} />
            {shown.length > listed && (
              <p className="border-line border-t px-4 py-2 text-label">
                <Link
                  to="/alerts"
                  search={service === "" ? {} : { service }}
                  className="text-accent-text hover:underline"
                >
                  {shown.length - listed} more
                </Link>
              </p>
            )}
          </>
        );
      }}
    </Panel>
  );
}
