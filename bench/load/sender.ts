// A separate process that sends profiles: started by runLoad, receives ToSender, reports FromSender.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { Random } from "#random";
import { Connection, lengthOf } from "./connection.ts";
import { damagedCopy } from "./damage.ts";
import type { FromSender, LoadResult, Order, ToSender } from "./order.ts";
import { type Variants, variantsOf } from "./variants.ts";

const reportMs = 20;
const retryMs = 50;
/** Replies of a status that are printed: a fault of the server that a bench meets has to be explained. */
const failuresShown = 5;

class Sender {
  readonly #order: Order;
  readonly #variants: readonly Variants[];
  /** Inflated, to be damaged. */
  readonly #raw: readonly Uint8Array[];
  readonly #random = new Random(1);
  readonly #latencies: number[] = [];
  readonly #refused: Record<number, number> = {};
  #sent = 0;
  #broken = 0;
  #duplicates = 0;
  #bytes = 0;
  #ids: string[] = [];
  #startedAt = 0;
  #isStopped = false;

  constructor(order: Order) {
    this.#order = order;
    const profiles = order.profiles.map((profile) => Buffer.from(profile, "base64"));
    this.#variants = profiles.map(variantsOf);
    this.#raw = order.damagedShare === undefined ? [] : profiles.map((profile) => gunzipSync(profile));
  }

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<LoadResult> {
    const cpu = process.cpuUsage();
    this.#startedAt = performance.now();
    const timer = setInterval(() => this.#reportIds(), reportMs);
    await Promise.all(Array.from({ length: this.#order.connections }, () => this.#keepSending()));
    clearInterval(timer);
    this.#reportIds();
    const { user, system } = process.cpuUsage(cpu);
    return this.#result((performance.now() - this.#startedAt) / 1000, (user + system) / 1e6);
  }

  get #isOver(): boolean {
    return this.#isStopped || performance.now() - this.#startedAt >= this.#order.seconds * 1000;
  }

  async #keepSending(): Promise<void> {
    while (!this.#isOver) {
      try {
        const connection = await Connection.open(this.#order.url);
        while (!this.#isOver) await this.#sendOne(connection);
        connection.close();
      } catch {
        this.#broken++;
        await sleep(retryMs);
      }
    }
  }

  async #sendOne(connection: Connection): Promise<void> {
    const { perSecond, services, key } = this.#order;
    const number = this.#sent++;
    const dueAt = perSecond === undefined ? undefined : this.#startedAt + (number * 1000) / perSecond;
    const early = dueAt === undefined ? 0 : dueAt - performance.now();
    if (early > 0) await sleep(early);
    if (this.#isOver) return;
    const body = this.#bodyOf(number);
    const start = dueAt ?? performance.now();
    const { status, body: text } = await connection.post(
      `/api/v1/ingest/profiles?service=load-${number % services}&tag.instance=${process.pid}${this.#damagedQuery(number)}`,
      key,
      body,
    );
    if (status !== 200) {
      this.#refused[status] = (this.#refused[status] ?? 0) + 1;
      if (status >= 500 && this.#refused[status] <= failuresShown)
        process.stderr.write(`${status}: ${text}\n`);
      if (status === 429 || status === 503) await sleep(retryMs);
      return;
    }
    this.#latencies.push(performance.now() - start);
    this.#bytes += lengthOf(body);
    const { profile_id, duplicate } = JSON.parse(text);
    if (duplicate) this.#duplicates++;
    if (this.#order.reportIds) this.#ids.push(profile_id);
  }

  #bodyOf(number: number): readonly Uint8Array[] {
    const place = number % this.#variants.length;
    if (this.#random.isTrue(this.#order.damagedShare ?? 0)) {
      return [damagedCopy(this.#raw[place]!, this.#random)];
    }
    return this.#variants[place]!.at(BigInt(Date.now()) * 1_000_000n + BigInt(number));
  }

  /**
   * A damaged profile carries the time of its recording, which may be older than what a server keeps. A unique tag
   * makes each upload a separate series: memory that the server keeps by series must stay within bounds.
   */
  #damagedQuery(number: number): string {
    return this.#order.damagedShare === undefined ? "" : `&started_at=${Date.now()}&tag.n=${number}`;
  }

  #reportIds(): void {
    if (this.#ids.length === 0) return;
    report({ kind: "acknowledged", ids: this.#ids });
    this.#ids = [];
  }

  #result(seconds: number, senderCpuSeconds: number): LoadResult {
    const sorted = this.#latencies.sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    return {
      seconds,
      acknowledged: sorted.length,
      duplicates: this.#duplicates,
      refusedByStatus: this.#refused,
      broken: this.#broken,
      bytes: this.#bytes,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      maxMs: at(1),
      latenciesMs: sorted,
      senderCpuSeconds,
    };
  }
}

function report(message: FromSender): void {
  process.send?.(message);
}

process.on("message", (message: ToSender) => {
  if (message.kind === "stop") sender?.stop();
  else void start(message.order);
});

let sender: Sender | undefined;

async function start(order: Order): Promise<void> {
  sender = new Sender(order);
  const result = await sender.run();
  process.send?.({ kind: "result", result } satisfies FromSender, () => process.disconnect?.());
}
