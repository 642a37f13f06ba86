import { randomUUID } from "node:crypto";
import { type Format, uploadEndpoints } from "#ingest/endpoints/table.ts";
import { SentDefinitions } from "#ingest/rows/definitions.ts";
import type { EncodedRequest } from "#ingest/rows/encoded.ts";

/** One request, without its key and address. */
export interface SentRequest {
  readonly format: Format;
  readonly body: Uint8Array;
  readonly contentType?: string;
}

const MiB = 1024 * 1024;
const sent = new SentDefinitions();
const scope = {
  orgId: randomUUID(),
  nowMs: Date.parse("2026-11-20T18:00:00Z"),
  retentionDays: 30,
  inflatedBytesMax: 64 * MiB,
  samplesMax: 250_000,
  profilesMax: 100,
  labelValuesMax: 100,
  labelSeriesValuesMax: 1000,
};

/** The rows of a request, or its refusal, as a worker thread finds them with the limits of a server without settings. */
export function outcomeOf({ format, contentType, body }: SentRequest): EncodedRequest {
  const query = { service: "shop", started_at: "2026-11-20T17:59:00Z" };
  const request = { query, contentType, body: Uint8Array.from(body), scope };
  return sent.duringRequest(() => uploadEndpoints[format].encode(request, sent));
}
