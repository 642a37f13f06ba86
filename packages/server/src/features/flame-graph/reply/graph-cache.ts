import type { Context } from "#context";
import { LruCache } from "#store/lru.ts";

/** With the graphs of ranges that were drawn. */
export interface GraphContext extends Context {
  readonly graphCache: GraphCache;
}

/** About what an entry takes in addition to its bytes. */
const entryBytes = 500;

/**
 * The last flame graphs that were drawn of ranges, up to a number of bytes. An entity tag names the same bytes as long as nothing is
 * removed: it changes with the number of profiles and their total.
 */
export class GraphCache {
  readonly #columns: Pick<Context["columns"], "removalVersion">;
  readonly #cache: LruCache<Uint8Array>;
  readonly #bytesMax: number;

  constructor(columns: Pick<Context["columns"], "removalVersion">, bytesMax: number) {
    this.#columns = columns;
    this.#bytesMax = bytesMax;
    this.#cache = new LruCache(bytesMax);
  }

  get(orgId: string, etag: string): Uint8Array | undefined {
    return this.#cache.get(this.#keyOf(orgId, etag));
  }

  /**
   * Keeps a graph, unless it is too large or something was removed since it was read.
   *
   * @param removalVersion from before the graph was read
   */
  set(orgId: string, etag: string, bytes: Uint8Array, removalVersion: number): void {
    const weight = bytes.length + entryBytes;
    if (weight > this.#bytesMax / 4 || removalVersion !== this.#columns.removalVersion()) return;
    this.#cache.set(this.#keyOf(orgId, etag), bytes, weight);
  }

  #keyOf(orgId: string, etag: string): string {
    return `${this.#columns.removalVersion()} ${orgId} ${etag}`;
  }
}
