import type { Log } from "#context";
import { unavailable } from "#failure";
import { type Caller, callMsMax } from "./call.ts";
import type { Member } from "./heartbeats.ts";
import { isGone, type Members } from "./members.ts";
import { type Message, Unreached } from "./message.ts";

/** Parts of `deadMs`: how long a read waits, because a member that is dead is gone by then, and how long a ping may take. */
const [reachPart, pingPart] = [1.4, 0.2];
const pauseMs = 100;
const logEveryMs = 60_000;

interface Options {
  readonly log: Log;
  readonly deadMs: number;
  readonly noteGone: (member: Member) => void;
  readonly change: (msMax: number) => Promise<void>;
}

export interface CallKind {
  /** The organization that the call is for. */
  readonly orgId?: string | undefined;
  /** How long the reply may take; infinity for an operation that may take any time. */
  readonly msMax?: number;
}

/** Calls of members that may go meanwhile, or cannot be reached. */
export class MemberCalls {
  readonly #caller: Caller;
  readonly #members: Members;
  readonly #options: Options;
  /** While a server stops, reads still wait for rows of others. */
  readonly #closed = new AbortController();
  /** End the calls of members that are gone. */
  readonly #presence = new Map<string, AbortController>();
  /** When it was last logged that a member cannot be reached. */
  readonly #unreachedMs = new Map<string, number>();

  constructor(caller: Caller, members: Members, options: Options) {
    this.#caller = caller;
    this.#members = members;
    this.#options = options;
  }

  /** Throws what the operation throws there, and Unreached if the call cannot have arrived. Ends when the member is gone. */
  async call(
    to: Member,
    name: string,
    message: Message,
    { orgId, msMax = callMsMax }: CallKind = {},
  ): Promise<Required<Message>> {
    const ends = [this.#presenceOf(to), this.#closed.signal];
    if (Number.isFinite(msMax)) ends.push(AbortSignal.timeout(msMax));
    const signal = AbortSignal.any(ends);
    try {
      return await this.#caller.call(message, { name, to, orgId, signal });
    } catch (error) {
      if (error instanceof Unreached) this.noteUnreached(to, error);
      throw error;
    }
  }

  /** Calls until there is a reply; undefined if the member is gone first. Throws a Failure if it is not gone and does not reply. */
  async callWhilePresent(to: Member, name: string, message: Message): Promise<Required<Message> | undefined> {
    const untilMs = performance.now() + reachPart * this.#options.deadMs;
    while (this.#members.has(to.id) && !this.#closed.signal.aborted) {
      try {
        return await this.call(to, name, message, {
          msMax: Math.max(0, Math.ceil(untilMs - performance.now())),
        });
      } catch (error) {
        if (!(error instanceof Unreached) && this.#members.has(to.id) && !isAborted(error)) throw error;
        if (this.#members.has(to.id) && performance.now() >= untilMs)
          throw isAborted(error) ? slow(to, error) : unreachable(to, error);
        await this.#options.change(pauseMs);
      }
    }
    return undefined;
  }

  /** Why this member cannot call the other one; null if it can. */
  async reachProblem(to: Member): Promise<string | null> {
    try {
      const signal = AbortSignal.timeout(pingPart * this.#options.deadMs);
      await this.#caller.call({ head: null }, { name: "ping", to, signal });
      return null;
    } catch (error) {
      return reasonOf(error);
    }
  }

  /** Logs a member that cannot be reached, once per minute. */
  noteUnreached(to: Member, error: Unreached): void {
    if (isGone(to, this.#members.self, error.cause)) this.#options.noteGone(to);
    const [{ id, address }, nowMs] = [to, performance.now()];
    if (
      !this.#members.has(id) ||
      nowMs < (this.#unreachedMs.get(id) ?? Number.NEGATIVE_INFINITY) + logEveryMs
    )
      return;
    this.#unreachedMs.set(id, nowMs);
    this.#options.log.warn(
      { id, address, reason: reasonOf(error) },
      `the server at ${address} cannot be reached: ${adviceFor(to, this.#members.self)}`,
    );
  }

  /** Ends the calls of members that are gone. */
  endAbsent(): void {
    for (const [id, presence] of this.#presence) {
      if (this.#members.has(id)) continue;
      this.#presence.delete(id);
      this.#unreachedMs.delete(id);
      presence.abort();
    }
  }

  close(): void {
    this.#closed.abort();
    this.#caller.close();
  }

  #presenceOf({ id }: Member): AbortSignal {
    const presence = this.#presence.get(id) ?? new AbortController();
    if (this.#members.has(id)) this.#presence.set(id, presence);
    return presence.signal;
  }
}

const advice =
  "check that the servers reach each other at CLUSTER_ADDRESS and CLUSTER_PORT, have the same AUTH_SECRET, and that their clocks agree";

function adviceFor(to: Member, self: Member): string {
  if (to.address !== self.address) return advice;
  return "this server has the same address; set CLUSTER_ADDRESS of each to an address that the others can reach";
}

function unreachable({ address }: Member, cause: unknown): Error {
  const sentence = `The server at ${address} does not answer, and may have profiles that are not stored yet. An operator should ${advice}.`;
  return unavailable(sentence, cause, 5);
}

/** It took the call: its network and its secret are right. */
function slow({ address }: Member, cause: unknown): Error {
  const sentence = `The server at ${address} has not stored all profiles that it acknowledged. Try again in a moment; if this lasts, an operator should read its log.`;
  return unavailable(sentence, cause, 5);
}

/** The message of the innermost error says the most. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}

export function isAborted(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}
