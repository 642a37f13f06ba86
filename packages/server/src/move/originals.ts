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
  readonly sha256: string;
  /** The sender's other statements, with which the upload can be encoded again; undefined where they are not kept. */
  readonly sent: unknown;
  readonly bytes: Uint8Array;
}

/** Undefined where no bytes are kept, or where they are damaged. */
export async function readOriginal(
  payloads: PayloadStore,
  orgId: string,
  { profileId, type: storedType }: ProfileRef,
): Promise<Original | undefined> {
  const type = storedType as StoredType;
  const again = await payloads.readAgain({ orgId, profileId, type });
  const bytes = again?.bytes ?? (await payloads.read(orgId, profileId).catch(ignoreDamage))?.bytes;
  return bytes && { profileId, type, sha256: sha256Of(bytes), sent: again?.repeat, bytes };
}

function ignoreDamage(error: unknown): undefined {
  if (!(error instanceof Failure && error.code === "damaged")) throw error;
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const batchBytesMax = 16_000_000;

/** Stores original bytes in batches. Those that the store has stay as they are. */
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

  async write({ profileId, type, sha256, sent, bytes }: Original): Promise<void> {
    const owner = sent === undefined ? this.#owners.get(sha256) : undefined;
    if (sent !== undefined) this.#owners.set(sha256, profileId);
    const content = owner === undefined ? bytes : referenceTo(owner);
    const repeat = sent === undefined ? {} : { repeat: sent };
    this.#batch.push({ orgId: this.#orgId, profileId, type, bytes: content, ...repeat });
    this.#bytes += content.length;
    if (this.#bytes > batchBytesMax) await this.flush();
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
}
