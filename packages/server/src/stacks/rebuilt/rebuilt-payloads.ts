import { profileTypes } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import { type Decoders, taskFile } from "#stacks/pool.ts";
import { withDefinitions } from "#stacks/ranges/with-definitions.ts";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import { bytesQuery } from "#store/column/query.ts";
import { Day } from "#store/column/values.ts";
import type { PayloadStore, StoredPayload } from "#store/payloads/payload-store.ts";
import { dayOf } from "#store/profiles/profile-id.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import type * as tasks from "./tasks.ts";

const rebuildTasks = taskFile<typeof tasks>(new URL("./tasks.ts", import.meta.url));

interface Stores {
  readonly columns: Pick<ColumnStore, "awaitedRows" | "direct">;
  readonly decoders: Pick<Decoders, "run">;
}

/** The store, in which profiles whose bytes are gone are read as pprof that is made of their columns. */
export function withRebuiltPayloads(store: PayloadStore, stores: Stores): PayloadStore {
  return {
    ...store,
    async read(orgId, profileId) {
      const stored = await store.read(orgId, profileId);
      return stored?.isDropped ? rebuild(stores, orgId, profileId) : stored;
    },
    async readSent(orgId, profileId) {
      const stored = await store.read(orgId, profileId);
      return stored?.isDropped ? undefined : stored;
    },
  };
}

const profileColumns = bytesQuery({
  name: "rebuilt.profile",
  sql: `SELECT type, content_hash, started_at, duration_ns, sample_types, facts,
          if(notEmpty(snapshot_stacks), snapshot_stacks, stacks),
          if(notEmpty(snapshot_stacks), snapshot_values, values),
          label_sets, sample_sets, toUInt16(notEmpty(snapshot_stacks))
        FROM profiles
        WHERE org_id = {orgId:UUID} AND toDate(started_at) = {day:Date} AND profile_id = {profileId:String}
          AND type != 'metrics'
        LIMIT 1`,
  params: z.object({ orgId: z.uuid(), day: Day, profileId: z.string() }),
  hasWideRows: true,
});

async function rebuild(
  { columns: store, decoders }: Stores,
  orgId: string,
  profileId: string,
): Promise<StoredPayload | undefined> {
  const day = dayOf(profileId);
  if (day === null) return undefined;
  const row = new RowBinaryReader(await store.direct.queryBytes(profileColumns, { orgId, day, profileId }));
  if (row.isAtEnd) return undefined;
  const { type, contentHash, ...columns } = readColumns(row);
  const fromMs = Date.parse(day);
  const { stackIds: ids, values, sampleTypes } = columns;
  // Only its stacks are needed.
  const column = {
    sampleType: toValueType(sampleTypes[0] ?? ""),
    ids,
    values: values[0] ?? new BigInt64Array(ids.length),
    divisor: 1,
  };
  const bytes = await withDefinitions(
    store,
    { orgId, fromMs, toMs: fromMs + dayMs, columns: [column] },
    (stored) => decoders.run(rebuildTasks, "rebuildPprof", { stored, columns }),
  );
  return { type: profileTypes.find((each) => each === type), bytes, rebuilt: { contentHash } };
}

function readColumns(row: RowBinaryReader) {
  const columns = {
    type: row.text(),
    contentHash: row.text(),
    startedAtMs: Number(row.int64()),
    durationNs: row.int64(),
    sampleTypes: row.texts(),
    facts: readMap(row),
    stackIds: row.uint64s(),
    values: readArray(row, () => row.int64s()),
    labelSets: readArray(row, () => readMap(row)),
    setOf: Uint16Array.from(readArray(row, () => row.uint16())),
  };
  return { ...columns, comments: commentsOf(columns, row.uint16() === 1) };
}

function readArray<T>(row: RowBinaryReader, read: () => T): T[] {
  return Array.from({ length: row.length() }, read);
}

function readMap(row: RowBinaryReader): Map<string, string> {
  return new Map(readArray(row, () => [row.text(), row.text()]));
}

const rebuiltText =
  "Rebuilt by Flamekeep from stored columns: the bytes that were sent are no longer kept (KEEP_ORIGINALS). It has no addresses, mappings or marks of inlined functions, and the labels that the columns have.";
const growthText = "Its counters are what they grew by since the snapshot before.";

/** @param areValuesSent false if the values of a snapshot of counters are what it adds to its series */
function commentsOf(
  { durationNs, facts }: { readonly durationNs: bigint; readonly facts: ReadonlyMap<string, string> },
  areValuesSent: boolean,
): string[] {
  const isSnapshot = durationNs === 0n && facts.has("process") && !facts.has("session");
  return isSnapshot && !areValuesSent ? [rebuiltText, growthText] : [rebuiltText];
}
