import {
  aggregateHttpMetrics,
  httpTimeline,
  limits,
  listApiKeys,
  listHttpErrors,
  listHttpMetrics,
  listServices,
  organizationSummary,
  timeBuckets,
  timeRanges,
} from "@flamekeep/contract";
import { endpointOf } from "@flamekeep/contract/schemas";
import {
  boxWidthMin,
  charWidth,
  matchColour,
  panelHeight,
  rowHeight,
  schemes,
  topPadding,
  zoomDurationMs,
} from "@flamekeep/flame";
import { expect, it } from "vitest";
import { historyLengthMax, pollMs, pollMsMax } from "#ai-analysis/model.ts";
import { pageSizes } from "#preferences/page-size.ts";
import { storageKeys } from "#preferences/storage.ts";
import { defaultRange } from "#time-range/view-range.ts";
import { tooltipDelays } from "#ui/overlays/tooltip.tsx";
import { automaticBucket } from "./features/project/parts/timeline.ts";

const day = 86_400_000;

/** The constants of the specification, and their values in the product. */
it.each([
  ["time ranges", timeRanges, ["1h", "4h", "8h", "24h", "168h", "720h"]],
  ["default range", defaultRange, { kind: "last", span: "24h" }],
  ["buckets", timeBuckets, ["1m", "5m", "15m", "30m", "1h", "4h"]],
  ["default bucket of a day", automaticBucket(day), "15m"],
  ["request timeout", limits.requestTimeoutMs, 30_000],
  ["token renewal", limits.accessTokenRenewSeconds, 300],
  ["summary window", endpointOf(organizationSummary).query.parse({}).from, "120h"],
  ["services window", endpointOf(listServices).query.parse({}).from, "7d"],
  ["errors window", endpointOf(listHttpErrors).query.parse({}).from, "24h"],
  ["aggregation window", endpointOf(aggregateHttpMetrics).query.parse({}).from, "1h"],
  ["profile list", limits.profileListLimit, 100],
  ["HTTP metrics page", limits.httpMetricsLimit, 100],
  ["API keys page", endpointOf(listApiKeys).query.parse({}), { page: 1, page_size: 20 }],
  ["API key name", limits.apiKeyNameLengthMax, 100],
  ["password", limits.passwordLengthMin, 8],
  ["page sizes", pageSizes, [5, 10, 25, 50]],
  ["flame graph height", panelHeight, 800],
  ["flame graph row", rowHeight, 24],
  ["flame graph padding", topPadding, 20],
  ["flame graph zoom", zoomDurationMs, 750],
  ["narrowest box", boxWidthMin, 1],
  ["flame graph label", charWidth, 6],
  ["flame graph schemes", schemes, ["heat", "cool", "viridis", "plasma", "package", "subsystem", "language"]],
  ["flame graph matches", matchColour, "#e11d2e"],
  ["tooltips", tooltipDelays, { open: 700, sidebar: 100, skip: 300 }],
  ["HTTP timeline interval", endpointOf(httpTimeline).query.parse({}).interval, 5],
  ["HTTP metrics", endpointOf(listHttpMetrics).query.parse({}).limit, 100],
  ["analysis polling", [pollMs, pollMsMax], [2000, 300_000]],
  ["analysis history", historyLengthMax, 5],
  ["analysis recommendations", limits.recommendations, 10],
  [
    "storage",
    Object.keys(storageKeys).slice(0, 7),
    ["accessToken", "refreshToken", "user", "demo", "selectedProject", "timeRange", "timeBucket"],
  ],
])("%s", (_, actual, specified) => expect(actual).toEqual(specified));
