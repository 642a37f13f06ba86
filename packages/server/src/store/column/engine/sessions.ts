import { Session } from "chdb";
import { FairQueue } from "#store/fair-queue.ts";
import { BinaryInserts } from "./binary-inserts.ts";
import { type EngineSettings, type LostPart, type ReadLimits, wideBlockRows } from "./protocol.ts";
import { refuseTableFunctions } from "./statement.ts";

/** Further reads are refused: an error at once is better than a result that arrives too late. */
const waitingReadsMax = 256;
const readerCount = 4;
/** For queries with wide rows: each needs more memory than the others. */
const wideReaderCount = 2;
/** Two for ingestion, one for roll-ups. */
const writerCount = 3;
const queryBytesMax = 8 * 1024 * 1024;

export class TooManyWaiting extends Error {}

/**
 * Sessions of one kind. A session runs one operation at a time, because chDB serialises on the connection. Organizations take turns: one
 * that asks much waits for itself.
 */
class SessionPool {
  readonly #idle: Session[];
  readonly #size: number;
  readonly #waiting = new FairQueue<(session: Session) => void>();
  readonly #waitingMax: number;

  constructor(sessions: readonly Session[], waitingMax: number) {
    this.#idle = [...sessions];
    this.#size = sessions.length;
    this.#waitingMax = waitingMax;
  }

  async run<T>(operation: (session: Session) => Promise<T>, orgId = ""): Promise<T> {
    const session = await this.#take(orgId);
    try {
      return await operation(session);
    } finally {
      const next = this.#waiting.take();
      if (next) next(session);
      else this.#idle.push(session);
    }
  }

  get isIdle(): boolean {
    return this.#idle.length === this.#size;
  }

  #take(orgId: string): Promise<Session> | Session {
    const session = this.#idle.pop();
    if (session) return session;
    if (this.#waiting.size >= this.#waitingMax) throw new TooManyWaiting("too many operations are waiting");
    return new Promise((resolve) => this.#waiting.push(orgId, 1, resolve));
  }
}

export interface OpenedEngine {
  readonly readers: SessionPool;
  /** Readers that read few rows at a time. */
  readonly wideReaders: SessionPool;
  readonly writers: SessionPool;
  readonly binaryInserts: BinaryInserts;
  readonly lostParts: readonly LostPart[];
  /** Runs a query that needs only chDB itself, on a separate session. */
  probe(): Promise<void>;
  close(): void;
}

export function openSessions(settings: EngineSettings): OpenedEngine {
  const open = () => new Session(settings.path, { connectionArgs: [`--config-file=${settings.configFile}`] });
  const sessions: Session[] = [];
  const openMany = (count: number) =>
    Array.from({ length: count }, () => {
      const session = open();
      sessions.push(session);
      return session;
    });
  const writers = openMany(writerCount);
  for (const session of writers)
    session.query("SET input_format_parallel_parsing = 0, max_insert_threads = 1");
  const readers = openMany(readerCount);
  const first = readers[0]!;
  refuseTableFunctions(first.query("SELECT name FROM system.table_functions", "TSV").trim().split("\n"));
  const lostParts = readLostParts(first);
  const wideReaders = openMany(wideReaderCount);
  for (const session of wideReaders) session.query(`SET max_block_size = ${wideBlockRows}`);
  for (const session of [...readers, ...wideReaders]) session.query(`SET ${readerSettings(settings.limits)}`);
  const [prober] = openMany(1);
  const binaryInserts = new BinaryInserts(settings.incomingFolder);
  return {
    readers: new SessionPool(readers, waitingReadsMax),
    wideReaders: new SessionPool(wideReaders, waitingReadsMax),
    writers: new SessionPool(writers, waitingReadsMax),
    binaryInserts,
    lostParts,
    probe: async () => {
      await prober!.queryAsync("SELECT 1", { format: "TSV" });
    },
    close: () => {
      try {
        for (const session of sessions) session.close();
      } finally {
        binaryInserts.close();
      }
    },
  };
}

/** One SET for all: `readonly` takes effect last, and the engine refuses any later SET. */
function readerSettings(limits: ReadLimits): string {
  return [
    `max_execution_time = ${limits.executionSecondsMax}`,
    `max_memory_usage = ${limits.memoryBytesMax}`,
    `max_result_rows = ${limits.resultRowsMax}`,
    `max_result_bytes = ${limits.resultBytesMax}`,
    `max_threads = ${limits.threadsMax}`,
    "output_format_json_quote_64bit_integers = 1",
    // Parameters are part of the text; see bind.ts.
    `max_query_size = ${queryBytesMax}`,
    "readonly = 1",
  ].join(", ");
}

function readLostParts(session: Session): LostPart[] {
  const text = session.query(
    `SELECT table, name AS part, reason FROM system.detached_parts
     WHERE database = currentDatabase() AND reason NOT IN ('', 'ignored', 'clone') FORMAT JSONEachRow`,
  );
  return text
    .split("\n")
    .filter((line) => line.length > 0)
    .map((line) => JSON.parse(line) as LostPart);
}
