import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { ignoreMissing } from "#store/data-folder.ts";
import type { ObjectFacts, ObjectStore } from "#store/objects/object-store.ts";
import { StoreRefused } from "#store/unavailable.ts";

/** In the data folder: leases of its backup, also of killed ones. */
const ownLeases = "backup-lease";
const leasePrefix = "leases/";
/** Failed backups whose leases are remembered. */
const endedMax = 20;

export interface LeaseTiming {
  readonly refreshMs: number;
  /** After so long without a refresh, the process has ended. */
  readonly silentMsMax: number;
}

const timingDefault: LeaseTiming = { refreshMs: 60_000, silentMsMax: 600_000 };

export interface Lease extends AsyncDisposable {
  /** Whether an earlier backup ended in the middle. */
  readonly hasLeftovers: boolean;
  /** Throws StoreRefused if another backup has taken over. */
  ensure(): Promise<void>;
  /** Before anything is stored: the lease stays until `end` was called, for the next backup to see. */
  begin(): void;
  /** Once nothing is left to remove. */
  end(): void;
}

/**
 * The lock of object storage, which has no locks: each backup first writes an object, and then looks for the objects of others; of two at
 * once, at least one sees the other and gives up. All storages have strongly consistent lists, but not all have conditional writes. The
 * object is written again every minute; the storage's times tell which backups have ended without removing it. Those of this data
 * folder, whose lock the caller has, have ended in any case.
 */
export async function takeLease(
  store: ObjectStore,
  dataDir: string,
  { refreshMs, silentMsMax }: LeaseTiming = timingDefault,
): Promise<Lease> {
  const file = join(dataDir, ownLeases);
  const ended = ((await readFile(file, "utf8").catch(ignoreMissing)) ?? "").split("\n").filter(Boolean);
  const key = leasePrefix + randomUUID();
  const write = () => store.put(key, Buffer.from(JSON.stringify({ host: hostname() })));
  await writeFile(file, [...ended.slice(-endedMax), key].join("\n"), { mode: 0o600 });
  await write();
  const dead = await deadLeases(store, key, (other, own) => {
    return ended.includes(other.key) || own.changedMs - other.changedMs > silentMsMax;
  });
  if (dead === undefined) {
    await store.remove(key);
    throw new StoreRefused(
      `Another backup uses ${store.url}: wait for its end. One that was killed with its machine is forgotten after ${Math.round(silentMsMax / 60_000)} minutes.`,
    );
  }

  const isLost = async () => (await store.head(key)) === undefined;
  const refresh = async () => {
    if (!(await isLost())) await write();
  };
  const timer = repeat(refresh, refreshMs);
  let state: "unused" | "begun" | "ended" = "unused";
  return {
    hasLeftovers: dead.length > 0,
    async ensure() {
      if (!(await isLost())) return;
      throw new StoreRefused(
        `Another backup has taken over ${store.url}, because this one did not answer for a long time. Start it again.`,
      );
    },
    begin() {
      state = "begun";
    },
    end() {
      state = "ended";
    },
    async [Symbol.asyncDispose]() {
      await timer[Symbol.asyncDispose]();
      if (state === "begun") return;
      if (state === "ended") for (const lease of dead) await store.remove(lease);
      await store.remove(key);
      await (state === "ended" || ended.length === 0 ? rm(file) : writeFile(file, ended.join("\n")));
    },
  };
}

type IsDead = (other: ObjectFacts, own: ObjectFacts) => boolean;

/** The keys of the other leases; undefined if one of them is alive. */
async function deadLeases(store: ObjectStore, key: string, isDead: IsDead): Promise<string[] | undefined> {
  const leases: ObjectFacts[] = [];
  for await (const lease of store.list(leasePrefix)) leases.push(lease);
  const own = leases.find((lease) => lease.key === key);
  const others = leases.filter((lease) => lease.key !== key);
  if (own === undefined || !others.every((other) => isDead(other, own))) return undefined;
  return others.map((other) => other.key);
}

/** Calls the task until it is disposed of. */
function repeat(task: () => Promise<void>, everyMs: number): AsyncDisposable {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    // Without an answer of the storage, the next call decides, or `ensure`.
    running = task().catch(() => {});
  }, everyMs);
  timer.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
    },
  };
}
