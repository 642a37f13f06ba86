import type { EncodeScope } from "./encode-profile.ts";
import type { Query } from "./upload.ts";

/** One request's work for a worker thread. */
export interface Task {
  readonly door: "profile" | "pyroscope" | "http_metrics";
  readonly scope: EncodeScope;
  /** See SentDefinitions. */
  readonly epoch: number;
  readonly query: Query;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
}
