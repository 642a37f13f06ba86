import type { RequestOrder, StoredMetric } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { BarList, type BarRow } from "#charts/bar-list.tsx";
import { unitText } from "#charts/model/units.ts";
import { exactCount, plural } from "#format/number.ts";
import { BlockSkeleton, Empty } from "#project/parts/parts.tsx";
import type { ProjectTime } from "#project/parts/project-time.ts";
import { endpointsQuery, httpErrorsQuery } from "#project/parts/queries.ts";
import { Badge } from "#ui/content/badge.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { TableHead, tableClass } from "#ui/content/table.tsx";
import { RelativeTime } from "#ui/content/values.tsx";
import { type EndpointRow, endpointRows, failedRequests, mostErrors } from "./model.ts";

const errorsMax = 5;

interface ErrorsProps {
  readonly time: ProjectTime;
  /** Requests by path. */
  readonly rows: readonly EndpointRow[];
  readonly onPath: OpenPath;
}

/** Failed requests: how many, on which paths, with which status, and the latest of them. */
export function Errors({ time, rows, onPath }: ErrorsProps) {
  const query = useQuery(httpErrorsQuery(time.scope));
  const { data: statuses } = useQuery(endpointsQuery(time.scope, "status"));
  const byStatus = endpointRows(statuses?.aggregations ?? []);
  const range = time.label.toLowerCase();
  return (
    <Panel
      query={query}
      loading={<BlockSkeleton label="Loading errors" className="h-72" />}
      errorTitle="Failed to load HTTP metrics. Please try again later."
      empty={({ count }) =>
        count === 0 ? <Empty title={`No errors in the ${range}!`} icon={CircleCheck} /> : null
      }
    >
      {({ count, count_4xx, count_5xx, errors }) => (
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
          <dl className="flex flex-wrap gap-x-8 gap-y-2 lg:col-span-2">
            <Figure label="Errors" value={count} />
            <Figure label="4xx" value={count_4xx} />
            <Figure label="5xx" value={count_5xx} />
          </dl>
          <Bars
            title="Errors by path"
            rows={mostErrors(rows).map((row) => ({
              ...errorRow(row, <PathLink path={row.name} order="errors" onOpen={onPath} />),
              detail: `of ${plural(row.count, "request")}`,
            }))}
          />
          <Bars title="Errors by status" rows={mostErrors(byStatus).map((row) => errorRow(row, row.name))} />
          <div className="min-w-0 overflow-x-auto lg:col-span-2">
            <RequestTable caption="Latest errors" requests={errors.slice(0, errorsMax)} hasPath />
          </div>
        </div>
      )}
    </Panel>
  );
}

function Figure({ label, value }: { readonly label: string; readonly value: number }) {
  return (
    <div className="flex items-baseline gap-2">
      <dt className="text-label text-muted">{label}</dt>
      <dd data-quantity className="font-semibold text-card">
        {exactCount(value)}
      </dd>
    </div>
  );
}

function errorRow(row: EndpointRow, name: BarRow["name"]): BarRow {
  const failed = failedRequests(row);
  return {
    id: row.name,
    name,
    amount: failed,
    value: plural(failed, "error"),
    color: "critical",
  };
}

function Bars({ title, rows }: { readonly title: string; readonly rows: readonly BarRow[] }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-2 font-medium text-label text-muted">{title}</h3>
      <BarList label={title} rows={rows} />
    </div>
  );
}

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

function EndpointName({ name }: { readonly name: string }) {
  return (
    <span title={name} className="font-mono text-code">
      {name}
    </span>
  );
}

/** Opens the list of the single requests of a path. */
export type OpenPath = (path: string, order: RequestOrder) => void;

interface PathLinkProps {
  readonly path: string;
  readonly order: RequestOrder;
  readonly onOpen: OpenPath;
}

export function PathLink({ path, order, onOpen }: PathLinkProps) {
  return (
    <button
      type="button"
      onClick={() => onOpen(path, order)}
      title={`${path}\nShow single requests`}
      className="max-w-full truncate rounded-badge text-left font-mono text-code hover:text-accent-text hover:underline"
    >
      {path}
    </button>
  );
}
