import { setTimeout as sleep } from "node:timers/promises";
import { Failure, unavailable } from "#failure";
import type { Encoded } from "#ingest/rows/encoded.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import type { BatchItem } from "./batch.ts";
import type { Committed } from "./pending-item.ts";

/** The snapshot that this one was compared with is not stored. The stacks and frames of this one are. */
export class BaseRejected extends StoreUnavailable {
  /** Undefined where it is written already. */
  readonly payload: Uint8Array | undefined;

  constructor(payload?: Uint8Array) {
    super("The previous snapshot could not be stored.");
    this.payload = payload;
  }
}

export function serviceBeingRemoved(service: string): Failure {
  return unavailable(`The service ${service} is being deleted. Send it again in a moment.`, undefined, 5);
}

export function serviceWasRemoved(service: string): Failure {
  return new Failure("unprocessable", `The service ${service} was deleted after this upload came.`);
}

export function stopping(): StoreUnavailable {
  return new StoreUnavailable("The server is stopping.");
}

/** Senders wait longer than this. */
const retriedMsMax = 5000;
const retryMs = 200;

/** Commits again when a snapshot has to be compared again because its base was rejected. Other items do not wait for it. */
export async function retryCommit(
  item: BatchItem,
  commit: (item: BatchItem) => Promise<Committed>,
): Promise<Committed> {
  const giveUpAt = performance.now() + retriedMsMax;
  for (let next = item; ; ) {
    try {
      return await commit(next);
    } catch (error) {
      if (!(error instanceof BaseRejected) || performance.now() >= giveUpAt) throw error;
      const { frames: _frames, stacks: _stacks, ...rows } = next.rows;
      next = { ...next, rows, payload: error.payload };
      await sleep(retryMs);
    }
  }
}

/**
 * The error for a request that was not stored completely: preferably a failure after which the sender retries, otherwise the
 * refusal with the place of its profile in the request.
 */
export function requestFailure(
  encoded: readonly Encoded[],
  results: readonly PromiseSettledResult<unknown>[],
): unknown {
  const failed = results.flatMap((result, i) =>
    result.status === "rejected" ? [{ error: result.reason as unknown, place: encoded[i]?.place }] : [],
  );
  const { error, place } = failed.find((failure) => !isRefusal(failure.error)) ?? failed[0]!;
  if (place === undefined || !isRefusal(error)) return error;
  const message = `${place}: ${error.message} The other profiles of the request were stored.`;
  return new Failure(error.code, message, { cause: error });
}

export function tooLate(): Failure {
  return unavailable("The store did not answer in time. Send the profile again in a moment.", undefined, 5);
}

function isRefusal(error: unknown): error is Failure {
  return error instanceof Failure && (error.code === "unprocessable" || error.code === "quota_exceeded");
}

/**
 * Stacks and frames are sent to the store once for each organization and day, with the first upload that has them. When
 * such an upload is not stored and its definitions are not either, a new generation begins for its organization:
 * uploads of the earlier one may refer to lost definitions and are encoded again; uploads of the new one bring all they need.
 */
export class DefinitionLosses {
  readonly #generations = new Map<string, number>();
  /** The first generation whose definitions are not lost. */
  readonly #intact = new Map<string, number>();

  generationOf(orgId: string): number {
    return this.#generations.get(orgId) ?? 0;
  }

  /** Whether the item's organization lost definitions that the item may refer to. */
  areAffecting({
    orgId,
    definitionsGeneration,
  }: Pick<BatchItem, "orgId" | "definitionsGeneration">): boolean {
    return definitionsGeneration < (this.#intact.get(orgId) ?? 0);
  }

  add(orgId: string): void {
    this.renew(orgId, this.generationOf(orgId));
    this.#intact.set(orgId, this.generationOf(orgId));
  }

  /** Begins a new generation if this is the latest: definitions of it are encoded once more, and stored then. */
  renew(orgId: string, generation: number): void {
    if (generation === this.generationOf(orgId)) this.#generations.set(orgId, generation + 1);
  }
}
