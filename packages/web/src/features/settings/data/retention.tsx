import type { getRetention, ReplyOf } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { plural } from "#format/number.ts";
import { useIsAdmin } from "#session/session.ts";
import { AdminNote } from "#settings/admin-note.tsx";
import { retentionQuery } from "#settings/queries.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { keptDays } from "./model.ts";
import { RetentionForm } from "./retention-form.tsx";

/** How long the organization's data is kept. */
export function Retention() {
  const query = useQuery(retentionQuery);
  const isAdmin = useIsAdmin();
  return (
    <Card>
      <CardHeader
        title="Retention"
        detail="How long profiles, HTTP metrics and timelines of your organization are kept."
        actions={!isAdmin && <AdminNote />}
      />
      <div className="border-line border-t p-4">
        <Panel query={query} loading={<RetentionSkeleton />} errorTitle="Failed to load the retention">
          {(retention) =>
            isAdmin ? (
              <RetentionForm key={String(retention.retention_days)} retention={retention} />
            ) : (
              <KeptDays retention={retention} />
            )
          }
        </Panel>
      </div>
    </Card>
  );
}

function KeptDays({ retention }: { readonly retention: ReplyOf<typeof getRetention> }) {
  return (
    <p>
      Data is kept for {plural(keptDays(retention), "day")}
      {retention.retention_days === null && ", as long as this server keeps any"}.
    </p>
  );
}

function RetentionSkeleton() {
  return (
    <div role="status" aria-label="Loading the retention" className="flex flex-col gap-3">
      <Skeleton className="h-6 w-72" />
      <Skeleton className="h-9 w-56" />
    </div>
  );
}
