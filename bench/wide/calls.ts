export interface WideCall {
  readonly what: string;
  readonly url: string;
  /** Whether it replies with as many as fit in one reply: the largest organization has ten times as many there. */
  readonly isWhole?: boolean;
}

const api = "/api/v1/protected";
const service = "service-00007";

function call(what: string, url: string): WideCall {
  return { what, url: `${api}${url}` };
}

function wholeCall(what: string, url: string): WideCall {
  return { ...call(what, url), isWhole: true };
}

/** Services on a page of the app. */
const pageSize = 48;
const pageOfServices = `/services?include_totals=true&limit=${pageSize}`;
const servicesOfPage = Array.from(
  { length: pageSize },
  (_, at) => `service=service-${String(at).padStart(5, "0")}`,
).join("&");

/** Lists and summaries of an organization, and of one of its services. */
export const wideCalls: readonly WideCall[] = [
  wholeCall("services", "/services"),
  wholeCall("services with totals", "/services?include_totals=true"),
  wholeCall("trends of services", "/services/trends"),
  call("services page", `${pageOfServices}&order=name`),
  call("services page of 24 h", `${pageOfServices}&order=name&since=24h`),
  call("services page by CPU", `${pageOfServices}&order=cpu`),
  call("services page by alerts", `${pageOfServices}&order=alerts`),
  call("searched services page", `${pageOfServices}&order=name&q=00007`),
  call("names of services", "/services?order=name&q=service-0000&limit=50"),
  call("trends of a page", `/services/trends?${servicesOfPage}`),
  call("summary", "/summary"),
  call("summary of services", "/summary/services"),
  call("summary of a service", `/summary/service/${service}`),
  call("figures of the organization", "/organization/figures"),
  call("requests of the organization", "/organization/requests"),
  call("members", "/organization/members"),
  wholeCall("projects", "/projects"),
  call("projects page", `/projects?limit=${pageSize}`),
  call("project of a service", `/projects/service-00007`),
  call("senders", "/senders"),
  call("instances of a sender", `/senders/${service}/instances`),
  call("profiles page", "/profiles?since=24h"),
  call("profiles page, most samples", "/profiles?since=24h&order=samples"),
  call("profiles page, searched", "/profiles?since=24h&q=service-0000"),
  call("profiles page of a service", `/profiles/service/${service}?since=24h`),
  call("type page: goroutines", `/goroutines/service/${service}`),
  call("labels of a service", `/labels/service/${service}/cpu?from=24h`),
  call("tags of a service", `/tags/service/${service}`),
  call("deploys of a service", `/deploys/service/${service}`),
  call("timeline of a service and type", `/timeline/service/${service}/cpu?from=24h&bucket=15m`),
  call("timeline of a service", `/timeline/service/${service}?from=24h`),
  call("flame graph of a service", `/flamegraph/service/${service}/cpu?from=24h`),
  call("searched functions", "/functions?q=main&from=24h"),
  call("functions of services", "/functions/shared?type=cpu&from=24h"),
  call("HTTP timeline", `/timeline/http/${service}`),
  call("HTTP metrics of a service", `/http-metrics/service/${service}/aggregated`),
  call("HTTP paths of a service", `/http-metrics/service/${service}/paths?path=/api/path-0`),
  call("HTTP errors of a service", `/http-metrics/service/${service}/errors`),
  call("HTTP paths of all services", "/http-metrics/paths"),
  call("alerts", "/alerts"),
  call("incidents", "/incidents"),
  call("alert coverage of a service", `/alerts/coverage/service/${service}`),
  call("findings", "/findings"),
  call("analyses of a service", `/service/${service}/analyses`),
  call("API keys", "/api-keys"),
  call("audit", "/organization/audit"),
  call("dashboards", "/dashboards"),
  call("source links", "/source-links"),
  call("targets", "/targets"),
  call("limits", "/organization/limits"),
  { what: "metrics of services", url: "/metrics/services" },
];
