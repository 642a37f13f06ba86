import { randomUUID } from "node:crypto";
import { profileTypes } from "@flamekeep/contract";
import { z } from "zod";
import { RowBinaryReader, RowBinaryWriter } from "#store/column/client/row-binary.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import { bytesQuery, query } from "#store/column/query.ts";
import { Day } from "#store/column/values.ts";
import { dayOf, startSecondsOf } from "#store/profiles/profile-id.ts";
import { droppedPayload, type Payload, type PayloadStore } from "./payload-store.ts";

const columns = ["org_id", "profile_id", "started_at", "type", "payload"];
/** The size of a row without its payload. */
const rowBytesMax = 96;

/**
 * Payloads for servers that share a ClickHouse: each finds those of all in a table there. The log of this server has them only until
 * they are in the table. ColumnMaintenance removes the table's rows together with the rows of the other tables.
 */
export function openPayloadColumns(
  log: PayloadStore,
  store: ColumnStore,
  { keepsPayloads = true } = {},
): PayloadStore {
  return {
    ...log,
    ...(keepsPayloads && {
      keep: (payloads) =>
        keep(
          store,
          payloads.filter(({ isDropped }) => !isDropped),
        ),
    }),
    async dropContent(before, stopped) {
      await store.maintenance.dropPayloads(before, stopped);
    },
    async read(orgId, profileId) {
      const logged = await log.read(orgId, profileId);
      const day = dayOf(profileId);
      if (logged !== undefined || day === null) return logged;
      const reader = new RowBinaryReader(await store.direct.queryBytes(byId, { orgId, day, profileId }));
      // Its row says whether there is such a profile.
      if (reader.isAtEnd) return droppedPayload;
      const storedType = reader.text();
      return { type: profileTypes.find((type) => type === storedType), bytes: reader.bytes() };
    },
  };
}

async function keep(store: ColumnStore, payloads: readonly Payload[]): Promise<void> {
  if (payloads.length === 0) return;
  const rows = await store.direct.query(stored, {
    days: [...new Set(payloads.map(({ profileId }) => dayOf(profileId)!))],
    orgIds: [...new Set(payloads.map(({ orgId }) => orgId))],
    profileIds: payloads.map(({ profileId }) => profileId),
  });
  const existing = new Set(rows.map(({ orgId, profileId }) => `${orgId}/${profileId}`));
  const missing = payloads.filter(({ orgId, profileId }) => !existing.has(`${orgId}/${profileId}`));
  if (missing.length === 0) return;
  // A new token each time: existing payloads are left out above, and the others may have been removed meanwhile.
  const dedupToken = randomUUID();
  await store.insert({
    table: "payloads",
    columns,
    format: "RowBinary",
    rows: toRows(missing),
    dedupToken,
  });
}

function toRows(payloads: readonly Payload[]): Buffer {
  const bytes = payloads.reduce((sum, each) => sum + each.bytes.length + rowBytesMax, 0);
  const rows = new RowBinaryWriter(bytes);
  for (const { orgId, profileId, type, bytes } of payloads) {
    rows.uuid(orgId);
    rows.text(profileId);
    rows.int64(BigInt(startSecondsOf(profileId)! * 1000));
    rows.text(type);
    rows.length(bytes.length);
    rows.bytes(bytes);
  }
  return rows.finish();
}

const stored = query({
  name: "payloads.stored",
  sql: `SELECT toString(org_id) AS orgId, profile_id AS profileId
        FROM payloads
        WHERE toDate(started_at) IN {days:Array(Date)} AND org_id IN {orgIds:Array(UUID)}
          AND profile_id IN {profileIds:Array(String)}`,
  params: z.object({ days: z.array(Day), orgIds: z.array(z.uuid()), profileIds: z.array(z.string()) }),
  row: z.object({ orgId: z.string(), profileId: z.string() }),
});

const byId = bytesQuery({
  name: "payloads.by-id",
  sql: `SELECT type, payload FROM payloads
        WHERE org_id = {orgId:UUID} AND toDate(started_at) = {day:Date} AND profile_id = {profileId:String}
        LIMIT 1`,
  params: z.object({ orgId: z.uuid(), day: Day, profileId: z.string() }),
});
