import { type AuditEntry, type AuditEvent, exportAuditEntries, limits } from "@flamekeep/contract";
import { auditEventNames, auditEvents } from "@flamekeep/contract/audit-events";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { callRaw } from "#api/call.ts";
import { serverText } from "#api/reply.ts";
import { saveFile } from "#api/save-file.ts";
import { useIsAdmin } from "#session/session.ts";
import { ListCard, Pages } from "#settings/parts/parts.tsx";
import { auditQuery } from "#settings/parts/queries.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { ExactTime } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { Select } from "#ui/controls/select.tsx";
import { showToast } from "#ui/overlays/toast.ts";

const allEvents = "all";

const eventOptions = [
  { value: allEvents, label: "All events" },
  ...auditEventNames.map((event) => ({ value: event, label: auditEvents[event] })),
] as const;

export function Audit() {
  if (useIsAdmin()) return <Log />;
  return (
    <Card>
      <CardHeader title="Audit" />
      <p className="border-line border-t px-4 py-6 text-muted">Only admins can read the audit log.</p>
    </Card>
  );
}

function Log() {
  const [event, setEvent] = useState<AuditEvent | typeof allEvents>(allEvents);
  /** The cursors of the pages so far; the last one is shown. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const before = cursors.at(-1);
  const query = useQuery({
    ...auditQuery({ ...(event !== allEvents && { event }), ...(before !== undefined && { before }) }),
    placeholderData: keepPreviousData,
  });
  const next = query.data?.next ?? null;
  return (
    <ListCard
      title="Audit"
      detail={`Actions in the organization. Entries are read-only and kept for ${limits.auditDays} days.`}
      actions={
        <div className="flex flex-wrap gap-2">
          <Select
            label="Event"
            value={event}
            options={eventOptions}
            onChange={(chosen) => {
              setEvent(chosen);
              setCursors([]);
            }}
          />
          <ExportButton />
        </div>
      }
      query={query}
      nouns="the audit log"
      loading={<Skeleton className="mx-4 mb-4 h-48" />}
      items={({ entries }) => entries}
      nothing={<p className="border-line border-t px-4 py-6 text-muted">No entries for this event.</p>}
      footer={
        (cursors.length > 0 || next !== null) && (
          <Pages
            before={["Newer", cursors.length > 0 ? () => setCursors(cursors.slice(0, -1)) : undefined]}
            after={[
              "Older",
              next !== null && !query.isPlaceholderData ? () => setCursors([...cursors, next]) : undefined,
            ]}
          />
        )
      }
    >
      {(entry) => <EntryRow entry={entry} />}
    </ListCard>
  );
}

function EntryRow({ entry }: { readonly entry: AuditEntry }) {
  const { at, event, outcome, actor, target, address, user_agent } = entry;
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-3 lg:grid-cols-[12rem_minmax(0,1fr)_minmax(0,1fr)]">
      <p className="text-label text-muted">
        <ExactTime at={at} />
      </p>
      <div className="min-w-0">
        <p className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="font-medium">{auditEvents[event]}</span>
          {outcome === "failure" && <Badge tone="critical">Failure</Badge>}
        </p>
        {target && <p className="text-label text-muted [overflow-wrap:anywhere]">{target}</p>}
      </div>
      <div className="min-w-0 text-label">
        <p className="truncate">{actor ?? "Unknown"}</p>
        <p className="truncate text-muted" title={user_agent ?? undefined}>
          <span className="font-mono">{address}</span> {user_agent}
        </p>
      </div>
    </li>
  );
}

/** A long log takes longer than other replies. */
const timeoutMs = 120_000;

function ExportButton() {
  const download = useMutation({
    mutationFn: async () => {
      const reply = await callRaw(exportAuditEntries, { accept: "text/csv", timeoutMs });
      saveFile("flamekeep-audit.csv", await reply.blob());
    },
    onError: (error) => showToast(serverText(error, "Failed to export the audit log"), "critical"),
  });
  return (
    <Button disabled={download.isPending} onClick={() => download.mutate()}>
      <Download aria-hidden className="size-4" strokeWidth={1.75} />
      {download.isPending ? "Exporting..." : "Export CSV"}
    </Button>
  );
}
