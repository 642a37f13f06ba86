import { z } from "zod";
import { accountEndpoints } from "./accounts/account.ts";
import { passwordEndpoints } from "./accounts/passwords.ts";
import { passkeyEndpoints, secondFactorEndpoints } from "./accounts/second-factor.ts";
import { sessionEndpoints } from "./accounts/sessions.ts";
import { singleSignOnEndpoints } from "./accounts/single-sign-on.ts";
import { alertEndpoints } from "./alerts/alert.ts";
import { coverageEndpoints } from "./alerts/coverage.ts";
import { incidentEndpoints } from "./alerts/incidents.ts";
import { muteEndpoints } from "./alerts/mutes.ts";
import { ruleEndpoints } from "./alerts/rules.ts";
import { digestEndpoints, settingsEndpoints } from "./alerts/settings.ts";
import { findingEndpoints } from "./analysis/findings.ts";
import { analysisEndpoints } from "./analysis/requests.ts";
import type { Call } from "./base/call.ts";
import { areas, type Endpoint } from "./base/endpoint.ts";
import { chartEndpoints } from "./charts/charts.ts";
import { httpMetricEndpoints } from "./charts/http-metrics.ts";
import { routeTimeEndpoints } from "./charts/route-time.ts";
import { seriesEndpoints } from "./charts/series.ts";
import { timelineEndpoints } from "./charts/timeline.ts";
import { dashboardEndpoints } from "./dashboards/dashboards.ts";
import { diffEndpoints } from "./graphs/diff.ts";
import { flameGraphEndpoints, mergedEndpoints } from "./graphs/flame-graph.ts";
import { sharedLinkEndpoints } from "./graphs/shared-links.ts";
import { agentEndpoints } from "./ingest/agents.ts";
import { ingestEndpoints } from "./ingest/ingest.ts";
import { openFileEndpoints } from "./ingest/open-files.ts";
import { otlpEndpoints } from "./ingest/otlp.ts";
import { pushEndpoints } from "./ingest/push.ts";
import { targetEndpoints } from "./ingest/targets.ts";
import { healthEndpoints } from "./operation/health.ts";
import { operatorEndpoints } from "./operation/operator.ts";
import { apiKeyEndpoints } from "./organizations/api-keys.ts";
import { auditEndpoints } from "./organizations/audit.ts";
import { invitationEndpoints, memberEndpoints } from "./organizations/members.ts";
import { organizationEndpoints } from "./organizations/organization.ts";
import { organizationLimitEndpoints } from "./organizations/organization-limits.ts";
import { projectEndpoints } from "./organizations/projects.ts";
import { retentionEndpoints } from "./organizations/retention.ts";
import { sourceLinkEndpoints } from "./organizations/source-links.ts";
import { functionEndpoints } from "./profiles/functions.ts";
import { profileEndpoints } from "./profiles/profile.ts";
import { sampleLabelEndpoints } from "./profiles/sample-labels.ts";
import { senderEndpoints } from "./profiles/senders.ts";
import { statisticsEndpoints } from "./profiles/statistics.ts";
import { serviceTrendEndpoints, summaryEndpoints } from "./profiles/summary.ts";
import { readerEndpoints } from "./readers/pyroscope.ts";

/** In this order the documentation shows the calls of an area. */
const lists = [
  accountEndpoints,
  secondFactorEndpoints,
  passkeyEndpoints,
  passwordEndpoints,
  sessionEndpoints,
  singleSignOnEndpoints,
  auditEndpoints,
  organizationEndpoints,
  organizationLimitEndpoints,
  invitationEndpoints,
  memberEndpoints,
  sharedLinkEndpoints,
  openFileEndpoints,
  apiKeyEndpoints,
  profileEndpoints,
  senderEndpoints,
  flameGraphEndpoints,
  mergedEndpoints,
  diffEndpoints,
  functionEndpoints,
  sampleLabelEndpoints,
  httpMetricEndpoints,
  routeTimeEndpoints,
  timelineEndpoints,
  seriesEndpoints,
  sourceLinkEndpoints,
  statisticsEndpoints,
  serviceTrendEndpoints,
  summaryEndpoints,
  chartEndpoints,
  alertEndpoints,
  coverageEndpoints,
  digestEndpoints,
  muteEndpoints,
  ruleEndpoints,
  settingsEndpoints,
  incidentEndpoints,
  analysisEndpoints,
  findingEndpoints,
  agentEndpoints,
  ingestEndpoints,
  otlpEndpoints,
  pushEndpoints,
  readerEndpoints,
  targetEndpoints,
  projectEndpoints,
  dashboardEndpoints,
  retentionEndpoints,
  healthEndpoints,
  operatorEndpoints,
] as const;

type AnyEndpoint = (typeof lists)[number][number];

// Cast: comparing each schema with the type of all schemas takes the compiler longer than everything else in this package.
/** Every call, area by area. */
export const endpoints: readonly Endpoint[] = (lists as unknown as readonly (readonly Endpoint[])[])
  .flat()
  .sort((a, b) => areas.indexOf(a.area) - areas.indexOf(b.area));

const endpointByCall = new Map(endpoints.map((endpoint) => [nameOf(endpoint), endpoint]));

function nameOf({ method, path }: Call): string {
  return `${method} ${path}`;
}

type NameOf<C extends Call> = `${C["method"]} ${C["path"]}`;

// Looked up by name: a search for each call would compare it with every endpoint.
type EndpointByName = { readonly [E in AnyEndpoint as NameOf<E>]: E };

/** An endpoint is its own, so that tests can serve one that is not listed. */
export type EndpointOf<C extends Call> = C extends Endpoint
  ? C
  : NameOf<C> extends infer N extends keyof EndpointByName
    ? EndpointByName[N]
    : never;

export function endpointOf<C extends Call>(call: C): EndpointOf<C> {
  return anyEndpointOf(call) as EndpointOf<C>;
}

/** The endpoint of any call, without the types of its parts: where the call is not known, the compiler would compare those of all calls. */
export function anyEndpointOf(call: Call): Endpoint {
  const endpoint = "reply" in call ? (call as Endpoint) : endpointByCall.get(nameOf(call));
  if (endpoint === undefined) throw new Error(`${nameOf(call)} has no endpoint`);
  return endpoint;
}

/** The reply if it is as the contract says. Other replies throw. */
export function checkedReply<C extends Call>(call: C, body: unknown): ReplyOf<C> {
  const { reply } = anyEndpointOf(call);
  const { data, error } = reply.safeParse(body);
  if (error === undefined) return data as ReplyOf<C>;
  throw new Error(`The reply to ${nameOf(call)} breaks the contract: ${z.prettifyError(error)}`);
}

/** The request of a call before parsing. */
export interface RequestOf<C extends Call> {
  params: z.input<EndpointOf<C>["params"]>;
  query: z.input<EndpointOf<C>["query"]>;
  body: z.input<EndpointOf<C>["body"]>;
}

/** The input of the operation that answers a call: the checked fields of path, query and body, whose names differ. */
export type InputOf<C extends Call> = Input<EndpointOf<C>>;

// Takes the members of a union one by one: all parts of all calls together are too many for the compiler.
type Input<E> = E extends { readonly params: infer P; readonly query: infer Q; readonly body: infer B }
  ? object & Fields<z.output<P>> & Fields<z.output<Q>> & Fields<z.output<B>>
  : never;

/** Nothing for a part without fields, whose type would make every other field `never`. */
type Fields<T> = T extends Record<string, never> ? unknown : T extends object ? T : unknown;

/** The reply of a call. */
export type ReplyOf<C extends Call> = z.output<EndpointOf<C>["reply"]>;
