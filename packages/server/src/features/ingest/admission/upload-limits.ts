import type { OwnLimits } from "@flamekeep/contract";
import type { Context, KeyActor } from "#context";
import type { Refusal } from "#ingest/upload/refusal.ts";
import { limitOf } from "#store/row/organization-limits.ts";
import { ServiceLimit } from "./service-limit.ts";
import { type ReservedBytes, StoredBytesLimit } from "./stored-bytes.ts";
import { UploadRates } from "./upload-rates.ts";

interface Sender {
  readonly orgId: string;
  /** Undefined for the server itself, which has no limits. */
  readonly ownLimits: OwnLimits | undefined;
}

/** The limits of organizations that their uploads meet. The limits come with the key of the sender, which was looked up before. */
export class UploadLimits {
  readonly storedBytes: StoredBytesLimit;
  readonly rates: UploadRates;
  readonly #services: ServiceLimit;
  readonly #config: Context["config"];

  constructor({ columns, config, log, now }: Pick<Context, "columns" | "config" | "log" | "now">) {
    const elapsedMs = () => performance.now();
    this.storedBytes = new StoredBytesLimit({
      store: { ...columns, ...columns.direct },
      log,
      now: () => now(),
      elapsedMs,
    });
    this.rates = new UploadRates(elapsedMs);
    this.#services = new ServiceLimit({ store: columns.direct, log, elapsedMs });
    this.#config = config;
  }

  /** Checks the rate and reserves the bytes before a body is read. */
  async admit(actor: KeyActor, bytes: number): Promise<ReservedBytes | Refusal> {
    const tooOften = this.rates.take(actor.orgId, limitOf(this.#config, actor, "uploads_per_minute"));
    if (tooOften !== undefined) return tooOften;
    return this.storedBytes.reserve(actor.orgId, bytes, limitOf(this.#config, actor, "stored_bytes"));
  }

  /** Undefined if the organization may have the service: at once if it is known, else once the store was read. */
  async refuseService({ orgId, ownLimits }: Sender, service: string): Promise<Refusal | undefined> {
    if (ownLimits === undefined || this.#services.isKnown(orgId, service)) return undefined;
    return this.#services.admit(orgId, service, limitOf(this.#config, { orgId, ownLimits }, "services"));
  }

  /** Reads what is stored again with the next uploads, because something was removed. */
  noteRemoval(): void {
    this.storedBytes.noteRemoval();
    this.#services.noteRemoval();
  }
}
