import type { HttpAggregates } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { unitText } from "#charts/model/units.ts";
import { endpointsQuery, PathLink } from "#http-routes/routes-of-service.tsx";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { boundsOf } from "#time-range/view-range.ts";
import { Panel } from "#ui/content/panel.tsx";
import { TableHead, tableClass } from "#ui/content/table.tsx";
import { cx } from "#ui/cx.ts";
import { NoData, type PanelProps, PanelSkeleton } from "./panel-parts.tsx";

const listed = 8;

type Row = HttpAggregates & { readonly path?: string | undefined };

/** HTTP routes with the most requests: rate, p95 and errors, each with a link to the page of the route. */
export function RoutesPanel({ service, time }: PanelProps<"routes">) {
  const refetchInterval = time.refreshMs(refreshSteps.listMs);
  const query = useQuery(endpointsQuery({ service, range: time.query, refetchInterval }, "path"));
  const { fromMs, toMs } = boundsOf(time.range, Date.now());
  return (
    <Panel
      query={query}
      loading={<PanelSkeleton className="h-80" />}
      errorTitle="Could not load the routes"
      empty={({ total }) =>
        total.count === 0 ? <NoData>No HTTP requests from {service} in this range.</NoData> : null
      }
    >
      {({ aggregations }) => (
        <RouteTable rows={busiest(aggregations)} service={service} seconds={(toMs - fromMs) / 1000} />
      )}
    </Panel>
  );
}

function busiest(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => b.count - a.count).slice(0, listed);
}

interface RouteTableProps {
  readonly rows: readonly Row[];
  readonly service: string;
  /** The length of the range. */
  readonly seconds: number;
}

function RouteTable({ rows, service, seconds }: RouteTableProps) {
  return (
    <table className={cx(tableClass, "table-fixed")}>
      <thead>
        <tr>
          <TableHead>Route</TableHead>
          <TableHead isNumeric className="w-24 max-sm:w-18">
            Rate
          </TableHead>
          <TableHead isNumeric className="w-24 max-sm:w-18">
            p95
          </TableHead>
          <TableHead isNumeric className="w-24 max-sm:w-18">
            Errors
          </TableHead>
        </tr>
      </thead>
      <tbody className="tabular-nums">
        {rows.map((row) => (
          <tr key={row.path} className="h-9 border-line border-t">
            <td className="px-3 first:pl-4">
              <PathLink service={service} path={row.path ?? ""} order="slowest" />
            </td>
            <td className="px-3 text-right">{unitText(row.count / seconds, "perSecond")}</td>
            <td className="px-3 text-right">{unitText(row.p95_duration, "seconds")}</td>
            <td className={cx("px-3 pr-4 text-right", (row.error_rate ?? 0) >= 0.05 && "text-critical-text")}>
              {unitText(row.error_rate === null ? null : row.error_rate * 100, "percent")}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
