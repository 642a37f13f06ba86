import { z } from "zod";
import { notFound } from "#failure";
import type { ColumnStore } from "#store/column/column-store.ts";
import { query } from "#store/column/query.ts";
import { Day } from "#store/column/values.ts";
import { LruCache } from "#store/lru.ts";
import { dayOf } from "./profile-id.ts";
import { ProfileRow } from "./profile-row.ts";

/**
 * Finds the row of a profile. Rows never change; they are cached for 30 seconds, because a page about a profile needs its
 * row several times. Removals by this server take effect at once.
 */
export interface ProfileLookup {
  /** Undefined for an unknown id and for one of another organization. */
  find(orgId: string, profileId: string): Promise<ProfileRow | undefined>;
  /** As `find`, but throws `not_found` if there is none. */
  read(orgId: string, profileId: string): Promise<ProfileRow>;
  /** Undefined if the row is not cached. */
  cached(orgId: string, profileId: string): ProfileRow | undefined;
  /** Caches the rows that `list` returns, because people open a profile from a list. */
  listAndCache(orgId: string, list: () => Promise<ProfileRow[]>): Promise<ProfileRow[]>;
}

interface CachedRow {
  readonly row: ProfileRow;
  readonly readMs: number;
  readonly removalVersion: number;
}

const freshMs = 30_000;
const rowsMax = 1000;

export function openProfileLookup(
  columns: Pick<ColumnStore, "query" | "removalVersion">,
  nowMs: () => number = () => performance.now(),
): ProfileLookup {
  const rows = new LruCache<CachedRow>(rowsMax);

  function cached(orgId: string, profileId: string): ProfileRow | undefined {
    const found = rows.get(`${orgId} ${profileId}`);
    if (found === undefined || found.removalVersion !== columns.removalVersion()) return undefined;
    return nowMs() - found.readMs < freshMs ? found.row : undefined;
  }

  async function find(orgId: string, profileId: string): Promise<ProfileRow | undefined> {
    const cachedRow = cached(orgId, profileId);
    if (cachedRow !== undefined) return cachedRow;
    const [row] = await listAndCache(orgId, async () => {
      const found = await findProfile(columns, orgId, profileId);
      return found === undefined ? [] : [found];
    });
    return row;
  }

  async function listAndCache(orgId: string, list: () => Promise<ProfileRow[]>): Promise<ProfileRow[]> {
    // Read before the query: rows that are removed meanwhile may be in its result.
    const state = { readMs: nowMs(), removalVersion: columns.removalVersion() };
    const found = await list();
    for (const row of found) rows.set(`${orgId} ${row.profile_id}`, { row, ...state }, 1);
    return found;
  }

  async function read(orgId: string, profileId: string): Promise<ProfileRow> {
    const row = await find(orgId, profileId);
    if (row === undefined) throw notFound("Profile", profileId);
    return row;
  }

  return { find, read, cached, listAndCache };
}

const Lookup = z.object({ orgId: z.uuid(), day: Day, profileId: z.string() });

const profileById = query({
  name: "profiles.by-id",
  sql: `SELECT profile_id, service, type, started_at, received_at, duration_ns, tags, facts, sample_types, totals,
          sample_count, stack_count, original_bytes, content_hash, trimmed
        FROM profiles
        WHERE org_id = {orgId:UUID} AND toDate(started_at) = {day:Date} AND profile_id = {profileId:String}
        LIMIT 1`,
  params: Lookup,
  row: ProfileRow,
});

/** The row of a profile; undefined for an unknown id and for one of another organization. */
export async function findProfile(
  columns: Pick<ColumnStore, "query">,
  orgId: string,
  profileId: string,
): Promise<ProfileRow | undefined> {
  const day = dayOf(profileId);
  if (day === null) return undefined;
  return (await columns.query(profileById, { orgId, day, profileId }))[0];
}
