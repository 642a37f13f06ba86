import type { FastifyRateLimitStore } from "@fastify/rate-limit";
import { minuteMs } from "@flamekeep/contract/durations";

/** Calls of a caller in the minute that began with the first. */
interface Minute {
  startedAtMs: number;
  calls: number;
  /** Calls that other servers do not know yet. */
  unshared: number;
}

/** Numbers of calls by the name of their limit and by caller. */
type SharedCalls = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The callers that a limit remembers. Without a bound, an attacker with many addresses would fill the memory. */
const callersMax = 10_000;
/** In one message to other servers. Those beyond come with the next. */
const callersSharedMax = 5_000;

/** The calls that limits per minute count, here and at other servers. */
export class CallCounts {
  readonly #nowMs: () => number;
  readonly #limits = new Map<string, Map<string, Minute>>();

  /** @param nowMs monotonic milliseconds from any moment on */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Where the limit of this name counts. */
  storeOf(limit: string): FastifyRateLimitStore {
    const store: FastifyRateLimitStore = {
      incr: (caller, done) => {
        const minute = this.#minuteOf(limit, caller);
        minute.calls++;
        minute.unshared++;
        done(null, { current: minute.calls, ttl: minute.startedAtMs + minuteMs - this.#nowMs() });
      },
      child: () => store,
    };
    return store;
  }

  /** Returns once what other servers do not know yet; undefined if there is nothing. */
  takeUnshared(): SharedCalls | undefined {
    const taken: Record<string, Record<string, number>> = {};
    let left = callersSharedMax;
    for (const [limit, minutes] of this.#limits) {
      const calls: Record<string, number> = {};
      for (const [caller, minute] of minutes) {
        if (minute.unshared === 0 || !this.#runs(minute)) continue;
        if (left-- <= 0) return taken;
        calls[caller] = minute.unshared;
        minute.unshared = 0;
        taken[limit] = calls;
      }
    }
    return Object.keys(taken).length === 0 ? undefined : taken;
  }

  /** Calls that did not reach a server, and later ones. They count in the minute in which they reach it. */
  together(a: SharedCalls, b: SharedCalls): SharedCalls {
    const sum: Record<string, Record<string, number>> = { ...a };
    for (const [limit, callers] of Object.entries(b)) {
      const calls = { ...sum[limit] };
      for (const [caller, more] of Object.entries(callers)) calls[caller] = (calls[caller] ?? 0) + more;
      sum[limit] = calls;
    }
    return sum;
  }

  /** None: a call counts for a minute. */
  lasting(): undefined {
    return undefined;
  }

  /** Counts calls that other servers have answered. */
  noteOthers(calls: SharedCalls): void {
    for (const [limit, callers] of Object.entries(calls)) {
      for (const [caller, more] of Object.entries(callers)) this.#minuteOf(limit, caller).calls += more;
    }
  }

  #minuteOf(limit: string, caller: string): Minute {
    const minutes = this.#limits.get(limit) ?? new Map<string, Minute>();
    this.#limits.set(limit, minutes);
    const found = minutes.get(caller);
    const minute =
      found !== undefined && this.#runs(found)
        ? found
        : { startedAtMs: this.#nowMs(), calls: 0, unshared: 0 };
    // The caller that was counted last is the last one: the first is forgotten.
    minutes.delete(caller);
    minutes.set(caller, minute);
    if (minutes.size > callersMax) minutes.delete(minutes.keys().next().value!);
    return minute;
  }

  #runs({ startedAtMs }: Minute): boolean {
    return this.#nowMs() < startedAtMs + minuteMs;
  }
}
