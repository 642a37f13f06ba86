import { frameColumnNames, stackColumnNames } from "./definitions.ts";
import { profileColumnNames } from "./profile-columns.ts";
import { requestColumnNames } from "./request-lines.ts";
import type { Table } from "./tables.ts";

/** Names and order of each table's columns. They come from the definitions that encode the rows. */
export const columns: Readonly<Record<Table, readonly string[]>> = {
  frames: frameColumnNames,
  stacks: stackColumnNames,
  http_requests: requestColumnNames,
  profiles: profileColumnNames,
};
