import { createHash } from "node:crypto";
import type { StoredType } from "@flamekeep/contract";
import { Failure } from "#failure";
import type { Payload, PayloadStore } from "#store/payloads/payload-store.ts";
import { referenceTo } from "#store/payloads/read-payload.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import type { ProfileRef } from "./column-rows.ts";

/** The bytes of a profile as they were sent. */
export interface Original {
  readonly profileId: string;
  readonly type: StoredType;
  /** Undefined where none are kept, or where they are damaged. */
  readonly content: { readonly bytes: Uint8Array; readonly sha256: string } | undefined;
  /** The sender's other statements, with which the upload can be encoded again; undefined where they are not kept. */
  readonly sent: unknown;
}

export async function readOriginal(
  payloads: PayloadStore,
  orgId: string,
  { profileId, type: storedType }: ProfileRef,
): Promise<Original> {
  const type = storedType as StoredType;
  const again = await payloads.readAgain({ orgId, profileId, type });
  const bytes = again?.bytes ?? (await readSent(payloads, orgId, profileId));
  return { profileId, type, content: bytes && { bytes, sha256: sha256Of(bytes) }, sent: again?.repeat };
}

async function readSent(
  payloads: PayloadStore,
  orgId: string,
  profileId: string,
): Promise<Uint8Array | undefined> {
  const read = payloads.readSent ?? payloads.read;
  return (await read(orgId, profileId).catch(ignoreDamage))?.bytes;
}

function ignoreDamage(error: unknown): undefined {
  if (!(error instanceof Failure && error.code === "damaged")) throw error;
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const batchBytesMax = 16_000_000;
const batchCountMax = 1000;

/** Stores original bytes in batches, and notes the profiles without them. Those that the store has stay as they are. */
export class OriginalWriter {
  readonly #payloads: PayloadStore;
  readonly #orgId: string;
  /** Profiles whose sender's statements are stored, by their bytes: other listings of the same upload refer to them. */
  readonly #owners = new Map<string, string>();
  #batch: Payload[] = [];
  #bytes = 0;

  constructor(payloads: PayloadStore, orgId: string) {
    this.#payloads = payloads;
    this.#orgId = orgId;
  }

  async write(original: Original): Promise<void> {
    const payload = this.#payloadOf(original);
    this.#batch.push(payload);
    this.#bytes += payload.bytes.length;
    if (this.#bytes > batchBytesMax || this.#batch.length >= batchCountMax) await this.flush();
  }

  /** Resolves when all that was written is on disk, at the end of a day. */
  async flush(): Promise<void> {
    const batch = this.#batch;
    [this.#batch, this.#bytes] = [[], 0];
    if (batch.length === 0) return;
    const { number, failedDays } = await this.#payloads.put(batch);
    const [failed] = failedDays;
    if (failed !== undefined)
      throw new StoreUnavailable(
        `The original bytes of ${failed.day} cannot be written (${failed.fault}). Correct the disk or its permissions, and run the command again.`,
      );
    await this.#payloads.keep?.(batch);
    await this.#payloads.confirm(number);
  }

  #payloadOf({ profileId, type, content, sent }: Original): Payload {
    const profile = { orgId: this.#orgId, profileId, type };
    if (content === undefined) return { ...profile, bytes: new Uint8Array(), isDropped: true };
    const { bytes, sha256 } = content;
    if (sent !== undefined) {
      this.#owners.set(sha256, profileId);
      return { ...profile, bytes, repeat: sent };
    }
    const owner = this.#owners.get(sha256);
    return { ...profile, bytes: owner === undefined ? bytes : referenceTo(owner) };
  }
}
