import { type Dashboard, listDashboardVersions, restoreDashboard } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { dashboardQuery, queriesOfDashboard } from "#add-to-dashboard/queries.ts";
import { call } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import { Panel } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { type Closable, Dialog } from "#ui/overlays/dialog.tsx";
import { useChange } from "#ui/overlays/use-change.ts";

interface VersionsDialogProps extends Closable {
  readonly dashboard: Dashboard;
}

/** The stored versions of a dashboard. Restore makes one the latest. */
export function VersionsDialog({ dashboard, onClose }: VersionsDialogProps) {
  const { id, version: current } = dashboard;
  const query = useQuery(
    callQuery(["dashboard", id, "versions"], listDashboardVersions, { params: { id } }, { staleTime: 0 }),
  );
  const restoring = useChange({
    send: (version: number) =>
      call(restoreDashboard, { params: { id }, body: { restored_version: version, version: current } }),
    answers: dashboardQuery(id),
    stale: queriesOfDashboard(id),
    done: ({ version }, restored) => {
      onClose();
      return `Version ${restored} is restored as version ${version}`;
    },
  });
  return (
    <Dialog
      title={`Versions of ${dashboard.name}`}
      description="Each save is a version. A restored one becomes the latest."
      onClose={onClose}
    >
      <Panel
        query={query}
        loading={<SkeletonBlocks label="Loading the versions" count={3} className="my-2 h-8" />}
        errorTitle="Could not load the versions"
      >
        {({ versions }) => (
          <ul className="divide-y divide-line">
            {versions.map(({ version, saved_at: savedAt, saved_by: savedBy }) => (
              <li key={version} className="flex items-center gap-4 py-2">
                <span className="w-24 shrink-0 font-medium">Version {version}</span>
                <span className="min-w-0 flex-1 truncate text-label text-muted">
                  <RelativeTime at={savedAt} />
                  {savedBy !== null && ` by ${savedBy}`}
                </span>
                {version === current ? (
                  <span className="text-label text-muted">Current</span>
                ) : (
                  <Button
                    size="sm"
                    disabled={restoring.isPending}
                    aria-label={`Restore version ${version}`}
                    onClick={() => restoring.mutate(version)}
                  >
                    Restore
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </Dialog>
  );
}
