import type { Log } from "#context";
import type { ColumnStore } from "#store/column/column-store.ts";
import { storedBytesOf } from "./queries.ts";
import type { Refusal } from "./refusal.ts";

const refreshMs = 60_000;

interface Usage {
  bytes: number;
  /** Of uploads that are on their way. */
  reserved: number;
  /** Undefined before the first sum. */
  readAtMs: number | undefined;
  /** Accepted while the sum is being read: the sum may lack it. */
  acceptedSince: number;
  reading: Promise<void> | undefined;
}

/** Bytes of one upload that count towards the limit until it is stored or refused. */
export class ReservedBytes {
  readonly #usage: Pick<Usage, "bytes" | "reserved"> | undefined;
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(usage: Pick<Usage, "bytes" | "reserved"> | undefined, bytesMax: number) {
    this.#usage = usage;
    this.#bytesMax = bytesMax;
  }

  /** Reserves more, or says why not and leaves everything as it was. */
  grow(bytes: number): Refusal | undefined {
    if (this.#usage === undefined) return undefined;
    const own = this.#bytes + bytes;
    const stored = this.#usage.bytes + this.#usage.reserved - this.#bytes;
    if (own > this.#bytesMax) return uploadTooLarge(own, this.#bytesMax);
    if (stored + own > this.#bytesMax) return quotaExceeded(stored, this.#bytesMax);
    this.#usage.reserved += bytes;
    this.#bytes = own;
    return undefined;
  }

  /** A second call does nothing. */
  release(): void {
    if (this.#usage !== undefined) this.#usage.reserved -= this.#bytes;
    this.#bytes = 0;
  }
}

interface Dependencies {
  readonly store: Pick<ColumnStore, "ask">;
  readonly log: Pick<Log, "warn">;
  /** In milliseconds from any moment on. It never goes back, as the wall clock may. */
  readonly elapsedMs: () => number;
  /** Undefined: no limit. */
  readonly bytesMax: number | undefined;
}

/**
 * Bounds what an organization keeps. An upload costs an addition in memory; once a minute the sum is read from the
 * store, which knows what retention and deletions took away. Several servers notice each other's uploads then.
 */
export class StoredBytesLimit {
  readonly #with: Dependencies;
  readonly #usages = new Map<string, Usage>();
  #removals = 0;

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
  }

  /**
   * Waits for the store at the first upload of an organization only. Between the check and the reservation nothing else
   * runs, so that parallel uploads cannot exceed the limit together.
   */
  async reserve(orgId: string, bytes: number): Promise<ReservedBytes | Refusal> {
    const { bytesMax, elapsedMs } = this.#with;
    if (bytesMax === undefined) return new ReservedBytes(undefined, Number.POSITIVE_INFINITY);
    let usage = this.#usages.get(orgId);
    if (usage === undefined) {
      usage = { bytes: 0, reserved: 0, readAtMs: undefined, acceptedSince: 0, reading: undefined };
      this.#usages.set(orgId, usage);
    }
    if (usage.readAtMs === undefined) await this.#refresh(orgId, usage);
    else if (elapsedMs() - usage.readAtMs >= refreshMs) void this.#refresh(orgId, usage);
    const reserved = new ReservedBytes(usage, bytesMax);
    return reserved.grow(bytes) ?? reserved;
  }

  accepted(orgId: string, bytes: number): void {
    const usage = this.#usages.get(orgId);
    if (usage === undefined) return;
    usage.bytes += bytes;
    usage.acceptedSince += bytes;
  }

  /** Reads the sums again with the next uploads, because something was removed. */
  removed(): void {
    this.#removals++;
    for (const usage of this.#usages.values()) {
      if (usage.readAtMs !== undefined) usage.readAtMs = Number.NEGATIVE_INFINITY;
    }
  }

  #refresh(orgId: string, usage: Usage): Promise<void> {
    usage.reading ??= this.#read(orgId, usage).finally(() => {
      usage.reading = undefined;
    });
    return usage.reading;
  }

  async #read(orgId: string, usage: Usage): Promise<void> {
    const { store, log, elapsedMs } = this.#with;
    usage.acceptedSince = 0;
    const removals = this.#removals;
    try {
      const [row] = await store.ask(storedBytesOf, { orgId });
      usage.bytes = (row?.bytes ?? 0) + usage.acceptedSince;
    } catch (error) {
      // A profile is worth more than an exact sum: the last one counts on.
      log.warn({ err: error, orgId }, "the stored bytes of an organization could not be read");
    }
    // A sum that began before a removal may still count what was removed.
    usage.readAtMs = removals === this.#removals ? elapsedMs() : Number.NEGATIVE_INFINITY;
  }
}

function quotaExceeded(bytes: number, bytesMax: number): Refusal {
  return {
    code: "quota_exceeded",
    reason: "organization_stored_bytes",
    message: `Your organization keeps ${bytes} bytes of profiles, and this server allows it ${bytesMax}. Keep fewer days (PUT /api/v1/protected/organization/retention), delete a service, or ask the server's operator to raise ORG_STORED_BYTES_MAX.`,
  };
}

function uploadTooLarge(bytes: number, bytesMax: number): Refusal {
  return {
    code: "quota_exceeded",
    reason: "organization_stored_bytes",
    message: `This upload alone has ${bytes} bytes or more, and this server allows your organization to keep ${bytesMax} bytes of profiles. Send smaller profiles, or ask the server's operator to raise ORG_STORED_BYTES_MAX.`,
  };
}
