import type { ReadFormat } from "#store/column/engine/protocol.ts";
import { hourOf } from "#store/column/utc.ts";
import { LruCache } from "#store/lru.ts";
import type { Changes, ReadScope } from "./changes.ts";

interface CachedRead {
  /** The version of the scope before the read. */
  readonly version: number;
  readonly bytes: Promise<Buffer>;
}

/** An entry's approximate size without its key and its result. */
const entryBytes = 300;

interface CacheableStatement {
  readonly sql: string;
}

/**
 * Results of reads, as the store sent them, up to a number of bytes. A result is used again as long as no row in the
 * scope of its query has changed. Reads that run are shared.
 */
export class ReadCache {
  readonly #changes: Changes;
  readonly #cache: LruCache<CachedRead>;
  readonly #bytesMax: number;
  readonly #ids = new WeakMap<CacheableStatement, number>();
  readonly #running = new Map<string, CachedRead>();
  #statements = 0;

  constructor(changes: Changes, bytesMax: number) {
    this.#changes = changes;
    this.#bytesMax = bytesMax;
    this.#cache = new LruCache(bytesMax);
  }

  read(
    statement: CacheableStatement,
    params: unknown,
    format: ReadFormat,
    run: () => Promise<Buffer>,
  ): Promise<Buffer> {
    const scope = scopeOf(params);
    if (scope === undefined) return run();
    const version = this.#changes.versionOf(scope);
    if (version === undefined) return run();
    const key = `${this.#idOf(statement)} ${format} ${JSON.stringify(params, bigintsAsText)}`;
    const found = this.#running.get(key) ?? this.#cache.get(key);
    if (found?.version === version) return found.bytes;
    const started = { version, bytes: run() };
    this.#running.set(key, started);
    const end = (bytes?: Buffer): void => {
      if (this.#running.get(key) === started) this.#running.delete(key);
      if (bytes !== undefined) this.#keep(key, version, bytes);
    };
    started.bytes.then(end, () => end());
    return started.bytes;
  }

  #keep(key: string, version: number, bytes: Buffer): void {
    const weight = key.length * 2 + bytes.length + entryBytes;
    if (weight > this.#bytesMax / 4) return;
    // A copy, because the bytes may be a small part of a large piece of memory.
    const copy = Buffer.allocUnsafeSlow(bytes.length);
    bytes.copy(copy);
    this.#cache.set(key, { version, bytes: Promise.resolve(copy) }, weight);
  }

  #idOf(statement: CacheableStatement): number {
    const id = this.#ids.get(statement) ?? ++this.#statements;
    this.#ids.set(statement, id);
    return id;
  }
}

function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}

/**
 * The rows that a query with these parameters reads. By convention, parameters are named alike in all queries: `orgId`; `service`,
 * where "" means all; a range from `from`, `fromSeconds` or `fromMs` until before `to`, `toSeconds` or `toMs`; and `hours`.
 */
export function scopeOf(params: unknown): ReadScope | undefined {
  const named = params as Readonly<Record<string, unknown>>;
  const { orgId, service, hours } = named;
  if (typeof orgId !== "string") return undefined;
  return {
    orgId,
    ...(typeof service === "string" && service !== "" ? { service } : {}),
    ...hoursBetween(secondsOf(named, "from"), secondsOf(named, "to"), hours),
  };
}

function secondsOf(named: Readonly<Record<string, unknown>>, name: "from" | "to"): number | undefined {
  const { [name]: time, [`${name}Seconds`]: seconds, [`${name}Ms`]: ms } = named;
  if (time instanceof Date) return time.getTime() / 1000;
  if (typeof seconds === "number") return seconds;
  return typeof ms === "number" ? ms / 1000 : undefined;
}

function hoursBetween(
  from: number | undefined,
  to: number | undefined,
  hours: unknown,
): Pick<ReadScope, "firstHour" | "lastHour"> {
  if (from !== undefined && to !== undefined) {
    return { firstHour: hourOf(Math.floor(from)), lastHour: hourOf(Math.ceil(to) - 1) };
  }
  if (!Array.isArray(hours) || hours.length === 0) return {};
  const starts = hours as readonly number[];
  return { firstHour: Math.min(...starts), lastHour: Math.max(...starts) };
}
