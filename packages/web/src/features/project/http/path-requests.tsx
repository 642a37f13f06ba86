import { type RequestOrder, requestOrders } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { BlockSkeleton, Empty } from "#project/parts/parts.tsx";
import type { ProjectTime } from "#project/parts/project-time.ts";
import { pathRequestsQuery } from "#project/parts/queries.ts";
import { Panel } from "#ui/content/panel.tsx";
import { Tabs } from "#ui/controls/tabs.tsx";
import { Dialog } from "#ui/overlays/dialog.tsx";
import { RequestTable } from "./errors.tsx";

const labels: Record<RequestOrder, string> = { latest: "Latest", slowest: "Slowest", errors: "Errors" };

/** The single requests of the path that the URL names. Browser Back closes them. */
export function PathRequests({ time }: { readonly time: ProjectTime }) {
  const { path, requests: order = "latest" } = useSearch({ from: "/protected/projects/$projectId" });
  const navigate = useNavigate({ from: "/projects/$projectId" });
  if (path === undefined) return null;

  function show(next: { readonly path: string | undefined; readonly requests: RequestOrder | undefined }) {
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false });
  }

  return (
    <Dialog
      isOpen
      onClose={() => show({ path: undefined, requests: undefined })}
      title={path}
      description={`Single requests, ${time.label.replace(/^Last/, "last")}`}
      size="wide"
    >
      <Tabs
        label="Requests"
        value={order}
        items={requestOrders.map((value) => ({ value, label: labels[value] }))}
        onChange={(next) => show({ path, requests: next })}
      >
        <Requests key={order} time={time} path={path} order={order} />
      </Tabs>
    </Dialog>
  );
}

interface RequestsProps {
  readonly time: ProjectTime;
  readonly path: string;
  readonly order: RequestOrder;
}

function Requests({ time, path, order }: RequestsProps) {
  const query = useQuery(pathRequestsQuery(time.scope, path, order));
  return (
    <div className="min-h-72 overflow-x-auto">
      <Panel
        query={query}
        loading={<BlockSkeleton label="Loading single requests" className="h-64" />}
        errorTitle="Failed to load HTTP metrics. Please try again later."
        empty={({ metrics }) =>
          metrics.length === 0 ? (
            order === "errors" ? (
              <Empty title="No request failed" icon={CircleCheck} />
            ) : (
              <Empty title="No requests">
                <p>No request of this path was received in the selected time range.</p>
              </Empty>
            )
          ) : null
        }
      >
        {({ metrics }) => <RequestTable caption={captionOf(order, metrics.length)} requests={metrics} />}
      </Panel>
    </div>
  );
}

function captionOf(order: RequestOrder, count: number): string {
  if (order === "slowest") return `The ${count} slowest`;
  return order === "errors" ? `The latest ${count} with status 400 or above` : `The latest ${count}`;
}
