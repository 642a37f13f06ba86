import type { Log } from "#context";
import type { IngestCounters } from "#ingest/admission/ingest-counters.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import type { DiskSpace } from "#store/disk-space.ts";
import type { PayloadStore } from "#store/payloads/payload-store.ts";
import type { Removals } from "./removals.ts";

export interface CommitterParts {
  readonly store: ColumnStore;
  readonly payloads: PayloadStore;
  readonly counters: IngestCounters;
  readonly log: Log;
  /** Undefined where profiles are stored on other machines. */
  readonly disk: DiskSpace | undefined;
  readonly removals: Pick<Removals, "era" | "unfinished">;
}
