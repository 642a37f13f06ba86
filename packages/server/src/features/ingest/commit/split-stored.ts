import { storedIds } from "#ingest/queries.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import { dayOf } from "#store/profiles/profile-id.ts";

interface Identified {
  readonly orgId: string;
  readonly profileId: string;
}

/** Parts `items` into those whose profile is stored and those it is missing for, with one question. */
export async function splitStored<T>(
  store: ColumnStore,
  items: readonly T[],
  identity: (item: T) => Identified,
): Promise<{ stored: T[]; missing: T[] }> {
  const identities = items.map(identity);
  const rows = await store.query(storedIds, {
    days: [...new Set(identities.map(({ profileId }) => dayOf(profileId)!))],
    orgIds: [...new Set(identities.map(({ orgId }) => orgId))],
    profileIds: identities.map(({ profileId }) => profileId),
  });
  const known = new Set(rows.map(({ orgId, profileId }) => `${orgId}/${profileId}`));
  const isStored = (item: T) => {
    const { orgId, profileId } = identity(item);
    return known.has(`${orgId}/${profileId}`);
  };
  return { stored: items.filter(isStored), missing: items.filter((item) => !isStored(item)) };
}
