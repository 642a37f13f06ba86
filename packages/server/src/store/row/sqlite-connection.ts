import type { CompiledQuery, QueryResult } from "kysely";
import { Piscina } from "piscina";
import type * as thread from "./sqlite-thread.ts";

type Name = keyof typeof thread;
type Value<N extends Name> = Extract<ReturnType<(typeof thread)[N]>, { readonly ok: true }>["value"];

/** The thread allocates little that lives long, so a small young generation is enough. */
const youngMegabytesMax = 8;
/** Far more than the rows of a message need. */
const oldMegabytesMax = 512;

/**
 * A SQLite file that a separate thread has open. If the thread ends, as when its memory is used up, its statement fails and another
 * thread opens the file again.
 */
export class SqliteConnection {
  readonly #file: string;
  readonly #threads: Piscina;

  constructor(file: string, heapMegabytesMax = oldMegabytesMax) {
    this.#file = file;
    this.#threads = new Piscina({
      filename: new URL("./sqlite-thread.ts", import.meta.url).href,
      minThreads: 1,
      maxThreads: 1,
      stricterFIFO: true,
      recordTiming: false,
      resourceLimits: {
        maxYoungGenerationSizeMb: youngMegabytesMax,
        maxOldGenerationSizeMb: heapMegabytesMax,
      },
    });
  }

  open(): Promise<void> {
    return this.#run("open", this.#file);
  }

  /** In a transaction the statement fails if the thread that began it has ended. */
  async executeQuery<R>(
    { sql, parameters }: CompiledQuery,
    isInTransaction = false,
  ): Promise<QueryResult<R>> {
    const file = isInTransaction ? undefined : this.#file;
    return queryResultOf<R>(await this.#run("execute", { sql, parameters, file }));
  }

  /** Commits the batches together. Returns the result or error of each, in their order. */
  async executeGroup(
    batches: readonly thread.Batch[],
  ): Promise<PromiseSettledResult<thread.ExecutedBatch>[]> {
    const attempts = await this.#run("executeGroup", { batches, file: this.#file });
    return attempts.map(settled);
  }

  /** Returns the rows or error of each query, in their order. */
  async executeReads(queries: readonly thread.Query[]): Promise<PromiseSettledResult<thread.Executed>[]> {
    const attempts = await this.#run("executeReads", { queries, file: this.#file });
    return attempts.map(settled);
  }

  async close(): Promise<void> {
    await this.#threads.run(undefined, { name: "close" satisfies Name });
    await this.#threads.close();
  }

  async #run<N extends "open" | "execute" | "executeReads" | "executeGroup">(
    name: N,
    input: Parameters<(typeof thread)[N]>[0],
  ): Promise<Value<N>> {
    const attempt: ReturnType<(typeof thread)[N]> = await this.#threads.run(input, { name });
    if (!attempt.ok) throw errorOf(attempt);
    return attempt.value as Value<N>;
  }
}

function settled<T>(attempt: thread.Attempt<T>): PromiseSettledResult<T> {
  return attempt.ok
    ? { status: "fulfilled", value: attempt.value }
    : { status: "rejected", reason: errorOf(attempt) };
}

function errorOf({ message, codes }: { readonly message: string; readonly codes: object }): Error {
  return Object.assign(new Error(message), codes);
}

export function queryResultOf<R>({ rows, changes, lastInsertRowid }: thread.Executed): QueryResult<R> {
  return {
    rows: rows as R[],
    ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }),
    ...(lastInsertRowid === undefined ? {} : { insertId: BigInt(lastInsertRowid) }),
  };
}
