import { z } from "zod";
import type { ColumnStore } from "#store/column/column-store.ts";
import { bytesQuery } from "#store/column/query.ts";
import { Day, toWordsBase64 } from "#store/column/values.ts";

/** Definitions of stacks and frames, as RowBinary. */
export interface DefinitionBytes {
  /** Rows of stack id (UInt64) and frame ids (Array(UInt64), leaf first). */
  readonly stacks: Uint8Array;
  /** Rows of frame id (UInt64), function, file (String), line and start line (Int64). */
  readonly frames: Uint8Array;
}

/** Days (UTC) whose definitions are searched, both included. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

const Params = z.object({ orgId: z.uuid(), first: Day, last: Day, ids: z.string() });

// The ids are one text: parsing a list of literals would take the engine longer than finding the rows.
const stackDefinitions = bytesQuery({
  name: "stacks.definitions",
  sql: `SELECT stack_id, frame_ids FROM stacks
        WHERE org_id = {orgId:UUID} AND day BETWEEN {first:Date} AND {last:Date}
          AND stack_id IN (SELECT arrayJoin(reinterpret(base64Decode({ids:String}), 'Array(UInt64)')))
        LIMIT 1 BY stack_id`,
  params: Params,
});

const frameDefinitions = bytesQuery({
  name: "stacks.frame-definitions",
  sql: `SELECT frame_id, function, toString(file), line, start_line FROM frames
        WHERE org_id = {orgId:UUID} AND day BETWEEN {first:Date} AND {last:Date}
          AND frame_id IN (
            SELECT arrayJoin(frame_ids) FROM stacks
            WHERE org_id = {orgId:UUID} AND day BETWEEN {first:Date} AND {last:Date}
              AND stack_id IN (SELECT arrayJoin(reinterpret(base64Decode({ids:String}), 'Array(UInt64)'))))
        LIMIT 1 BY frame_id`,
  params: Params,
});

const idsPerQuery = 1 << 16;

/** The definitions of these stacks and of their frames that were written on one of the days. */
export async function readDefinitions(
  columns: ColumnStore,
  orgId: string,
  days: Days,
  stackIds: BigUint64Array,
): Promise<DefinitionBytes> {
  const stacks: Buffer[] = [];
  const frames: Buffer[] = [];
  for (let from = 0; from < stackIds.length; from += idsPerQuery) {
    const ids = toWordsBase64(stackIds.subarray(from, from + idsPerQuery));
    const params = { orgId, ...days, ids };
    const [stackBytes, frameBytes] = await Promise.all([
      columns.queryBytes(stackDefinitions, params),
      columns.queryBytes(frameDefinitions, params),
    ]);
    stacks.push(stackBytes);
    frames.push(frameBytes);
  }
  return { stacks: new Uint8Array(Buffer.concat(stacks)), frames: new Uint8Array(Buffer.concat(frames)) };
}
