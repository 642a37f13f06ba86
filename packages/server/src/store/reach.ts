import { setTimeout as sleep } from "node:timers/promises";
import { deepestCause } from "./deepest-cause.ts";
import type { StoreLog } from "./log.ts";
import { StoreRefused } from "./refused.ts";

/** A database server that is not ours. */
interface Remote {
  /** For people: "PostgreSQL at db:5432". */
  readonly name: string;
  /** The setting that says where it is. */
  readonly setting: string;
  /** Asks it anything. */
  readonly probe: () => Promise<unknown>;
  /** Whether it may answer a little later: it starts, or the network does. */
  readonly isAway: (error: unknown) => boolean;
}

const patienceMsDefault = 30_000;
const againMs = 500;

/**
 * Returns once the server has answered. One that starts together with us is waited for; one that stays away, or refuses
 * the login, ends in a StoreRefused that names the setting.
 */
export async function reach(
  { name, setting, probe, isAway }: Remote,
  log: StoreLog,
  {
    patienceMs = patienceMsDefault,
    stopped,
  }: { patienceMs?: number; stopped?: AbortSignal | undefined } = {},
): Promise<void> {
  const start = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      await probe();
      return;
    } catch (cause) {
      const reason = reasonOf(cause);
      if (!isAway(cause)) {
        throw new StoreRefused(`${name} does not let us in: ${reason}. Correct ${setting}.`, { cause });
      }
      const seconds = Math.round((performance.now() - start) / 1000);
      if (stopped?.aborted || performance.now() - start >= patienceMs) {
        const words = `${name} cannot be reached for ${seconds} s: ${reason}. Start it, or correct ${setting}.`;
        throw new StoreRefused(words, { cause });
      }
      if (attempt === 1) log.warn({ reason }, `waiting for ${name}`);
      await sleep(againMs, undefined, { ...(stopped && { signal: stopped }) }).catch(() => undefined);
    }
  }
}

/** Without user and password. */
export function placeOf(url: string): string {
  return new URL(url).host || "its socket";
}

const reasonLengthMax = 200;

/** The first sentence of the deepest cause, on one line. */
function reasonOf(error: unknown): string {
  const deepest = deepestCause(error);
  const { message, code } = deepest as NodeJS.ErrnoException;
  const sentence = (message || code || String(deepest)).split(/[\n\r]|\. /, 1)[0]!;
  return sentence.slice(0, reasonLengthMax).replace(/\.$/, "");
}
