import { minuteMs } from "@flamekeep/contract/durations";
import type { Cluster } from "#cluster/cluster.ts";
import type { OwnedScope } from "#cluster/owner.ts";
import type { Log } from "#context";
import { Failure, isPassing } from "#failure";
import { StoreUnavailable } from "#store/unavailable.ts";

/**
 * Uploads in the log that their owners do not take now. Later ones of the same owner or service wait with them, so that the uploads of a
 * service keep their order.
 */
export class RefusedUploads<U> {
  readonly #log: Pick<Log, "warn">;
  readonly #blocked = new Set<string>();
  readonly #loggedMs = new Map<string, number>();
  #uploads: U[] = [];
  /** Why the latest one was refused, for reads that need its rows. */
  latest: Failure | StoreUnavailable | undefined;

  constructor(log: Pick<Log, "warn">) {
    this.#log = log;
  }

  get size(): number {
    return this.#uploads.length;
  }

  /** Returns all, to be tried again. */
  takeAll(): readonly U[] {
    this.#blocked.clear();
    return this.#uploads.splice(0);
  }

  isBlocked(cluster: Cluster, scope: OwnedScope): boolean {
    return this.#blocked.has(keyOf(scope)) || this.#blocked.has(cluster.ownerOf(scope).id);
  }

  add(upload: U, cluster: Cluster, scope: OwnedScope): void {
    this.#uploads.push(upload);
    this.#blocked.add(keyOf(scope));
    this.#blocked.add(cluster.ownerOf(scope).id);
  }

  /** Logs a refusal, once a minute for each owner. Throws the error if it may not pass. */
  noteRefusal(error: unknown, cluster: Cluster, { orgId, service }: OwnedScope): void {
    if (!(error instanceof StoreUnavailable || isPassing(error))) throw error;
    const { id, address } = cluster.ownerOf({ orgId, service });
    const { message: reason } = error;
    const sentence = `The server at ${address} does not take profiles that wait in a log: ${reason}`;
    const code = error instanceof Failure && error.code === "disk_full" ? error.code : "unavailable";
    this.latest =
      error instanceof Failure ? new Failure(code, sentence, { cause: error, retryAfterSeconds: 5 }) : error;
    const nowMs = performance.now();
    if (nowMs < (this.#loggedMs.get(id) ?? Number.NEGATIVE_INFINITY) + minuteMs) return;
    this.#loggedMs.set(id, nowMs);
    const text =
      "acknowledged uploads wait in the log: the server that owns their service does not take them";
    this.#log.warn({ orgId, service, owner: address, reason }, text);
  }
}

function keyOf({ orgId, service }: OwnedScope): string {
  return `${orgId}/${service}`;
}
