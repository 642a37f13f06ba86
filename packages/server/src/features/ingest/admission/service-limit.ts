import { minuteMs } from "@flamekeep/contract/durations";
import type { Log } from "#context";
import type { Refusal } from "#ingest/upload/refusal.ts";
import type { ColumnReader } from "#store/column/query.ts";
import { JobLog } from "#store/job-log.ts";
import { storedServices } from "#store/profiles/stored-usage.ts";
import { type Limit, raising } from "#store/row/organization-limits.ts";

/** Services that ended are noticed after this time by an organization at its limit. */
const refreshMs = minuteMs;
/** Rows of a new service are stored by then. */
const unstoredMsMax = 2 * minuteMs;

interface Known {
  services: Set<string>;
  /** New services, and when they came: the store may not have them yet. */
  readonly added: Map<string, number>;
  /** Undefined before the first time. */
  readAtMs: number | undefined;
  reading: Promise<void> | undefined;
}

interface Dependencies {
  readonly store: Pick<ColumnReader, "query">;
  readonly log: Pick<Log, "warn">;
  /** Monotonic milliseconds from any moment on. */
  readonly elapsedMs: () => number;
}

/**
 * Limits the services of an organization. An upload of a known service costs a look-up in memory. The store is read at the first
 * upload of an organization, and at most once a minute while new services are refused.
 */
export class ServiceLimit {
  readonly #dependencies: Dependencies;
  readonly #jobLog: JobLog;
  readonly #organizations = new Map<string, Known>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#jobLog = new JobLog(dependencies.log, "the count of an organization's services");
  }

  isKnown(orgId: string, service: string): boolean {
    return this.#organizations.get(orgId)?.services.has(service) ?? false;
  }

  /** Makes the service known unless it is refused. Nothing else runs between the check and that. */
  async admit(orgId: string, service: string, limit: Limit): Promise<Refusal | undefined> {
    const known = this.#knownOf(orgId);
    if (this.#isDue(known, limit)) await this.#refresh(orgId, known);
    if (known.services.has(service)) return undefined;
    if (known.services.size >= limit.value) return tooMany(service, known.services.size, limit);
    known.services.add(service);
    known.added.set(service, this.#dependencies.elapsedMs());
    return undefined;
  }

  /** Another server has taken profiles of the service. */
  noteOther(orgId: string, service: string): void {
    const known = this.#knownOf(orgId);
    known.services.add(service);
    known.added.set(service, this.#dependencies.elapsedMs());
  }

  /** The store is read again with the next uploads, because something was removed. */
  noteRemoval(): void {
    this.#organizations.clear();
  }

  #knownOf(orgId: string): Known {
    const found = this.#organizations.get(orgId);
    if (found !== undefined) return found;
    const none = { services: new Set<string>(), added: new Map(), readAtMs: undefined, reading: undefined };
    this.#organizations.set(orgId, none);
    return none;
  }

  #isDue({ services, readAtMs }: Known, limit: Limit): boolean {
    if (readAtMs === undefined) return true;
    return services.size >= limit.value && this.#dependencies.elapsedMs() - readAtMs >= refreshMs;
  }

  #refresh(orgId: string, known: Known): Promise<void> {
    known.reading ??= this.#read(orgId, known).finally(() => {
      known.reading = undefined;
    });
    return known.reading;
  }

  async #read(orgId: string, known: Known): Promise<void> {
    const { store, elapsedMs } = this.#dependencies;
    try {
      const rows = await store.query(storedServices, { orgId });
      for (const [service, atMs] of known.added) {
        if (elapsedMs() - atMs > unstoredMsMax) known.added.delete(service);
      }
      known.services = new Set([...rows.map(({ service }) => service), ...known.added.keys()]);
      this.#jobLog.succeeded();
    } catch (error) {
      // Uploads go on with what is known: a profile is worth more than an exact limit.
      this.#jobLog.failed(error, { orgId });
    }
    known.readAtMs = elapsedMs();
  }
}

function tooMany(service: string, count: number, limit: Limit): Refusal {
  return {
    code: "quota_exceeded",
    reason: "organization_services",
    message: `Your organization has ${count} services; its limit is ${limit.value}, and ${service} would be a further one. Delete a service, or ${raising(limit)}.`,
  };
}
