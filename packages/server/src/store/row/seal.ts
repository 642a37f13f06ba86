import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** Which organization or person and field a secret belongs to: a sealed text that is copied elsewhere does not open there. */
export type SealedPlace = ({ readonly orgId: string } | { readonly userId: string }) & {
  readonly field: string;
};

type Opened =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: SealFault };

/** `unknown_key`: sealed with a key that this server does not have. `changed`: damaged, or copied from another place. */
export type SealFault = "unknown_key" | "changed";

/** Encrypts secrets that must be read again, such as a webhook's. */
export interface Seal {
  seal(text: string, place: SealedPlace): string;
  open(sealed: string, place: SealedPlace): Opened;
  /** Whether the text was sealed with a former key, so that it should be sealed again. */
  isOutdated(sealed: string): boolean;
}

const version = "v1";
const nonceBytes = 12;
const tagBytes = 16;
const sealedForm = /^v1\.([0-9a-f]{8})\.([\w-]+)$/;

/**
 * AES-256-GCM with a random nonce. A sealed text is `v1.<key id>.<nonce, ciphertext and tag in base64url>`: the key id
 * finds the key among the current one and former ones.
 *
 * @param keys 32 bytes each; the first one seals
 */
export function openSeal(keys: readonly [Uint8Array, ...Uint8Array[]]): Seal {
  const [current] = keys;
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]));
  const currentId = keyIdOf(current);
  return {
    seal(text, place) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", current, nonce);
      cipher.setAAD(associatedData(place));
      const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
      return `${version}.${currentId}.${Buffer.concat(parts).toString("base64url")}`;
    },
    open(sealed, place) {
      const { keyId, bytes } = partsOf(sealed);
      const key = byId.get(keyId);
      if (bytes.length < nonceBytes + tagBytes) return { ok: false, reason: "changed" };
      if (key === undefined) return { ok: false, reason: "unknown_key" };
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes));
        decipher.setAAD(associatedData(place));
        decipher.setAuthTag(bytes.subarray(-tagBytes));
        const text = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()];
        return { ok: true, text: Buffer.concat(text).toString("utf8") };
      } catch {
        // GCM's tag does not match: Node says so by throwing.
        return { ok: false, reason: "changed" };
      }
    },
    isOutdated: (sealed) => {
      const { keyId } = partsOf(sealed);
      return keyId !== currentId && byId.has(keyId);
    },
  };
}

/** No bytes where the text does not have the form of a sealed one. */
function partsOf(sealed: string): { readonly keyId: string; readonly bytes: Buffer } {
  const [, keyId = "", text = ""] = sealedForm.exec(sealed) ?? [];
  return { keyId, bytes: Buffer.from(text, "base64url") };
}

/** Eight hexadecimal characters of a hash: enough to tell keys apart, and nothing to guess the key from. */
function keyIdOf(key: Uint8Array): string {
  return createHash("sha256").update("seal key id").update(key).digest("hex").slice(0, 8);
}

function associatedData(place: SealedPlace): Buffer {
  const owner = "orgId" in place ? [place.orgId] : ["user", place.userId];
  return Buffer.from(JSON.stringify([version, ...owner, place.field]));
}
