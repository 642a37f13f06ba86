import type { HttpRoute, RouteTime } from "@flamekeep/contract";
import { httpRouteText } from "@flamekeep/contract";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ArrowLeft, Globe } from "lucide-react";
import { InHeader } from "#layout/header-slot.tsx";
import { usePageTitle } from "#layout/page-title.ts";
import { BucketSelect } from "#project/parts/bucket-select.tsx";
import { type ProjectTime, useProjectTime } from "#project/parts/project-time.ts";
import { routeTimeQuery } from "#project/parts/queries.ts";
import { chosenRange } from "#time-range/search.ts";
import { TimeRangeControl } from "#time-range/time-range-control.tsx";
import { Breadcrumb } from "#ui/content/breadcrumb.tsx";
import { Message } from "#ui/content/message.tsx";
import { buttonClass } from "#ui/controls/button.tsx";
import { Select } from "#ui/controls/select.tsx";
import { RouteCharts } from "./route-charts.tsx";
import { RouteGraph } from "./route-graph.tsx";
import { RouteRequests } from "./route-requests.tsx";
import { TimeCard } from "./time-card.tsx";

/** One route of a service: how slow it is, where its time goes, and its single requests. */
export function RoutePage() {
  const { projectId } = useParams({ from: "/protected/projects/$projectId/route" });
  const { path, method = "" } = useSearch({ from: "/protected/projects/$projectId/route" });
  const service = projectId.trim();
  if (path === undefined || service === "")
    return (
      <Message icon={Globe} title="No route" heading="h1" actions={<ServiceLink service={service} />}>
        <p>The address names no path. Choose a route under HTTP paths of its service.</p>
      </Message>
    );
  // The key resets the page for another route: its charts must not show data of the one before while they load.
  return <Route key={`${service} ${method} ${path}`} service={service} asked={{ method, path }} />;
}

function ServiceLink({ service }: { readonly service: string }) {
  return (
    <Link
      to="/projects/$projectId"
      params={{ projectId: service }}
      hash="paths"
      className={`${buttonClass("ghost", "sm")} max-w-full`}
    >
      <ArrowLeft aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
      <span className="min-w-0 max-w-80 truncate">{service}</span>
    </Link>
  );
}

interface RouteProps {
  readonly service: string;
  /** The route of the address, whose method may be empty. */
  readonly asked: HttpRoute;
}

function Route({ service, asked }: RouteProps) {
  const time = useProjectTime(service);
  const { label, label_value } = useSearch({ from: "/protected/projects/$projectId/route" });
  const query = useQuery(routeTimeQuery(time.scope, asked, { name: label, value: label_value }));
  const { data } = query;
  const route = { path: asked.path, method: asked.method || onlyMethod(data) };
  return (
    <>
      <Heading service={service} route={route} time={time} methods={data?.methods} />
      <div className="flex flex-col gap-6">
        <RouteCharts time={time} route={asked} name={httpRouteText(route)} />
        <TimeCard query={query} />
        <RouteGraph time={time} found={data} />
        <RouteRequests
          time={time}
          route={asked}
          hasMethods={route.method === ""}
          label={data?.label ?? undefined}
        />
      </div>
    </>
  );
}

/** The method of a path with one method. */
function onlyMethod(time: RouteTime | undefined): string {
  return time?.methods.length === 1 ? (time.methods[0]?.method ?? "") : "";
}

interface HeadingProps {
  readonly service: string;
  readonly route: HttpRoute;
  readonly time: ProjectTime;
  readonly methods: RouteTime["methods"] | undefined;
}

function Heading({ service, route, time, methods = [] }: HeadingProps) {
  const title = httpRouteText(route);
  usePageTitle(`${title} of ${service}`);
  return (
    <>
      <InHeader className="mb-1">
        <Breadcrumb>
          <Link to="/profiles" search={chosenRange}>
            Services
          </Link>
          <Link
            to="/projects/$projectId"
            params={{ projectId: service }}
            hash="paths"
            title={service}
            className="max-w-60 truncate"
          >
            {service}
          </Link>
          <span className="max-w-96 truncate text-text">{title}</span>
        </Breadcrumb>
        <p className="truncate text-label text-muted">HTTP route of the {service} service</p>
      </InHeader>
      <header className="-mx-6 mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 bg-bg px-6 py-3 max-md:-mx-4 max-md:px-4 md:sticky md:top-16 md:z-20">
        <h1
          title={title}
          className="wrap-anywhere line-clamp-2 min-w-0 flex-1 basis-64 font-mono font-semibold text-page tracking-tight"
        >
          {title}
        </h1>
        <div className="flex flex-wrap items-center gap-2">
          {methods.length > 1 && <MethodSelect route={route} methods={methods} />}
          <BucketSelect time={time} />
          <TimeRangeControl />
        </div>
      </header>
    </>
  );
}

function MethodSelect({
  route,
  methods,
}: {
  readonly route: HttpRoute;
  readonly methods: RouteTime["methods"];
}) {
  const navigate = useNavigate({ from: "/projects/$projectId/route" });
  const names = [...new Set([...methods.map(({ method }) => method), route.method].filter(Boolean))];
  return (
    <Select
      label="Method"
      value={route.method}
      options={[{ value: "", label: "All methods" }, ...names.map((value) => ({ value, label: value }))]}
      onChange={(next) => void navigate({ search: (before) => ({ ...before, method: next || undefined }) })}
      className="w-36"
    />
  );
}
