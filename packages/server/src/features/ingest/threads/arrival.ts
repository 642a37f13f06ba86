import type { Config } from "#config";
import type { Reservation } from "#ingest/admission/budget.ts";
import type { Sender } from "#ingest/admission/sender.ts";
import type { EncodeScope } from "#ingest/encode/encode-profile.ts";
import { uploadEndpoints } from "#ingest/endpoints/table.ts";
import type { EncodedRequest } from "#ingest/rows/encoded.ts";
import { limitOf } from "#store/row/organization-limits.ts";
import type { Task } from "./worker.ts";

/** One upload, its body read. */
export type Arrival = Pick<Task, "format" | "query" | "contentType" | "body"> &
  Sender & {
    /** The Content-Encoding of the request. */
    readonly contentEncoding: string | undefined;
    readonly reservation: Reservation;
  };

/** A request that a worker has read. */
export type ReadRequest = Pick<EncodedRequest, "histograms" | "rejected"> & { readonly scope: EncodeScope };

/** The limits of an upload that arrives now. */
export function encodeScopeOf(
  { format, orgId, keyId, orgRetentionDays, ownLimits, contentEncoding }: Arrival,
  config: Pick<Config, "ingest" | "limitsFile" | "organization" | "retentionDays" | "retentionDaysByType">,
  now: Date,
): EncodeScope {
  const { ingest, retentionDays, retentionDaysByType } = config;
  return {
    orgId,
    keyId,
    nowMs: now.getTime(),
    retentionDays,
    retentionDaysByType,
    orgRetentionDays,
    retentionLimitDays: ownLimits && limitOf(config, { orgId, ownLimits }, "retention_days").value,
    ...uploadEndpoints[format].limits(ingest),
    profilesMax: ingest.maxProfiles,
    labelValuesMax: ingest.labelValues,
    labelSeriesValuesMax: ingest.labelSeriesValues,
    sending: {
      isEncoded: contentEncoding !== undefined && contentEncoding !== "identity",
      bodyBytesMax: ingest.maxBytes,
    },
  };
}
