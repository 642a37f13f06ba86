import { type HttpRoute, type RequestOfPath, type RequestOrder, requestOrders } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { timeBetween } from "#format/time.ts";
import { RequestTable } from "#project/http/request-table.tsx";
import { BlockSkeleton, Empty } from "#project/parts/parts.tsx";
import type { ProjectTime } from "#project/parts/project-time.ts";
import { routeRequestsQuery } from "#project/parts/queries.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Panel } from "#ui/content/panel.tsx";
import { Tabs } from "#ui/controls/tabs.tsx";

const labels: Record<RequestOrder, string> = { slowest: "Slowest", latest: "Latest", errors: "Errors" };
const orders = requestOrders.toSorted((a, b) => Number(b === "slowest") - Number(a === "slowest"));

interface RouteRequestsProps {
  readonly time: ProjectTime;
  readonly route: HttpRoute;
  /** Whether the requests may have several methods. */
  readonly hasMethods: boolean;
  /** The label of the samples of the route, if there is one. */
  readonly label: { readonly name: string; readonly value: string } | undefined;
}

/** Single requests of the route, each with the CPU profile of its time. */
export function RouteRequests({ time, route, hasMethods, label }: RouteRequestsProps) {
  const { requests: order = "slowest" } = useSearch({ from: "/protected/projects/$projectId/route" });
  const navigate = useNavigate({ from: "/projects/$projectId/route" });
  return (
    <Card id="requests" className="min-w-0 scroll-mt-36">
      <CardHeader title="Requests" detail={`Single requests, ${time.label.replace(/^Last/, "last")}`} />
      <div className="px-4 pb-4">
        <Tabs
          label="Requests"
          value={order}
          items={orders.map((value) => ({ value, label: labels[value] }))}
          onChange={(next) =>
            void navigate({
              search: (before) => ({ ...before, requests: next === "slowest" ? undefined : next }),
              replace: true,
              resetScroll: false,
            })
          }
        >
          <Requests key={order} {...{ time, route, hasMethods, label, order }} />
        </Tabs>
      </div>
    </Card>
  );
}

type RequestsProps = RouteRequestsProps & { readonly order: RequestOrder };

function Requests({ time, route, hasMethods, label, order }: RequestsProps) {
  const query = useQuery(routeRequestsQuery(time.scope, route, order));
  return (
    <div className="min-h-72 overflow-x-auto">
      <Panel
        query={query}
        loading={<BlockSkeleton label="Loading single requests" className="h-64" />}
        errorTitle="Failed to load HTTP metrics. Please try again later."
        empty={({ metrics }) => (metrics.length === 0 ? <NoRequests order={order} /> : null)}
      >
        {({ metrics }) => (
          <RequestTable
            caption={captionOf(order, metrics.length)}
            requests={metrics}
            first={hasMethods ? "method" : "time"}
            profileOf={(request) => <ProfileOfRequest request={request} label={label} />}
          />
        )}
      </Panel>
    </div>
  );
}

function NoRequests({ order }: { readonly order: RequestOrder }) {
  if (order === "errors") return <Empty title="No request failed" icon={CircleCheck} />;
  return (
    <Empty title="No requests">
      <p>No request of this route was received in the selected time range.</p>
    </Empty>
  );
}

function captionOf(order: RequestOrder, count: number): string {
  if (order === "slowest") return `The ${count} slowest`;
  return order === "errors" ? `The latest ${count} with status 400 or above` : `The latest ${count}`;
}

interface ProfileOfRequestProps {
  readonly request: RequestOfPath;
  readonly label: RouteRequestsProps["label"];
}

/** The CPU profile that covers the request, else the nearest one, with the samples of the route. */
function ProfileOfRequest({ request: { timestamp, profile }, label }: ProfileOfRequestProps) {
  if (!profile) return <span className="text-muted">No CPU profile nearby</span>;
  return (
    <Link
      to="/profile/$profileId"
      params={{ profileId: profile.profile_id }}
      search={label === undefined ? {} : { labels: { [label.name]: label.value } }}
      className="text-accent-text hover:underline"
    >
      {profile.covers ? "CPU profile" : `CPU profile ${distanceText(timestamp, profile.timestamp)}`}
    </Link>
  );
}

/** `2 min later` */
function distanceText(requested: string, started: string): string {
  const direction = Date.parse(started) > Date.parse(requested) ? "later" : "earlier";
  return `${timeBetween(requested, started)} ${direction}`;
}
