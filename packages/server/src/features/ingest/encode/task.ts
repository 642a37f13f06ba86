import type { Format } from "#ingest/endpoints/table.ts";
import type { Query } from "#ingest/endpoints/upload.ts";
import type { EncodeScope } from "./encode-profile.ts";

/** One request's work for a worker thread. */
export interface Task {
  readonly format: Format;
  readonly scope: EncodeScope;
  /** See SentDefinitions. */
  readonly definitionsGeneration: number;
  readonly query: Query;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
}
