import type { Sender } from "#ingest/admission/sender.ts";
import type { EncodeScope } from "#ingest/encode/encode-profile.ts";
import { isOfCoroot } from "#ingest/endpoints/coroot.ts";
import { serviceOfForm } from "#ingest/endpoints/datadog.ts";
import { servicesOfResources } from "#ingest/endpoints/otlp-message.ts";
import { isJsonRequest } from "#ingest/endpoints/otlp-reply.ts";
import { servicesOfWrite } from "#ingest/endpoints/parca.ts";
import { servicesOfSeries } from "#ingest/endpoints/push.ts";
import { parsePyroscopeName } from "#ingest/endpoints/pyroscope.ts";
import type { ReportedUpload, StoredRequest, StoredUpload } from "#ingest/endpoints/upload-endpoint.ts";
import type { Arrival } from "#ingest/threads/arrival.ts";
import type { HistogramPoint } from "#ingest/upload/histogram.ts";
import type { RecordedUpload } from "#ingest/upload/recorded-upload.ts";
import { parameter } from "#ingest/upload/upload.ts";

/** A request on its way to another member, apart from its body. */
export interface SentRequest extends Pick<Arrival, "format" | "query" | "contentType" | "contentEncoding"> {
  readonly sender: Sender;
}

/** One upload on its way to its owner, apart from its bytes: with what the log has of it, it is encoded again. */
export interface SentUpload {
  readonly sender: Sender;
  readonly recorded: RecordedUpload;
  readonly notice?: string;
  readonly untimedKey?: string | undefined;
  /** The log of the member has it since an earlier time. */
  readonly isRepeat?: true;
}

/** An upload that another member sent, or that the log of one has. */
export type UploadToTake = SentUpload & Pick<Arrival, "body" | "reservation">;

/** Points of histograms on their way to the owner of their services. They have maps and infinite numbers, which JSON has not. */
export interface SentPoints {
  readonly points: readonly HistogramPoint[];
  readonly scope: EncodeScope;
}

/** An upload that its owner has stored. */
export interface StoredThere {
  /** The profile that it became. An earlier upload may have brought it. */
  readonly profileId: string;
  readonly startedAtMs: number;
  readonly isDuplicate: boolean;
  readonly notice?: string;
}

export function storedThere({ encoded, ...stored }: StoredUpload): StoredThere {
  const { profileId, startedAtMs } = encoded;
  return { ...stored, profileId, startedAtMs };
}

/** JSON has no maps. */
type WireUpload = Omit<StoredUpload, "encoded"> & {
  readonly encoded: Omit<ReportedUpload, "trimmed"> & {
    readonly trimmed: readonly (readonly [string, number])[];
  };
};

export function toWire({ stored, rejected }: StoredRequest) {
  return { stored: stored.map(toWireUpload), rejected };
}

function toWireUpload({ encoded, ...rest }: StoredUpload): WireUpload {
  const { orgId, profileId, service, type, startedAtMs, sampleCount, trimmed } = encoded;
  const { listed, recognizedAs, notice } = encoded;
  const reported = { orgId, profileId, service, type, startedAtMs, sampleCount, listed };
  const named = recognizedAs === undefined ? {} : { recognizedAs };
  const noted = notice === undefined ? {} : { notice };
  return { ...rest, encoded: { ...reported, ...named, ...noted, trimmed: [...trimmed] } };
}

export function toStoredRequest(reply: unknown): StoredRequest {
  const { stored, rejected } = reply as ReturnType<typeof toWire>;
  const uploads = stored.map(({ encoded, ...rest }) => ({
    ...rest,
    encoded: { ...encoded, trimmed: new Map(encoded.trimmed) },
  }));
  return { stored: uploads, rejected };
}

/** The services that a request names where that takes no reading of profiles. Decoding may find others. */
export async function servicesNamed(
  request: Pick<Arrival, "format" | "query" | "contentType" | "body">,
): Promise<readonly string[]> {
  const { format, query, contentType, body } = request;
  const isJson = isJsonRequest(contentType);
  if (format === "push" && !isJson) return servicesOfSeries(body);
  if (format === "parca" && !isJson) return servicesOfWrite(body);
  if (otlpFormats.has(format) && !isJson && !isOfCoroot(query)) return servicesOfResources(body);
  const service = format === "datadog" ? serviceOfForm(contentType, body) : serviceInAddress(request);
  return service === undefined ? [] : [service];
}

const otlpFormats: ReadonlySet<Arrival["format"]> = new Set(["otlp", "otlp_traces", "otlp_metrics"]);

function serviceInAddress({ format, query }: Pick<Arrival, "format" | "query">): string | undefined {
  if (format === "profile" || format === "file" || format === "http_metrics")
    return parameter(query, "service");
  if (format !== "pyroscope") return undefined;
  const name = parsePyroscopeName(parameter(query, "name") ?? "");
  return name.ok ? new Map(name.value.labels).get("service_name") || name.value.app : undefined;
}
