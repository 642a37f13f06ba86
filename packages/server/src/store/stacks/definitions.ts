import { z } from "zod";
import type { DefinitionBytes } from "#store/column/awaited-rows.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import { bytesQuery } from "#store/column/query.ts";
import { Day, toWordsBase64 } from "#store/column/values.ts";

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

const framesById = bytesQuery({
  name: "stacks.frames-by-id",
  sql: `SELECT frame_id, function, toString(file), line, start_line FROM frames
        WHERE org_id = {orgId:UUID} AND day BETWEEN {first:Date} AND {last:Date}
          AND frame_id IN (SELECT arrayJoin(reinterpret(base64Decode({ids:String}), 'Array(UInt64)')))
        LIMIT 1 BY frame_id`,
  params: Params,
});

const idsPerQuery = 1 << 16;

/** The definitions of these stacks and of their frames: those that wait to be inserted, and those that were written on one of the days. */
export async function readDefinitions(
  { awaitedRows, direct }: Pick<ColumnStore, "awaitedRows" | "direct">,
  orgId: string,
  days: Days,
  stackIds: BigUint64Array,
): Promise<DefinitionBytes> {
  const waiting = awaitedRows.definitions(orgId, stackIds);
  const read = async (statement: typeof framesById, ids: BigUint64Array) => {
    const parts: Buffer[] = [];
    for (let from = 0; from < ids.length; from += idsPerQuery) {
      const part = toWordsBase64(ids.subarray(from, from + idsPerQuery));
      parts.push(await direct.queryBytes(statement, { orgId, ...days, ids: part }));
    }
    return parts;
  };
  const isWaiting = new Set(waiting.flatMap((each) => [...each.stackIds]));
  const stored = stackIds.filter((id) => !isWaiting.has(id));
  const [stacks, ...frames] = await Promise.all([
    read(stackDefinitions, stored),
    read(frameDefinitions, stored),
    ...waiting.map(({ storedFrames }) => read(framesById, storedFrames)),
  ]);
  return {
    stacks: joined([...waiting.map((each) => each.stacks), ...stacks]),
    frames: joined([...waiting.map((each) => each.frames), ...frames.flat()]),
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
