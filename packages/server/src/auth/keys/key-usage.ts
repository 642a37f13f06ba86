import { type FailureCode, limits } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import type { Failure } from "#failure";
import { JobLog } from "#store/job-log.ts";
import type { StoreLog } from "#store/log.ts";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";

interface Key {
  readonly orgId: string;
  readonly keyId: string;
}

interface DayOfKey extends Key {
  /** UTC. */
  readonly day: string;
  profiles: number;
  bytes: number;
  readonly refusals: Map<FailureCode, Refusals>;
}

interface Refusals {
  count: number;
  lastAt: string;
  lastMessage: string;
}

/** How long counts are only in memory: an upload costs an addition, and a killed server loses this much. */
const flushMs = 10_000;
const messageLengthMax = 500;
const keptMs = (limits.apiKeyUsageDays - 1) * dayMs;
const rowsPerInsert = 500;

/** Counts what each API key sends: profiles, bytes and refusals by day. Disposing of it writes what is left. */
export class KeyUsageCounts {
  readonly #rows: RowStore;
  readonly #now: () => Date;
  readonly #jobLog: JobLog;
  #days = new Map<string, DayOfKey>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(rows: RowStore, log: StoreLog, now: () => Date) {
    this.#rows = acrossOrganizations(rows);
    this.#now = now;
    this.#jobLog = new JobLog(log, "the count of what API keys send");
  }

  countStored(key: Key, profiles: number, bytes: number): void {
    const today = this.#today(key);
    today.profiles += profiles;
    today.bytes += bytes;
  }

  countRefused(key: Key, { code, message }: Pick<Failure, "code" | "message">): void {
    const { refusals } = this.#today(key);
    const count = (refusals.get(code)?.count ?? 0) + 1;
    // PostgreSQL refuses NUL, which a message may repeat from a request.
    const lastMessage = message.slice(0, messageLengthMax).replaceAll("\0", "").toWellFormed();
    refusals.set(code, { count, lastAt: this.#now().toISOString(), lastMessage });
  }

  /** Writes the counts so far. Counts that cannot be written are kept for the next time. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
  }

  #today({ orgId, keyId }: Key): DayOfKey {
    const day = this.#now().toISOString().slice(0, 10);
    const id = `${keyId} ${day}`;
    let counts = this.#days.get(id);
    if (counts === undefined) {
      counts = { orgId, keyId, day, profiles: 0, bytes: 0, refusals: new Map() };
      this.#days.set(id, counts);
      this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref();
    }
    return counts;
  }

  async #write(): Promise<void> {
    if (this.#days.size === 0) return;
    const taken = [...this.#days.values()];
    this.#days = new Map();
    try {
      while (taken.length > 0) {
        const part = taken.slice(0, rowsPerInsert);
        await this.#rows.transaction().execute((rows) => writePart(rows, part));
        taken.splice(0, part.length);
      }
      this.#jobLog.succeeded();
    } catch (error) {
      this.#jobLog.failed(error);
      for (const counts of taken) this.#putBack(counts);
      this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref();
    }
  }

  #putBack(counts: DayOfKey): void {
    const id = `${counts.keyId} ${counts.day}`;
    const newer = this.#days.get(id);
    this.#days.set(id, newer === undefined ? counts : sumOf(counts, newer));
  }
}

function sumOf(older: DayOfKey, newer: DayOfKey): DayOfKey {
  const refusals = new Map(older.refusals);
  for (const [code, refused] of newer.refusals) {
    refusals.set(code, { ...refused, count: refused.count + (refusals.get(code)?.count ?? 0) });
  }
  return {
    ...newer,
    profiles: older.profiles + newer.profiles,
    bytes: older.bytes + newer.bytes,
    refusals,
  };
}

/** The first day (UTC) whose counts are kept and shown. */
export function firstUsageDay(now: Date): string {
  return new Date(now.getTime() - keptMs).toISOString().slice(0, 10);
}

async function writePart(rows: RowStore, days: readonly DayOfKey[]): Promise<void> {
  const keyIds = [...new Set(days.map(({ keyId }) => keyId))];
  const found = await rows.selectFrom("apiKeys").select("id").where("id", "in", keyIds).execute();
  const existing = new Set(found.map(({ id }) => id));
  const kept = days.filter(({ keyId }) => existing.has(keyId));
  const usage = kept
    .filter(({ profiles, bytes }) => profiles + bytes > 0)
    .map(({ refusals: _refusals, ...counts }) => counts);
  const refusals = kept.flatMap(({ orgId, keyId, day, refusals: byCode }) =>
    [...byCode].map(([code, refused]) => ({ orgId, keyId, day, code, ...refused })),
  );
  if (usage.length > 0) await addUsage(rows, usage);
  if (refusals.length > 0) await addRefusals(rows, refusals);
}

async function addUsage(rows: RowStore, usage: readonly Omit<DayOfKey, "refusals">[]): Promise<void> {
  await rows
    .insertInto("apiKeyUsage")
    .values(usage)
    .onConflict((conflict) =>
      conflict.columns(["orgId", "keyId", "day"]).doUpdateSet((eb) => ({
        profiles: eb("apiKeyUsage.profiles", "+", eb.ref("excluded.profiles")),
        bytes: eb("apiKeyUsage.bytes", "+", eb.ref("excluded.bytes")),
      })),
    )
    .execute();
}

async function addRefusals(
  rows: RowStore,
  refusals: readonly (Key & Refusals & { readonly day: string; readonly code: FailureCode })[],
): Promise<void> {
  await rows
    .insertInto("apiKeyRefusals")
    .values(refusals)
    .onConflict((conflict) =>
      conflict.columns(["orgId", "keyId", "day", "code"]).doUpdateSet((eb) => ({
        count: eb("apiKeyRefusals.count", "+", eb.ref("excluded.count")),
        lastAt: eb.ref("excluded.lastAt"),
        lastMessage: eb.ref("excluded.lastMessage"),
      })),
    )
    .execute();
}
