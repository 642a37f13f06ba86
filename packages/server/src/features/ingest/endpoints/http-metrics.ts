import { ingestHttpMetrics } from "@flamekeep/contract";
import { encodeHttpMetrics } from "./http-metrics/http-metrics-upload.ts";
import { explainParameters } from "./parameters/explain-parameters.ts";
import { acceptedParameters, ignoredParameters } from "./parameters/ignored-parameters.ts";
import { parameter } from "./upload.ts";
import { asList, onlyUpload, uploadEndpoint } from "./upload-endpoint.ts";

const parameters = acceptedParameters(ingestHttpMetrics);

/** HTTP metrics: each is a row of `http_requests`, and one row of `profiles` counts the batch. */
export const httpMetricsEndpoint = uploadEndpoint({
  call: ingestHttpMetrics,
  paths: [ingestHttpMetrics.path],
  limits: ({ maxMetricsBytes, maxMetrics }) => ({
    inflatedBytesMax: maxMetricsBytes,
    samplesMax: maxMetrics,
  }),
  encode: ({ query, body, scope }) =>
    asList(encodeHttpMetrics(parameter(query, "service") ?? "", body, scope)),
  reply(stored, { query }) {
    const { encoded, isDuplicate } = onlyUpload(stored);
    return {
      profile_id: encoded.profileId,
      accepted: encoded.sampleCount,
      duplicate: isDuplicate,
      ignored: ignoredParameters(query, parameters),
    };
  },
  addHooks: (scope) => explainParameters(scope, parameters),
});
