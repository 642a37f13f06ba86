import { randomInt } from "node:crypto";
import { minuteMs } from "@flamekeep/contract/durations";
import type { StoreLog } from "#store/log.ts";
import type { Mail, Mailer } from "./mailer.ts";

/** Writes a mail when its turn comes; undefined if there is nobody to send it to. */
type Compose = () => Promise<Mail | undefined>;

/** Sends mail after the reply that promises it, so that the time of the reply says nothing about the recipient. */
export interface MailQueue extends AsyncDisposable {
  add(compose: Compose): void;
  /** Resolves when no mail is being written or sent. Mail that waits for another attempt does not count. */
  idle(): Promise<void>;
}

const runningMax = 4;
const waitingMax = 1000;
/** Waits before the second and later attempts. After the last the mail is given up. */
const retryDelaysMs = [10_000, minuteMs, 5 * minuteMs];

/** The wait before a mail is written: its work must not slow down the request that follows. */
const startDelayMs = () => randomInt(50, 250);

/** In memory: a restart forgets what is in it, and people ask again. */
export function openMailQueue(
  mailer: Mailer,
  log: StoreLog,
  delaysMs: readonly number[] = retryDelaysMs,
): MailQueue {
  const waiting: (() => Promise<void>)[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  let starting = 0;
  let isStopped = false;

  function later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms).unref();
    timers.add(timer);
  }

  function run(): void {
    while (running.size < runningMax) {
      const next = waiting.shift();
      if (next === undefined) return;
      const done: Promise<void> = next()
        .catch((error: unknown) => log.error({ err: error }, "mail was not written"))
        .finally(() => {
          running.delete(done);
          run();
        });
      running.add(done);
    }
  }

  async function send(mail: Mail, attempt: number): Promise<void> {
    if ((await mailer.deliver(mail)) !== "failed") return;
    const delayMs = delaysMs[attempt];
    if (delayMs === undefined) {
      log.error({ mail: mail.id }, "mail was given up; people have to ask for it again");
      return;
    }
    if (isStopped) return;
    later(delayMs, () => {
      waiting.push(() => send(mail, attempt + 1));
      run();
    });
  }

  return {
    add(compose) {
      if (waiting.length + starting >= waitingMax) {
        log.error({ waitingMax }, "the queue of mail is full; a mail was dropped");
        return;
      }
      starting++;
      later(startDelayMs(), () => {
        starting--;
        waiting.push(async () => {
          const mail = await compose();
          if (mail !== undefined) await send(mail, 0);
        });
        run();
      });
    },
    async idle() {
      while (starting > 0 || waiting.length > 0 || running.size > 0) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    async [Symbol.asyncDispose]() {
      isStopped = true;
      const dropped = timers.size + waiting.length;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      waiting.length = 0;
      starting = 0;
      await Promise.all(running);
      if (dropped > 0) log.warn({ mails: dropped }, "stopped before all mail was sent");
    },
  };
}
