import { datadogEndpoint } from "./datadog.ts";
import { httpMetricsEndpoint } from "./http-metrics.ts";
import { otlpEndpoint } from "./otlp.ts";
import { otlpMetricsEndpoint } from "./otlp-metrics.ts";
import { otlpTracesEndpoint } from "./otlp-traces.ts";
import { parcaEndpoint } from "./parca.ts";
import { fileEndpoint, profileEndpoint } from "./profile.ts";
import { pushEndpoint } from "./push.ts";
import { pyroscopeEndpoint } from "./pyroscope.ts";
import type { UploadEndpoint } from "./upload-endpoint.ts";

/** Every format that can be sent. One more is a call in the contract, a file in this folder and a line here. */
export const uploadEndpoints = {
  profile: profileEndpoint,
  file: fileEndpoint,
  pyroscope: pyroscopeEndpoint,
  push: pushEndpoint,
  parca: parcaEndpoint,
  otlp: otlpEndpoint,
  otlp_traces: otlpTracesEndpoint,
  otlp_metrics: otlpMetricsEndpoint,
  datadog: datadogEndpoint,
  http_metrics: httpMetricsEndpoint,
} as const satisfies Record<string, UploadEndpoint>;

export type Format = keyof typeof uploadEndpoints;
