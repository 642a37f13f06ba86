import { notFound } from "#failure";
import type { PayloadStore } from "./payload-store.ts";

/** The bytes as they were sent. Throws `not_found` for an id of another organization just as for one that never was. */
export async function readPayload(
  store: PayloadStore,
  orgId: string,
  profileId: string,
): Promise<Uint8Array> {
  const bytes = await store.read(orgId, profileId);
  if (bytes === undefined) throw notFound("Profile", profileId);
  return bytes;
}
