import type { PayloadStore, StoredPayload } from "./payload-store.ts";

/**
 * An upload that is listed under several types is stored once: the payloads of the other types name the profile that has the bytes.
 * No profile begins with these characters.
 */
const prefix = "same bytes as ";

export function referenceTo(profileId: string): Uint8Array {
  return Uint8Array.from(Buffer.from(prefix + profileId));
}

function referenceIn({ bytes }: StoredPayload): string | undefined {
  const text = bytes.length < 100 ? Buffer.from(bytes).toString("latin1") : "";
  return text.startsWith(prefix) ? text.slice(prefix.length) : undefined;
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
      return shared && { bytes: shared.bytes, type: stored.type };
    },
  };
}
