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
  readonly disk: DiskSpace;
  /** Whether an upload is acknowledged once the log has it, or once its rows are stored. */
  readonly acknowledge: "log" | "stored";
  /** Rows wait this long for company. */
  readonly rowsWaitMs: number;
  /** Set in a cluster: whether rows of this term may be stored. */
  readonly isCurrent?: (term: number) => boolean;
  readonly removalWatch: Pick<ServiceRemovalWatch, "dedupNamespace" | "unfinished" | "isRemovedSince">;
}
