import type { Context } from "#context";
import type { Refusal } from "#ingest/upload/refusal.ts";
import { limitOf } from "#store/row/organization-limits.ts";
import type { Sender } from "./sender.ts";
import { ServiceLimit } from "./service-limit.ts";
import { type ReservedBytes, StoredBytesLimit } from "./stored-bytes.ts";
import { UploadRates } from "./upload-rates.ts";

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
  async admit(sender: Sender, bytes: number): Promise<ReservedBytes | Refusal> {
    const tooOften = this.refuseRate(sender);
    if (tooOften !== undefined) return tooOften;
    const { orgId, ownLimits = {} } = sender;
    const limit = limitOf(this.#config, { orgId, ownLimits }, "stored_bytes");
    return this.storedBytes.reserve(orgId, bytes, limit);
  }

  /** Counts one more upload, or says why there may be none now. */
  refuseRate({ orgId, ownLimits = {} }: Pick<Sender, "orgId" | "ownLimits">): Refusal | undefined {
    return this.rates.take(orgId, limitOf(this.#config, { orgId, ownLimits }, "uploads_per_minute"));
  }

  /** Undefined if the organization may have the service: at once if it is known, else once the store was read. */
  async refuseService(
    { orgId, ownLimits }: Pick<Sender, "orgId" | "ownLimits">,
    service: string,
  ): Promise<Refusal | undefined> {
    if (ownLimits === undefined || this.#services.isKnown(orgId, service)) return undefined;
    return this.#services.admit(orgId, service, limitOf(this.#config, { orgId, ownLimits }, "services"));
  }

  /** Reads what is stored again with the next uploads, because something was removed. */
  noteRemoval(): void {
    this.storedBytes.noteRemoval();
    this.#services.noteRemoval();
  }
}
