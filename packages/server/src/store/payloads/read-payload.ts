import type { ProfileType, StoredType } from "@flamekeep/contract";
import { damaged, type Failure } from "#failure";
import type { PayloadStore } from "./payload-store.ts";

/** One stored profile as it was sent, and as what it was stored. */
export interface Original {
  readonly profileId: string;
  readonly payload: Uint8Array;
  readonly type: ProfileType;
  /** `type/unit` in the order of its row; undefined if the row is not known. */
  readonly sampleTypes: readonly string[] | undefined;
}

/** The type and columns that were stored of a profile's bytes, by its row. */
export interface StoredAs {
  readonly profileId: string;
  readonly type: StoredType;
  readonly sampleTypes: readonly string[];
}

/** The bytes of a stored profile as they were sent. Throws `damaged` if they cannot be read. */
export async function readPayload(
  store: PayloadStore,
  orgId: string,
  profileId: string,
): Promise<Uint8Array> {
  const stored = await store.read(orgId, profileId);
  if (stored === undefined) throw damagedPayload(profileId, "its bytes are not stored");
  return stored.bytes;
}

/** A batch of HTTP metrics has no bytes. */
export async function readOriginal(
  store: PayloadStore,
  orgId: string,
  { profileId, type, sampleTypes }: StoredAs,
): Promise<Original> {
  if (type === "metrics") throw damagedPayload(profileId, "a batch of HTTP metrics has no payload");
  return { profileId, type, sampleTypes, payload: await readPayload(store, orgId, profileId) };
}

/** The bytes of a stored profile cannot be read; `reason` is for the log. */
export function damagedPayload(profileId: string, reason: string): Failure {
  return damaged(
    "The original bytes of this profile are damaged or missing, so it cannot be opened. Lists, timelines and the flame graph of its service do not need them and still count it.",
    new Error(`Profile ${profileId}: ${reason}`),
  );
}
