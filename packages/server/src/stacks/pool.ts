import { unprocessable } from "#failure";
import { Threads } from "#memory/threads.ts";
import { damagedPayload } from "#store/payloads/read-payload.ts";
import { Turns } from "#store/turns.ts";
import type { Opened } from "./open-profile.ts";

/** A file whose exported functions run in the decoding thread. Each feature brings its own. */
export interface TaskFile<Functions> {
  readonly href: string;
  /** Never set: carries the type. */
  readonly functions?: Functions;
}

type Input<F> = F extends (input: infer I) => unknown ? I : never;
type Output<F> = F extends (input: never) => infer R ? R : never;

/** Threads that open stored profiles, so that a large one never holds up the main thread. */
export interface Decoders {
  /** Runs a function of a task file in the thread. If `signal` is aborted, the thread is ended and another one takes the next task. */
  run<F, N extends keyof F & string>(
    file: TaskFile<F>,
    name: N,
    input: Input<F[N]>,
    signal?: AbortSignal,
  ): Promise<Output<F[N]>>;
  /** As `run`, of a function that opens one stored profile; throws `damaged` if it cannot be opened. */
  open<F, N extends keyof F & string>(
    file: TaskFile<F>,
    name: N,
    input: Input<F[N]>,
    signal?: AbortSignal,
  ): Promise<Output<F[N]> extends Opened<infer R> ? R : never>;
  [Symbol.asyncDispose](): Promise<void>;
}

export function taskFile<Functions>(url: URL): TaskFile<Functions> {
  return { href: url.href };
}

/**
 * One thread for what people wait for: the other cores are for ingestion, and a graph takes milliseconds. It starts with the
 * first task.
 */
export function openDecoders(heapBytesMax?: number): Decoders {
  return openPool({ heapBytesMax });
}

/** One thread for analyses: they take up to seconds, in which graphs and uploads must not wait for them. */
export function openBackgroundDecoders(heapBytesMax?: number): Decoders {
  const lowPriority = new URL("./low-priority.ts", import.meta.url).href;
  // Replaces the execArgv of the process: a worker with its own execArgv rejects V8 flags, which `npm start` sets.
  return openPool({ execArgv: ["--import", lowPriority], heapBytesMax });
}

/**
 * Ends a thread before a hostile profile takes the memory of the server. The largest profile of the corpus, 3 MB, needs less than 96 MB
 * for all forms of its flame graph; ranges have more stacks than a profile.
 */
const heapBytesDefault = 2 ** 30;

/** The message of a call whose thread reached the limit. */
export const heapExceededText =
  "The profile or range exceeds the memory limit of one call. Choose a shorter range or fewer labels.";

interface PoolOptions {
  readonly execArgv?: string[];
  readonly heapBytesMax: number | undefined;
}

export function openPool({ heapBytesMax = heapBytesDefault, ...options }: PoolOptions): Decoders {
  const threads = new Threads(
    {
      ...options,
      resourceLimits: { maxOldGenerationSizeMb: Math.floor(heapBytesMax / 2 ** 20) },
      maxThreads: 1,
    },
    () => undefined,
  );
  // The pool gets one task at a time: it would start no new thread for waiting tasks after an aborted task ended the only one.
  const turns = new Turns();
  let isClosed = false;
  const run: Decoders["run"] = ({ href }, name, input, signal) =>
    turns.run(() => {
      if (isClosed) throw new Error("The decoding thread is closed");
      const task = threads.run(input, { filename: href, name, signal: signal ?? null });
      return (task as Promise<never>).catch((error: unknown) => {
        throw isHeapExceeded(error) ? unprocessable(heapExceededText) : error;
      });
    });
  return {
    run,
    async open(file, name, input, signal) {
      const opened = (await run(file, name, input, signal)) as Opened<never>;
      if (opened.damage === undefined) return opened.value;
      throw damagedPayload(opened.damage.profileId, opened.damage.reason);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await threads.destroy();
    },
  };
}

function isHeapExceeded(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
