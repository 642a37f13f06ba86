import { type HttpPathOrder, limits, listHttpPaths, type ServicePath } from "@flamekeep/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Globe } from "lucide-react";
import { callQuery } from "#api/call-query.ts";
import { unitText } from "#charts/model/units.ts";
import { countText, exactCount, listedText, plural } from "#format/number.ts";
import { refreshSteps } from "#time-range/refresh-steps.ts";
import { useTimeRange } from "#time-range/use-time-range.ts";
import type { RangeQuery } from "#time-range/view-range.ts";
import { Message } from "#ui/content/message.tsx";
import { PanelCard } from "#ui/content/panel.tsx";
import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { SortHead, TableHead, tableClass } from "#ui/content/table.tsx";
import { cx } from "#ui/cx.ts";

const orderTexts: Record<HttpPathOrder, string> = {
  slowest: "slowest first (p95)",
  requests: "most requests first",
  errors: "most errors first",
};

/** The paths of all services: which is the slowest, the busiest, the one that fails. */
export function HttpView() {
  const time = useTimeRange();
  const { order = "slowest" } = useSearch({ from: "/protected/profiles" });
  const navigate = useNavigate({ from: "/profiles" });
  const query = useQuery({
    ...httpPathsQuery(time.query, order),
    refetchInterval: time.refreshMs(refreshSteps.listMs),
  });

  function sortBy(next: HttpPathOrder) {
    const named = next === "slowest" ? undefined : next;
    void navigate({ search: (before) => ({ ...before, order: named }), resetScroll: false });
  }

  return (
    <PanelCard
      className="min-w-0"
      title="HTTP paths of all services"
      detail={`${query.data === undefined ? "" : `${listedText(query.data.paths.length, query.data.paths_total, "path")}, `}${orderTexts[order]}. Select one to see where its time goes.`}
      query={query}
      loading={
        <SkeletonBlocks
          label="Loading HTTP paths"
          count={1}
          className="h-96"
          layoutClass="border-line border-t p-4"
        />
      }
      errorTitle="Failed to load HTTP metrics. Please try again later."
      empty={({ paths }) =>
        paths.length === 0 ? (
          <Message icon={Globe} title="No HTTP metrics data available">
            <p>{time.label}: no service sent HTTP metrics. Choose a longer time range.</p>
          </Message>
        ) : null
      }
    >
      {({ paths }) => <PathTable paths={paths} order={order} onSort={sortBy} />}
    </PanelCard>
  );
}

interface PathTableProps {
  readonly paths: readonly ServicePath[];
  readonly order: HttpPathOrder;
  readonly onSort: (order: HttpPathOrder) => void;
}

function PathTable({ paths, order, onSort }: PathTableProps) {
  return (
    <div className="overflow-x-auto border-line border-t">
      <table className={tableClass}>
        <thead>
          <tr>
            <TableHead className="w-full">Path</TableHead>
            <TableHead className="max-sm:hidden">Service</TableHead>
            <SortHead
              isSorted={order === "requests"}
              onSort={() => onSort("requests")}
              className="max-sm:hidden"
            >
              Requests
            </SortHead>
            <TableHead isNumeric className="max-sm:hidden">
              Average
            </TableHead>
            <SortHead isSorted={order === "slowest"} onSort={() => onSort("slowest")}>
              p95
            </SortHead>
            <TableHead isNumeric className="max-sm:hidden">
              p99
            </TableHead>
            <SortHead isSorted={order === "errors"} onSort={() => onSort("errors")}>
              Errors
            </SortHead>
          </tr>
        </thead>
        <tbody>
          {paths.map((path) => (
            <PathRow key={`${path.service} ${path.path}`} path={path} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const cellClass = "whitespace-nowrap px-3 text-right last:pr-4";
const wideCellClass = cx(cellClass, "max-sm:hidden");

function PathRow({ path }: { readonly path: ServicePath }) {
  const failed = Math.round(path.count * (path.error_rate ?? 0));
  const project = { to: "/projects/$projectId", params: { projectId: path.service } } as const;
  return (
    <tr className="relative h-9 border-line border-t transition-colors duration-120 hover:bg-surface-2 max-sm:h-14">
      <td className="max-w-72 truncate px-3 pl-4 max-sm:max-w-0">
        <Link
          to="/projects/$projectId/route"
          params={project.params}
          search={{ path: path.path }}
          title={`${path.path}, ${plural(path.count, "request")}\nShow where its time goes`}
          // Covers the row.
          className="font-mono text-code after:absolute after:inset-0 hover:text-accent-text hover:underline"
        >
          {path.path}
        </Link>
        {/* Phones have the second line in place of columns. */}
        <span className="block truncate text-label text-muted sm:hidden">
          {path.service} · {plural(path.count, "request")}
        </span>
      </td>
      <td className="max-w-48 truncate px-3 max-sm:hidden">
        <Link
          {...project}
          hash="http"
          title={path.service}
          className="relative z-10 hover:text-accent-text hover:underline"
        >
          {path.service}
        </Link>
      </td>
      <td className={wideCellClass}>{countText(path.count)}</td>
      <td className={wideCellClass}>{unitText(path.avg_duration, "seconds")}</td>
      <td className={cx(cellClass, "font-medium")}>{unitText(path.p95_duration, "seconds")}</td>
      <td className={wideCellClass}>{unitText(path.p99_duration, "seconds")}</td>
      <td className={cx(cellClass, failed === 0 && "text-muted")}>
        {failed === 0 ? (
          "0"
        ) : (
          <>
            <span className="max-sm:hidden">{exactCount(failed)} (</span>
            {unitText((path.error_rate ?? 0) * 100, "percent")}
            <span className="max-sm:hidden">)</span>
          </>
        )}
      </td>
    </tr>
  );
}

/** Requests of all services by path. */
function httpPathsQuery(range: RangeQuery, order: HttpPathOrder) {
  const query = { ...range, order, limit: limits.httpMetricsLimit };
  return callQuery(["http", "paths", query], listHttpPaths, { query }, { placeholderData: keepPreviousData });
}
