import type { Context } from "#context";
import type { Refusal } from "#ingest/upload/refusal.ts";
import { utcDayOf } from "#store/column/utc.ts";
import { limitOf } from "#store/row/organization-limits.ts";
import type { Sender } from "./sender.ts";
import { ServiceLimit } from "./service-limit.ts";
import { type ReservedBytes, StoredBytesLimit } from "./stored-bytes.ts";
import { UploadRates } from "./upload-rates.ts";

/** Uploads, bytes and services of an organization at one server since the others were notified. */
interface Usage {
  uploads: number;
  bytes: number;
  /** Days (UTC) of the uploads. */
  days: readonly string[];
  /** Services that were new to the server. */
  readonly services: string[];
}

type UsageByOrganization = Readonly<Record<string, Usage>>;

/** The limits of organizations that their uploads meet. The limits come with the key of the sender, which was looked up before. */
export class UploadLimits {
  readonly storedBytes: StoredBytesLimit;
  readonly rates: UploadRates;
  readonly #services: ServiceLimit;
  readonly #config: Context["config"];
  readonly #unshared = new Map<string, Usage>();

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
    const refusal = this.rates.take(orgId, limitOf(this.#config, { orgId, ownLimits }, "uploads_per_minute"));
    if (refusal === undefined) this.#note(orgId, (usage) => usage.uploads++);
    return refusal;
  }

  /** Undefined if the organization may have the service: at once if it is known, else once the store was read. */
  async refuseService(
    { orgId, ownLimits }: Pick<Sender, "orgId" | "ownLimits">,
    service: string,
  ): Promise<Refusal | undefined> {
    if (ownLimits === undefined || this.#services.isKnown(orgId, service)) return undefined;
    const limit = limitOf(this.#config, { orgId, ownLimits }, "services");
    const refusal = await this.#services.admit(orgId, service, limit);
    if (refusal === undefined) this.#note(orgId, ({ services }) => services.push(service));
    return refusal;
  }

  /** See `StoredBytesLimit.noteAccepted`. */
  noteAccepted(orgId: string, bytes: number, startsMs: readonly number[]): void {
    const days = [...new Set(startsMs.map(utcDayOf))];
    this.storedBytes.noteAccepted(orgId, bytes, days);
    this.#note(orgId, (usage) => {
      usage.bytes += bytes;
      usage.days = [...new Set([...usage.days, ...days])];
    });
  }

  /** Returns once what other servers do not know yet; undefined if there is nothing. */
  takeUnshared(): UsageByOrganization | undefined {
    if (this.#unshared.size === 0) return undefined;
    const usage = Object.fromEntries(this.#unshared);
    this.#unshared.clear();
    return usage;
  }

  readonly together = (a: UsageByOrganization, b: UsageByOrganization): UsageByOrganization => {
    const sum: Record<string, Usage> = { ...a };
    for (const [orgId, { uploads, bytes, days, services }] of Object.entries(b)) {
      const before = sum[orgId] ?? noUsage();
      sum[orgId] = {
        uploads: before.uploads + uploads,
        bytes: before.bytes + bytes,
        days: [...new Set([...before.days, ...days])],
        services: [...before.services, ...services],
      };
    }
    return sum;
  };

  /** Services remain. Uploads count in their minute, and the bytes are read from the store by then. */
  readonly lasting = (usage: UsageByOrganization): UsageByOrganization | undefined => {
    const services = Object.entries(usage).flatMap(([orgId, used]) =>
      used.services.length === 0 ? [] : [[orgId, { ...noUsage(), services: used.services }] as const],
    );
    return services.length === 0 ? undefined : Object.fromEntries(services);
  };

  /** Servers of an earlier version send no days. */
  noteOthers(usage: Readonly<Record<string, Omit<Usage, "days"> & Partial<Pick<Usage, "days">>>>): void {
    for (const [orgId, { uploads, bytes, days, services }] of Object.entries(usage)) {
      this.rates.noteOthers(orgId, uploads);
      this.storedBytes.noteAccepted(orgId, bytes, days ?? []);
      for (const service of services) this.#services.noteOther(orgId, service);
    }
  }

  #note(orgId: string, change: (usage: Usage) => void): void {
    if (this.#config.cluster === undefined) return;
    const usage = this.#unshared.get(orgId) ?? noUsage();
    change(usage);
    this.#unshared.set(orgId, usage);
  }

  /** Reads what is stored again with the next uploads, because something was removed. */
  noteRemoval(): void {
    this.storedBytes.noteRemoval();
    this.#services.noteRemoval();
  }
}

function noUsage(): Usage {
  return { uploads: 0, bytes: 0, days: [], services: [] };
}
