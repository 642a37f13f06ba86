import type { RowsToInsert } from "#store/column/client/client.ts";
import type { SeriesHour } from "./hour-journal.ts";

/** Rows of a table that views roll up. */
interface RolledUpRows extends RowsToInsert {
  readonly table: "profiles" | "http_requests";
  /** The hours that the rows belong to: an interrupted insert leaves them to be counted again. */
  readonly hours: readonly SeriesHour[];
}

interface OtherRows extends RowsToInsert {
  readonly table: "frames" | "stacks" | "payloads";
  readonly hours?: never;
}

export type InsertBatch = RolledUpRows | OtherRows;
