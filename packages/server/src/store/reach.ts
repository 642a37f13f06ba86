import { setTimeout as sleep } from "node:timers/promises";
import type { StoreLog } from "./log.ts";
import { deepestCause } from "./storage-fault.ts";
import { StoreRefused } from "./unavailable.ts";

/** A database server that an operator runs. */
interface Remote {
  /** For messages: "PostgreSQL at db:5432". */
  readonly name: string;
  /** The setting with its address. */
  readonly setting: string;
  /** Sends any request. */
  readonly probe: () => Promise<unknown>;
  /** Whether a later attempt may succeed: the server or the network is still starting. */
  readonly isUnreachable: (error: unknown) => boolean;
}

const patienceMsDefault = 30_000;
const againMs = 500;

/**
 * Returns once the server has answered, and waits for one that is still starting. Throws a StoreRefused that names the
 * setting if the server stays unreachable or refuses the login.
 */
export async function reach(
  { name, setting, probe, isUnreachable }: Remote,
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
      if (!isUnreachable(cause)) {
        throw new StoreRefused(`${name} does not let us in: ${reason}. Correct ${setting}.`, { cause });
      }
      const seconds = Math.round((performance.now() - start) / 1000);
      if (stopped?.aborted || performance.now() - start >= patienceMs) {
        const words = `${name} cannot be reached for ${seconds} s: ${reason}. Start it, or correct ${setting}.`;
        throw new StoreRefused(words, { cause });
      }
      if (attempt === 1) log.warn({ reason }, `waiting for ${name}`);
      await sleep(againMs, undefined, { signal: stopped }).catch(() => undefined);
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
