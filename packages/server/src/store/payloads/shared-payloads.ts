import type { PayloadStore, StoredPayload } from "./payload-store.ts";

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
      return shared && { bytes: shared.bytes, type: stored.type };
    },
  };
}
