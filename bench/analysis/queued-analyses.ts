import { setTimeout as sleep } from "node:timers/promises";
import { type Account, signUp } from "@flamekeep/e2e/sign-up";

/** At least this many analyses wait while the queue is kept full. */
export const queuedMin = 100;
/** Some are completed between two looks at the queue. */
const queuedMax = 1.3 * queuedMin;
/** As often as the panel of a profile asks. */
const pollMs = 2000;
/**
 * A person may start 60 analyses a minute, and an idle machine completes more than ten a second: 25 people, each in a separate
 * organization, start them faster than that. An address may register 30 a minute.
 */
const people = 25;
/** Several, because the same request about the same profile is not queued twice. */
const profilesPerPerson = 16;

interface Started {
  readonly id: string;
  readonly by: Account;
}

/** Analyses of several organizations that wait for the server. */
export class QueuedAnalyses {
  readonly #url: string;
  readonly #profiles: readonly { readonly profileId: string; readonly by: Account }[];
  #next = 0;

  private constructor(
    url: string,
    profiles: readonly { readonly profileId: string; readonly by: Account }[],
  ) {
    this.#url = url;
    this.#profiles = profiles;
  }

  /** Registers people and sends the profiles that they analyse. */
  static async prepare(url: string, bodies: readonly Buffer[]): Promise<QueuedAnalyses> {
    const accounts: Account[] = [];
    for (let index = 0; index < people; index++) accounts.push(await signUp(url));
    const profiles: { profileId: string; by: Account }[] = [];
    for (let index = 0; index < profilesPerPerson; index++) {
      const query = `service=analysed&type=cpu&started_at=${Date.now() - index * 10_000}`;
      const body = bodies[index % bodies.length]!;
      const sent = accounts.map(async (by) => ({ profileId: await by.send(body, query), by }));
      profiles.push(...(await Promise.all(sent)));
    }
    return new QueuedAnalyses(url, profiles);
  }

  /** Queues 100 at once, keeps at least as many until `stopped`, and waits for the rest. Resolves with how many were completed until then. */
  async keepFull(stopped: AbortSignal, filled: () => void): Promise<number> {
    let unfinished: Started[] = [];
    let completed = 0;
    while (!stopped.aborted) {
      const missing = Math.max(0, Math.ceil(queuedMax - unfinished.length));
      unfinished.push(...(await Promise.all(Array.from({ length: missing }, () => this.#start()))));
      filled();
      await sleep(pollMs);
      const left = await this.#unfinished(unfinished);
      completed += unfinished.length - left.length;
      unfinished = left;
    }
    while (unfinished.length > 0) {
      await sleep(pollMs);
      unfinished = await this.#unfinished(unfinished);
    }
    return completed;
  }

  async #start(): Promise<Started> {
    const { profileId, by } = this.#profiles[this.#next++ % this.#profiles.length]!;
    const { id } = await this.#call(by, "POST", `profile/${profileId}/analyze`);
    return { id, by };
  }

  /** Those of one organization are completed in the order in which they were started: only the first of each are read. */
  async #unfinished(started: readonly Started[]): Promise<Started[]> {
    const queues = Map.groupBy(started, ({ by }) => by);
    const left = await Promise.all([...queues.values()].map((queue) => this.#withoutCompleted(queue)));
    return left.flat();
  }

  async #withoutCompleted(queue: readonly Started[]): Promise<Started[]> {
    for (const [index, { id, by }] of queue.entries()) {
      const { status } = await this.#call(by, "GET", `analysis/${id}`);
      if (status === "failed") throw new Error("an analysis failed");
      if (status !== "completed") return queue.slice(index);
    }
    return [];
  }

  async #call(
    by: Account,
    method: "GET" | "POST",
    path: string,
  ): Promise<{ readonly id: string; readonly status: string }> {
    const reply = await fetch(`${this.#url}/api/v1/protected/${path}`, {
      method,
      headers: { ...by.headers, ...(method === "POST" && { "content-type": "application/json" }) },
      ...(method === "POST" && { body: "{}" }),
    });
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as { readonly id: string; readonly status: string };
  }
}
