// The view state of each page in its URL. Malformed parameters are ignored.
import {
  displayTypes,
  httpPathOrders,
  limits,
  profileOrders,
  profileTypes,
  requestOrders,
  serviceOrders,
  timeBuckets,
} from "@flamekeep/contract";
import { compareSearch } from "#comparison/search.ts";
import { groupingSearch } from "#flame-graph/toolbar/grouping-params.ts";
import { returnPath } from "#session/return-path.ts";
import { rangeSearch } from "#time-range/search.ts";
import { amount, anything, oneOf, searchReader, text, textLike, texts, wholeNumber } from "#url/search.ts";
import { alertSorts } from "./features/alerts/search.ts";
import { compareServicesSearch } from "./features/compare-services/search.ts";
import { findingsSearch } from "./features/findings/search.ts";
import { serviceSearch } from "./features/service/search.ts";
import { sharedSearch } from "./features/shared/search.ts";

/** Where a page of services or projects begins. */
const listCursor = textLike(new RegExp(`^[\\w-]{1,${limits.cursorLengthMax}}$`));
const tableSearch = {
  ...rangeSearch,
  q: text({ max: 200 }),
  size: oneOf(5, 10, 25, 50),
  by: oneOf(...profileOrders),
  page: wholeNumber(2),
  after: textLike(/^[\w-]{1,300}$/),
};
export const readRangeSearch = searchReader(rangeSearch);
export const readTableSearch = searchReader(tableSearch);
const requestsSearch = {
  bucket: oneOf("auto", ...timeBuckets),
  http: oneOf("requests", "latency", "throughput", "errors"),
  endpoints: oneOf("popular", "performance", "errors", "reliability"),
  /** Earlier links to the requests of a path, which have a page now. */
  path: text({ min: 1, max: limits.httpPathLengthMax }),
  requests: oneOf(...requestOrders),
};
export const readServiceSearch = searchReader({ ...tableSearch, ...serviceSearch });
/** Tabs of a service without profiles keep the view of those with profiles. */
export const readServiceTabSearch = searchReader({ ...tableSearch, ...serviceSearch, ...requestsSearch });
export const readProfilesSearch = searchReader({
  ...tableSearch,
  view: oneOf("services", "profiles", "functions", "http"),
  scope: oneOf("all"),
  order: oneOf(...httpPathOrders),
  sort: oneOf(...serviceOrders),
  /** The page of the services, whose cursors are longer than those of profiles. */
  after: listCursor,
  type: oneOf(...displayTypes),
});
// Everything except the sample type belongs to the flame graph's own link codec, which reads it with fallbacks.
export const readProfileSearch = searchReader({
  sample_type: text({ max: 200 }),
  ...groupingSearch,
  labels: texts({ min: 1, max: limits.tagNameLengthMax }, { max: 1024 }),
  by_label: text({ min: 1, max: limits.tagNameLengthMax }),
  tab: oneOf("analysis"),
  zoom: anything,
  callers: anything,
  transforms: anything,
  fn: anything,
  focus: anything,
  q: anything,
  scheme: anything,
  pane: anything,
  legend: anything,
});
export const readCompareSearch = searchReader(compareSearch);
export const readCompareServicesSearch = searchReader(compareServicesSearch);
export const readFindingsSearch = searchReader(findingsSearch);
export const readSharedSearch = searchReader(sharedSearch);
export const readAlertsSearch = searchReader({
  service: text({ min: 1, max: limits.serviceNameLengthMax }),
  type: oneOf(...profileTypes, "resolved"),
  sort: oneOf(...alertSorts),
  reversed: oneOf(1),
  /** Id of the incident that is shown instead of the list. */
  incident: textLike(/^[\w-]{1,100}$/),
  /** Id of the alert whose analysis is open. */
  analysis: text({ min: 1, max: 100 }),
  /** The service whose signals are listed below the alerts. */
  coverage: text({ min: 1, max: limits.serviceNameLengthMax }),
});

/** Where to go after signing in. */
export const accountSearch = {
  return_to: (path: unknown) =>
    typeof path === "string" && path.length <= 2000 ? returnPath(path) : undefined,
};
export const readAccountSearch = searchReader(accountSearch);
/** The token of a link from a mail. */
export const readMailLinkSearch = searchReader({ token: textLike(/^[\w-]{1,200}$/) });
export const readProjectsSearch = searchReader({ q: tableSearch.q, after: listCursor });
/** The parameters of a merged flame graph; all but the grouping are read by the flame graph's own link codec, with fallbacks. */
const graphSearch = {
  ...groupingSearch,
  /** The flame graph's search. */
  find: anything,
  zoom: anything,
  focus: anything,
  callers: anything,
  transforms: anything,
  fn: anything,
  scheme: anything,
  pane: anything,
  legend: anything,
};
export const readRouteSearch = searchReader({
  ...rangeSearch,
  ...graphSearch,
  bucket: oneOf("auto", ...timeBuckets),
  method: text({ min: 1, max: limits.httpMethodLengthMax }),
  path: text({ min: 1, max: limits.httpPathLengthMax }),
  /** The label of samples that names the route, and its value. */
  label: text({ min: 1, max: limits.tagNameLengthMax }),
  label_value: text({ min: 1, max: limits.labelValueLengthMax }),
  type: oneOf("cpu", "mutex", "block"),
  requests: oneOf(...requestOrders),
});
export const readProjectSearch = searchReader({ ...rangeSearch, ...requestsSearch });
/** The range, and the variables of a dashboard; an empty one chooses nothing. */
export const readDashboardSearch = searchReader({
  ...rangeSearch,
  service: text({ max: limits.serviceNameLengthMax }),
  version: text({ max: limits.muteTagValueLengthMax }),
  region: text({ max: limits.muteTagValueLengthMax }),
});
export const readSendersSearch = searchReader({
  q: tableSearch.q,
  /** The only service that is listed, with its instances. */
  service: text({ min: 1, max: limits.serviceNameLengthMax }),
  problems: oneOf(1),
  after: listCursor,
});
export const readSettingsSearch = searchReader({
  tab: oneOf(
    "api-keys",
    "account",
    "sessions",
    "members",
    "organization",
    "audit",
    "alerts",
    "data",
    "preferences",
  ),
  /** Opens the dialog that creates a rule for alerts. */
  rule: oneOf("new"),
  /** Fields of the new rule; the threshold is in its unit. */
  service: text({ min: 1, max: limits.serviceNameLengthMax }),
  signal: oneOf("http_p95", "http_error_rate", "http_request_rate"),
  route: text({ min: 1, max: limits.ruleRouteLengthMax }),
  threshold: amount,
});
