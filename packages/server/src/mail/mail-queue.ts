import { randomInt } from "node:crypto";
import { minuteMs } from "@flamekeep/contract/durations";
import type { StoreLog } from "#store/log.ts";
import type { Mail, Mailer } from "./mailer.ts";

/** Writes a mail when its turn comes; undefined if there is nobody to send it to. */
type Compose = () => Promise<Mail | undefined>;

type Work = () => Promise<void>;
type Timers = Set<NodeJS.Timeout>;

const runningMax = 4;
/** Mails that wait for their first or another attempt. */
const waitingMax = 1000;
/** The last places, only for mail without which somebody cannot sign in. */
const reservedPlaces = 200;
/** Waits before the second and later attempts. After the last the mail is given up. */
const retryDelaysMs = [10_000, minuteMs, 5 * minuteMs];

/** The wait before a mail is written: its work must not slow down the request that follows. */
const startDelayMs = () => randomInt(50, 250);

/**
 * Sends mail after the reply that promises it, so that the time of the reply says nothing about the recipient. In memory: a restart
 * forgets what is in it, and people ask again.
 */
export class MailQueue implements AsyncDisposable {
  readonly #mailer: Pick<Mailer, "deliver">;
  readonly #log: StoreLog;
  readonly #delaysMs: readonly number[];
  readonly #starts: Timers = new Set();
  readonly #retries: Timers = new Set();
  readonly #waiting: Work[] = [];
  readonly #running = new Set<Promise<void>>();
  #idle: PromiseWithResolvers<void> | undefined;
  #isStopped = false;

  constructor(mailer: Pick<Mailer, "deliver">, log: StoreLog, delaysMs: readonly number[] = retryDelaysMs) {
    this.#mailer = mailer;
    this.#log = log;
    this.#delaysMs = delaysMs;
  }

  /** @param places `reserved`: for mail without which somebody cannot sign in, also when other mail has filled the queue */
  add(compose: Compose, places: "shared" | "reserved" = "shared"): void {
    const placesMax = places === "reserved" ? waitingMax : waitingMax - reservedPlaces;
    if (this.#unsent() >= placesMax) {
      this.#log.error({ placesMax }, "the queue of mail is full; a mail was dropped");
      return;
    }
    this.#later(this.#starts, startDelayMs(), async () => {
      const mail = await compose();
      if (mail !== undefined) await this.#send(mail, 0);
    });
  }

  /** Resolves when no mail is being written or sent. Mail that waits for another attempt does not count. */
  async idle(): Promise<void> {
    if (this.#isIdle()) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    const mails = this.#unsent();
    for (const timers of [this.#starts, this.#retries]) {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    }
    this.#waiting.length = 0;
    await Promise.all(this.#running);
    this.#reportIdle();
    if (mails > 0) this.#log.warn({ mails }, "stopped before all mail was sent");
  }

  #unsent(): number {
    return this.#starts.size + this.#retries.size + this.#waiting.length;
  }

  #later(timers: Timers, ms: number, work: Work): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      this.#waiting.push(work);
      this.#run();
    }, ms).unref();
    timers.add(timer);
  }

  #run(): void {
    while (this.#running.size < runningMax) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      const done: Promise<void> = next()
        .catch((error: unknown) => this.#log.error({ err: error }, "mail was not written"))
        .finally(() => {
          this.#running.delete(done);
          this.#run();
          this.#reportIdle();
        });
      this.#running.add(done);
    }
  }

  async #send(mail: Mail, attempt: number): Promise<void> {
    if ((await this.#mailer.deliver(mail)) !== "failed") return;
    const delayMs = this.#delaysMs[attempt];
    if (delayMs === undefined) {
      this.#log.error({ mail: mail.id }, "mail was given up; people have to ask for it again");
      return;
    }
    if (this.#isStopped) return;
    this.#later(this.#retries, delayMs, () => this.#send(mail, attempt + 1));
  }

  #isIdle(): boolean {
    return this.#starts.size === 0 && this.#waiting.length === 0 && this.#running.size === 0;
  }

  #reportIdle(): void {
    if (!this.#isIdle()) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}
