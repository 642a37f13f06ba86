import { setTimeout as sleep } from "node:timers/promises";
import { Failure, unavailable } from "#failure";
import { listedIdOf } from "#ingest/encode/profile-id.ts";
import type { Encoded } from "#ingest/rows/encoded.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import type { BatchItem } from "./batch.ts";
import type { CommitterParts } from "./committer-parts.ts";
import type { Committed } from "./pending-item.ts";
import { splitStored } from "./stored-items.ts";

/** The snapshot that this one was compared with is not stored. The stacks and frames of this one are. */
export class BaseRejected extends StoreUnavailable {
  /** Undefined where it is written already. */
  readonly payload: Uint8Array | undefined;

  constructor(payload?: Uint8Array) {
    super("The snapshot that this one was compared with could not be stored.");
    this.payload = payload;
  }
}

export function serviceBeingRemoved(service: string): Failure {
  return unavailable(`The service ${service} is being deleted. Send it again in a moment.`, undefined, 5);
}

export function dependencyNotStored(): StoreUnavailable {
  return new StoreUnavailable("A batch this upload builds on could not be stored.");
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

/** Removes the payloads of items whose rows a full disk refused, so that they take none of the remaining room. */
export async function removePayloads(
  items: readonly BatchItem[],
  { store, payloads, log }: Pick<CommitterParts, "store" | "payloads" | "log">,
): Promise<void> {
  try {
    const { missing } = await splitStored(store, items, (item) => item);
    for (const [orgId, itemsOfOrg] of Map.groupBy(missing, (item) => item.orgId)) {
      await payloads.remove(
        orgId,
        itemsOfOrg.flatMap(({ profileId, listedTypes = [] }) => [
          profileId,
          ...listedTypes.map((type) => listedIdOf(profileId, type)),
        ]),
      );
    }
  } catch (error) {
    // The payloads remain until their day is removed, or the profile is sent again.
    log.warn({ err: error, profiles: items.length }, "the payloads of refused uploads could not be removed");
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
  const message = `${place}: ${error.message} Profiles of the request to which this does not apply were stored.`;
  return new Failure(error.code, message, { cause: error });
}

function isRefusal(error: unknown): error is Failure {
  return error instanceof Failure && error.code === "unprocessable";
}
