import { minuteMs } from "@flamekeep/contract/durations";
import type { Cluster } from "#cluster/cluster.ts";
import type { Member } from "#cluster/heartbeats.ts";
import { Unreached } from "#cluster/message.ts";
import type { Log } from "#context";
import { JobLog } from "#store/job-log.ts";

const everyMs = 1_000;

/** Counts of each server, for limits that all of them have together. */
interface Counts<U> {
  /** Returns once what others do not know yet; undefined if there is nothing. */
  takeUnshared(): U | undefined;
  noteOthers(counted: U): void;
  together(a: U, b: U): U;
  /** The part that counts in later minutes, too; undefined if there is none. */
  lasting(counted: U): U | undefined;
}

/**
 * Sends the other members the counts of this one, so that a limit is one among them. Nothing waits for it. Counts that
 * do not reach a member are sent again, while it is a member, and in later minutes only the part that counts then. Returns a function that ends it.
 *
 * @param name of the call and of the counts
 */
export function shareCounts<U>(
  cluster: Pick<Cluster, "answer" | "calls" | "others">,
  name: "usage" | "calls",
  counts: Counts<U>,
  log: Log,
): () => void {
  const jobLog = new JobLog(log, `the exchange of ${name} with other servers`);
  cluster.answer(name, async ({ head }) => void counts.noteOthers(head as U));
  /** Counts that did not reach each member. One that went counts what it reads from the stores, if it comes back. */
  const unsent = new Map<string, { readonly counted: U; readonly sinceMs: number }>();
  const add = (id: string, counted: U, sinceMs: number) => {
    const before = unsent.get(id) ?? { counted: undefined, sinceMs };
    const all = before.counted === undefined ? counted : counts.together(counted, before.counted);
    unsent.set(id, { counted: all, sinceMs: Math.min(sinceMs, before.sinceMs) });
  };
  /** Late uploads and calls would count in a minute that is not theirs. */
  const dropLate = (id: string, nowMs: number) => {
    const { counted, sinceMs } = unsent.get(id)!;
    if (nowMs - sinceMs < minuteMs) return;
    const lasting = counts.lasting(counted);
    if (lasting === undefined) unsent.delete(id);
    else unsent.set(id, { counted: lasting, sinceMs: nowMs });
  };
  const calling = new Set<string>();
  const send = async (to: Member) => {
    const taken = unsent.get(to.id);
    if (taken === undefined || calling.has(to.id)) return;
    unsent.delete(to.id);
    calling.add(to.id);
    try {
      await cluster.calls.call(to, name, { head: taken.counted });
    } catch (error) {
      // The call has logged it, once a minute.
      if (!(error instanceof Unreached)) throw error;
      // After another failure the member may have counted it.
      if (!error.mayHaveArrived) add(to.id, taken.counted, taken.sinceMs);
    } finally {
      calling.delete(to.id);
    }
  };
  const share = async () => {
    const { others } = cluster;
    const present = new Set(others.map(({ id }) => id));
    const nowMs = performance.now();
    for (const id of unsent.keys()) {
      if (present.has(id)) dropLate(id, nowMs);
      else unsent.delete(id);
    }
    const counted = counts.takeUnshared();
    for (const { id } of counted === undefined ? [] : others) add(id, counted!, nowMs);
    await Promise.all(others.map(send));
  };
  const timer = setInterval(() => {
    share().then(
      () => jobLog.succeeded(),
      (error: unknown) => jobLog.failed(error),
    );
  }, everyMs).unref();
  return () => clearInterval(timer);
}
