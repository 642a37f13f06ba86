import { type Failure, unavailable } from "#failure";
import { DayUnavailable } from "#store/payloads/day-unavailable.ts";
import type { FailedDay } from "#store/payloads/payload-store.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import type { BatchItem } from "./batch.ts";

/** The payload of an upload could not be written because of its day. Its stacks and frames are stored. */
export class DayNotWritten extends DayUnavailable {
  /** The same bytes in other memory. */
  readonly payload: Uint8Array | undefined;

  constructor({ day, fault, payloads }: FailedDay, { orgId, profileId }: BatchItem) {
    super("stored", day, fault);
    const same = payloads.find((each) => each.orgId === orgId && each.profileId === profileId);
    this.payload = same?.bytes;
  }
}

/** The snapshot that this one was compared with is not stored. The stacks and frames of this one are. */
export class BaseRejected extends StoreUnavailable {
  /** Undefined where it is written already. */
  readonly payload: Uint8Array | undefined;

  constructor(payload?: Uint8Array) {
    super("The snapshot that this one was compared with could not be stored.");
    this.payload = payload;
  }
}

export function beingRemoved(service: string): Failure {
  return unavailable(`The service ${service} is being deleted. Send it again in a moment.`, undefined, 5);
}

export function dependencyNotStored(): StoreUnavailable {
  return new StoreUnavailable("A batch this upload builds on could not be stored.");
}
