import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { BarList, type BarRow } from "#charts/bar-list.tsx";
import { exactCount, plural } from "#format/number.ts";
import { endpointsQuery, PathLink } from "#http-routes/routes-of-service.tsx";
import { BlockSkeleton, Empty } from "#project/parts/parts.tsx";
import type { ProjectTime } from "#project/parts/project-time.ts";
import { httpErrorsQuery } from "#project/parts/queries.ts";
import { Panel } from "#ui/content/panel.tsx";
import { type EndpointRow, endpointRows, failedRequests, mostErrors } from "./model.ts";
import { RequestTable } from "./request-table.tsx";

const errorsMax = 5;

interface ErrorsProps {
  readonly time: ProjectTime;
  /** Requests by path. */
  readonly rows: readonly EndpointRow[];
}

/** Failed requests: how many, on which paths, with which status, and the latest of them. */
export function Errors({ time, rows }: ErrorsProps) {
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
              ...errorRow(row, <PathLink service={time.scope.service} path={row.name} order="errors" />),
              detail: `of ${plural(row.count, "request")}`,
            }))}
          />
          <Bars title="Errors by status" rows={mostErrors(byStatus).map((row) => errorRow(row, row.name))} />
          <div className="min-w-0 overflow-x-auto lg:col-span-2">
            <RequestTable caption="Latest errors" requests={errors.slice(0, errorsMax)} first="path" />
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
