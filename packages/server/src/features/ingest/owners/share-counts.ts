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
}

/**
 * Sends the other members the counts of this one, so that a limit is one among them. Nothing waits for it. Counts that
 * do not reach a member are sent again, while it is a member. Returns a function that ends it.
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
  const unsent = new Map<string, U>();
  const add = (id: string, counted: U) => {
    const before = unsent.get(id);
    unsent.set(id, before === undefined ? counted : counts.together(counted, before));
  };
  const calling = new Set<string>();
  const send = async (to: Member) => {
    const head = unsent.get(to.id);
    if (head === undefined || calling.has(to.id)) return;
    unsent.delete(to.id);
    calling.add(to.id);
    try {
      await cluster.calls.call(to, name, { head });
    } catch (error) {
      // After another failure the member may have counted it.
      if (error instanceof Unreached && !error.mayHaveArrived) add(to.id, head);
      throw error;
    } finally {
      calling.delete(to.id);
    }
  };
  const share = async () => {
    const { others } = cluster;
    const present = new Set(others.map(({ id }) => id));
    for (const id of unsent.keys()) if (!present.has(id)) unsent.delete(id);
    const counted = counts.takeUnshared();
    for (const { id } of counted === undefined ? [] : others) add(id, counted!);
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
