import { randomUUID } from "node:crypto";
import { profileTypes } from "@flamekeep/contract";
import { z } from "zod";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import { bytesQuery, query } from "#store/column/query.ts";
import { Day } from "#store/column/values.ts";
import { dayOf, startSecondsOf } from "#store/profiles/profile-id.ts";
import type { Payload, PayloadStore } from "./payload-store.ts";

const columns = ["org_id", "profile_id", "started_at", "type", "payload_b64"];

/**
 * Payloads in a table of a ClickHouse that several servers share, so that each of them finds the payloads of all.
 * ColumnMaintenance removes its rows together with the rows of the other tables.
 */
export function openPayloadColumns(store: ColumnStore): PayloadStore {
  return {
    async put(payloads) {
      if (payloads.length === 0) return { number: 0, possiblyStored: [], failedDays: [] };
      const rows = await store.query(stored, {
        days: [...new Set(payloads.map(({ profileId }) => dayOf(profileId)!))],
        orgIds: [...new Set(payloads.map(({ orgId }) => orgId))],
        profileIds: payloads.map(({ profileId }) => profileId),
      });
      const existing = new Set(rows.map(({ orgId, profileId }) => `${orgId}/${profileId}`));
      const exists = ({ orgId, profileId }: Payload) => existing.has(`${orgId}/${profileId}`);
      const lines = payloads.filter((payload) => !exists(payload)).map(toLine);
      if (lines.length > 0) {
        // A new token each time: existing payloads are left out above, and the others may have been removed meanwhile.
        await store.insert({ table: "payloads", columns, rows: lines.join(""), dedupToken: randomUUID() });
      }
      return { number: 0, possiblyStored: payloads.filter(exists), failedDays: [] };
    },
    async read(orgId, profileId) {
      const day = dayOf(profileId);
      if (day === null) return undefined;
      const reader = new RowBinaryReader(await store.queryBytes(byId, { orgId, day, profileId }));
      if (reader.isAtEnd) return undefined;
      const storedType = reader.text();
      return { type: profileTypes.find((type) => type === storedType), bytes: reader.bytes() };
    },
    remove: async () => {},
    removeDays: async () => {},
    purge: async () => {},
    problems: async () => ({ segments: [], setAside: [], unusable: [] }),
    async [Symbol.asyncDispose]() {},
  };
}

function toLine({ orgId, profileId, type, bytes }: Payload): string {
  const started = new Date(startSecondsOf(profileId)! * 1000).toISOString().slice(0, 19).replace("T", " ");
  const { buffer, byteOffset, byteLength } = bytes;
  const base64 = Buffer.from(buffer, byteOffset, byteLength).toString("base64");
  return `["${orgId}","${profileId}","${started}","${type}","${base64}"]\n`;
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
