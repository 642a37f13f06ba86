import type { StoredMetric } from "@flamekeep/contract";
import type { ReactNode } from "react";
import { unitText } from "#charts/model/units.ts";
import { Badge } from "#ui/content/badge.tsx";
import { TableHead, tableClass } from "#ui/content/table.tsx";
import { RelativeTime } from "#ui/content/values.tsx";

/** The first column names what differs between the requests of a list. */
type FirstColumn = "path" | "method" | "time";
const firstHeads: Record<FirstColumn, string> = { path: "Path", method: "Method", time: "Time" };

interface RequestTableProps<R> {
  readonly caption: string;
  readonly requests: readonly R[];
  readonly first: FirstColumn;
  /** The cell of a request's profile; no such column without it. */
  readonly profileOf?: (request: R) => ReactNode;
}

/** Single requests. */
export function RequestTable<R extends StoredMetric>(props: RequestTableProps<R>) {
  const { caption, requests, first, profileOf } = props;
  return (
    <table className={tableClass}>
      <caption className="mb-1 text-left font-medium text-label text-muted">{caption}</caption>
      <thead>
        <tr>
          <TableHead>{firstHeads[first]}</TableHead>
          <TableHead isNumeric>Duration</TableHead>
          <TableHead>Status</TableHead>
          {first !== "time" && <TableHead>Time</TableHead>}
          {profileOf && <TableHead>Profile</TableHead>}
          <TableHead className="max-sm:hidden">Request id</TableHead>
        </tr>
      </thead>
      <tbody>
        {requests.map((request, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: senders may repeat a request in every field
          <tr key={`${request.timestamp} ${at}`} className="h-9 border-line border-t">
            <td className="max-w-96 truncate px-3 first:pl-4">
              <FirstCell request={request} column={first} />
            </td>
            <td className="whitespace-nowrap px-3 text-right">{unitText(request.duration, "seconds")}</td>
            <td className="px-3">
              <StatusBadge code={request.status_code} />
            </td>
            {first !== "time" && (
              <td className="px-3 text-muted">
                <RelativeTime at={request.timestamp} />
              </td>
            )}
            {profileOf && <td className="whitespace-nowrap px-3">{profileOf(request)}</td>}
            <td
              className="max-w-48 truncate px-3 font-mono text-code text-muted max-sm:hidden"
              title={request.request_id}
            >
              {request.request_id || "N/A"}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function FirstCell({ request, column }: { readonly request: StoredMetric; readonly column: FirstColumn }) {
  if (column === "time") return <RelativeTime at={request.timestamp} />;
  return (
    <>
      <span className="text-label text-muted">{request.method}</span>{" "}
      {column === "path" && (
        <span title={request.path} className="font-mono text-code">
          {request.path}
        </span>
      )}
    </>
  );
}

function StatusBadge({ code }: { readonly code: number }) {
  return <Badge tone={code >= 500 ? "critical" : code >= 400 ? "warning" : "neutral"}>{code}</Badge>;
}
