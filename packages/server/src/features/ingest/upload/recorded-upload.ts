import type { Upload } from "./upload.ts";

/**
 * A sender's statements about an upload, as JSON in the upload log. With them and the bytes the upload is encoded again, to the same rows:
 * times that were taken from its arrival are among them. Records of later versions may have further members.
 */
export type RecordedUpload = RecordedProfile | RecordedMetrics;

interface RecordedProfile {
  readonly kind: "profile";
  readonly receivedAtMs: number;
  readonly startedAtMs: number;
  /** Absent for uploads of the server, and in records of versions that did not store the key. */
  readonly keyId?: string | undefined;
  readonly service: string;
  readonly type?: Upload["type"];
  readonly nameHint?: string | undefined;
  /** In decimal, because JSON has no large integers. */
  readonly durationNs: string;
  readonly tags: readonly (readonly [string, string])[];
  readonly extraFacts: readonly (readonly [string, string])[];
  readonly isDelta: boolean;
  readonly sender: Upload["sender"];
}

export interface RecordedMetrics {
  readonly kind: "metrics";
  readonly receivedAtMs: number;
  /** As of a profile. */
  readonly keyId?: string | undefined;
  readonly service: string;
  /** Absent in records of versions that had one sender of HTTP metrics, our own endpoint. */
  readonly sender?: MetricsSender;
}

/** Our own endpoint, or spans or histograms of OpenTelemetry. Reports of histograms are in the log in a form of the server. */
export type MetricsSender = "api" | "otlp" | "otlp_histogram";

export function recordedProfile(
  { service, type, nameHint, durationNs, tags, extraFacts, isDelta, sender }: Upload,
  arrival: Pick<RecordedProfile, "receivedAtMs" | "startedAtMs" | "keyId">,
): RecordedProfile {
  return {
    kind: "profile",
    ...arrival,
    service,
    type,
    nameHint,
    durationNs: String(durationNs),
    tags: [...tags],
    extraFacts: [...extraFacts],
    isDelta,
    sender,
  };
}

export function uploadOf(
  { durationNs, extraFacts, type, nameHint, ...recorded }: RecordedProfile,
  body: Uint8Array,
): Upload {
  return {
    ...recorded,
    type,
    nameHint,
    durationNs: BigInt(durationNs),
    extraFacts: new Map(extraFacts),
    body,
  };
}
