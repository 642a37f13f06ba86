import { notFound } from "#failure";
import type { ColumnStore } from "#store/column/column-store.ts";
import { LruCache } from "#store/lru.ts";
import { findProfile } from "./find-profile.ts";
import type { ProfileRow } from "./profile-row.ts";

/**
 * Finds the row of a profile, which never changes, as of at most 30 seconds ago: a page about a profile asks for it several
 * times. What this server removes is gone at once.
 */
export interface ProfileLookup {
  /** Undefined for an id of another organization just as for one that never was. */
  find(orgId: string, profileId: string): Promise<ProfileRow | undefined>;
  /** As `find`, for calls about one profile: throws `not_found` where there is none. */
  read(orgId: string, profileId: string): Promise<ProfileRow>;
  /** Undefined where it would have to be asked for. */
  held(orgId: string, profileId: string): ProfileRow | undefined;
  /** Holds the rows that `list` finds: one of those that a list shows is opened next. */
  holding(orgId: string, list: () => Promise<ProfileRow[]>): Promise<ProfileRow[]>;
}

interface Held {
  readonly row: ProfileRow;
  readonly readMs: number;
  readonly removals: number;
}

const freshMs = 30_000;
const rowsMax = 1000;

export function openProfileLookup(
  columns: Pick<ColumnStore, "query" | "removals">,
  nowMs: () => number = () => performance.now(),
): ProfileLookup {
  const rows = new LruCache<Held>(rowsMax);

  function held(orgId: string, profileId: string): ProfileRow | undefined {
    const found = rows.get(`${orgId} ${profileId}`);
    if (found === undefined || found.removals !== columns.removals()) return undefined;
    return nowMs() - found.readMs < freshMs ? found.row : undefined;
  }

  async function find(orgId: string, profileId: string): Promise<ProfileRow | undefined> {
    const known = held(orgId, profileId);
    if (known !== undefined) return known;
    const [row] = await holding(orgId, async () => {
      const found = await findProfile(columns, orgId, profileId);
      return found === undefined ? [] : [found];
    });
    return row;
  }

  async function holding(orgId: string, list: () => Promise<ProfileRow[]>): Promise<ProfileRow[]> {
    // As of before it is asked: what is removed meanwhile may be in the answer.
    const asked = { readMs: nowMs(), removals: columns.removals() };
    const found = await list();
    for (const row of found) rows.set(`${orgId} ${row.profile_id}`, { row, ...asked }, 1);
    return found;
  }

  async function read(orgId: string, profileId: string): Promise<ProfileRow> {
    const row = await find(orgId, profileId);
    if (row === undefined) throw notFound("Profile", profileId);
    return row;
  }

  return { find, read, held, holding };
}
