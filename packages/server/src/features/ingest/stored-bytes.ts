import { z } from "zod";
import type { Log } from "#context";
import type { ColumnStore } from "#store/column/column-store.ts";
import { question } from "#store/column/question.ts";
import { Count } from "#store/column/values.ts";
import type { Refusal } from "./refusal.ts";

const refreshMs = 60_000;

/** As sent, of everything that is kept; from the totals by minute. */
const storedBytesOf = question({
  name: "ingest.stored_bytes",
  sql: `SELECT sum(stored_bytes) AS bytes FROM type_totals_1m WHERE org_id = {orgId:UUID} AND sample_type = ''`,
  params: z.object({ orgId: z.uuid() }),
  row: z.object({ bytes: Count }),
});

interface Usage {
  bytes: number;
  readAtMs: number;
  /** Accepted while the sum is being read: the sum may lack it. */
  acceptedSince: number;
  reading: Promise<void> | undefined;
}

interface Dependencies {
  readonly store: Pick<ColumnStore, "ask">;
  readonly log: Pick<Log, "warn">;
  readonly now: () => Date;
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

  constructor(dependencies: Dependencies) {
    this.#with = dependencies;
  }

  /** Waits for the store at the first upload of an organization only. */
  async refusalOf(orgId: string, bytes: number): Promise<Refusal | undefined> {
    const { bytesMax, now } = this.#with;
    if (bytesMax === undefined) return undefined;
    let usage = this.#usages.get(orgId);
    if (usage === undefined) {
      usage = { bytes: 0, readAtMs: 0, acceptedSince: 0, reading: undefined };
      this.#usages.set(orgId, usage);
    }
    if (usage.readAtMs === 0) await this.#refresh(orgId, usage);
    else if (now().getTime() - usage.readAtMs >= refreshMs) void this.#refresh(orgId, usage);
    return usage.bytes + bytes > bytesMax ? quotaExceeded(usage.bytes, bytesMax) : undefined;
  }

  accepted(orgId: string, bytes: number): void {
    const usage = this.#usages.get(orgId);
    if (usage === undefined) return;
    usage.bytes += bytes;
    usage.acceptedSince += bytes;
  }

  #refresh(orgId: string, usage: Usage): Promise<void> {
    usage.reading ??= this.#read(orgId, usage).finally(() => {
      usage.reading = undefined;
    });
    return usage.reading;
  }

  async #read(orgId: string, usage: Usage): Promise<void> {
    const { store, log, now } = this.#with;
    usage.acceptedSince = 0;
    try {
      const [row] = await store.ask(storedBytesOf, { orgId });
      usage.bytes = (row?.bytes ?? 0) + usage.acceptedSince;
    } catch (error) {
      // A profile is worth more than an exact sum: the last one counts on.
      log.warn({ err: error, orgId }, "the stored bytes of an organization could not be read");
    }
    usage.readAtMs = now().getTime();
  }
}

function quotaExceeded(bytes: number, bytesMax: number): Refusal {
  return {
    code: "quota_exceeded",
    reason: "organization_stored_bytes",
    message: `Your organization keeps ${bytes} bytes of profiles, and this server allows it ${bytesMax}. Keep fewer days (PUT /api/v1/protected/organization/retention), delete a service, or ask the server's operator to raise ORG_STORED_BYTES_MAX.`,
  };
}
