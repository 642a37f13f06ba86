import type { Log } from "#context";
import type { IngestCounters } from "#ingest/admission/ingest-counters.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import type { DiskSpace } from "#store/disk-space.ts";
import type { PayloadStore } from "#store/payloads/payload-store.ts";
import type { ServiceRemovalWatch } from "./service-removal-watch.ts";

/** The stores and services that committing uses. */
export interface CommitterParts {
  readonly store: ColumnStore;
  readonly payloads: PayloadStore;
  readonly counters: IngestCounters;
  readonly log: Log;
  /** Undefined where profiles are stored on other machines. */
  readonly disk: DiskSpace | undefined;
  /** Resolves when uploads that an earlier process acknowledged are stored: until then nobody knows what is stored. */
  readonly recovered: () => Promise<void>;
  readonly removalWatch: Pick<ServiceRemovalWatch, "dedupNamespace" | "unfinished">;
}
