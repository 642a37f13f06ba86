import type { ProfileType, StoredType } from "@flamekeep/contract";
import { damaged, type Failure } from "#failure";
import { droppedPayload, type PayloadStore, type StoredPayload } from "./payload-store.ts";

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

/** The bytes of a stored profile. Throws `damaged` if they cannot be read. */
export async function readPayload(
  store: PayloadStore,
  orgId: string,
  profileId: string,
): Promise<Uint8Array> {
  return (await readStoredPayload(store, orgId, profileId)).bytes;
}

/** As `readPayload`, with the facts about them. */
export async function readStoredPayload(
  store: PayloadStore,
  orgId: string,
  profileId: string,
): Promise<StoredPayload> {
  const stored = await store.read(orgId, profileId);
  if (stored === undefined) throw damagedPayload(profileId, "its bytes are not stored");
  return stored;
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
    "The original bytes of this profile are damaged or missing, so it cannot be opened. Lists, timelines and the flame graph of its service still include it.",
    new Error(`Profile ${profileId}: ${reason}`),
  );
}

/**
 * An upload that is listed under several types is stored once: the payloads of the other types name the profile that has the bytes. No
 * upload is such a text: collapsed stacks have a `;` and end with a number of at most 16 digits.
 */
const prefix = "same bytes as ";
const reference = new RegExp(`^${prefix}([0-9a-f]{32})$`);
const referenceBytes = prefix.length + 32;

export function referenceTo(profileId: string): Uint8Array {
  return Uint8Array.from(Buffer.from(prefix + profileId));
}

function referenceIn({ bytes }: StoredPayload): string | undefined {
  if (bytes.length !== referenceBytes) return undefined;
  return reference.exec(Buffer.from(bytes).toString("latin1"))?.[1];
}

/** The store, in which references are read as the bytes that they name. */
export function withSharedPayloads(store: PayloadStore): PayloadStore {
  return {
    ...store,
    async read(orgId, profileId) {
      const stored = await store.read(orgId, profileId);
      const owner = stored && referenceIn(stored);
      if (stored === undefined || owner === undefined) return stored;
      const shared = await store.read(orgId, owner);
      // The type that had the bytes may be kept for fewer days.
      return { ...(shared ?? droppedPayload), type: stored.type };
    },
  };
}
