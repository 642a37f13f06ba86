import type { StoredMetric } from "@flamekeep/contract";
import { unitText } from "#charts/model/units.ts";
import { Badge } from "#ui/content/badge.tsx";
import { TableHead, tableClass } from "#ui/content/table.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { EndpointName } from "./endpoint-name.tsx";

interface RequestTableProps {
  readonly caption: string;
  readonly requests: readonly StoredMetric[];
  /** False where all are of one path. */
  readonly hasPath?: boolean;
}

/** Single requests. */
export function RequestTable({ caption, requests, hasPath = false }: RequestTableProps) {
  return (
    <table className={tableClass}>
      <caption className="mb-1 text-left font-medium text-label text-muted">{caption}</caption>
      <thead>
        <tr>
          <TableHead>{hasPath ? "Path" : "Method"}</TableHead>
          <TableHead isNumeric>Duration</TableHead>
          <TableHead>Status</TableHead>
          <TableHead>Time</TableHead>
          <TableHead>Request id</TableHead>
        </tr>
      </thead>
      <tbody>
        {requests.map((request, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: senders may repeat a request in every field
          <tr key={`${request.timestamp} ${at}`} className="h-9 border-line border-t">
            <td className="max-w-96 truncate px-3 first:pl-4">
              <span className="text-label text-muted">{request.method}</span>{" "}
              {hasPath && <EndpointName name={request.path} />}
            </td>
            <td className="whitespace-nowrap px-3 text-right">{unitText(request.duration, "seconds")}</td>
            <td className="px-3">
              <StatusBadge code={request.status_code} />
            </td>
            <td className="px-3 text-muted">
              <RelativeTime at={request.timestamp} />
            </td>
            <td className="max-w-48 truncate px-3 font-mono text-code text-muted" title={request.request_id}>
              {request.request_id || "N/A"}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function StatusBadge({ code }: { readonly code: number }) {
  return <Badge tone={code >= 500 ? "critical" : code >= 400 ? "warning" : "neutral"}>{code}</Badge>;
}
