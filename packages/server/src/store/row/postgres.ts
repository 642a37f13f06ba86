import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import { Pool, type PoolClient, types } from "pg";
import type { StoreLog } from "#store/log.ts";
import { StoreUnavailable } from "#store/unavailable.ts";

/** Kysely's PostgreSQL dialect. Queries throw StoreUnavailable while the server is unreachable. */
export function postgresDialect(url: string, log: StoreLog): Dialect {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    // count(*) is a bigint, which pg gives as text; SQLite gives a number.
    types: {
      getTypeParser: (id, format) => (id === types.builtins.INT8 ? toCount : types.getTypeParser(id, format)),
    },
  });
  // An idle connection that breaks (server restart) must not end the process; the next query opens another.
  pool.on("error", (error) => log.warn({ err: error }, "a connection to PostgreSQL was lost"));
  // A connection that breaks during a query also emits `error`, for which the pool does not listen while it is in use.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return new PostgresDialect({ pool: translatingPool(pool) });
}

function translatingPool(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => translatingClient(await orUnavailable(pool.connect())),
    end: () => pool.end(),
  };
}

function translatingClient(client: PoolClient): PostgresPoolClient {
  const query = (sql: string, parameters: readonly unknown[]) =>
    orUnavailable(client.query(sql, [...parameters]));
  return {
    // The other overload is for cursors, which Kysely uses only for streams.
    query: query as unknown as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy),
  };
}

async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw isUnreachable(cause) ? new StoreUnavailable("PostgreSQL cannot be reached.", { cause }) : cause;
  }
}

/** No connection, or a server that starts, stops or has no free connection (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
function isUnreachable(error: unknown): boolean {
  const { code = "", message = "" } = error as NodeJS.ErrnoException;
  return /^(E[A-Z_]+|57P0[123]|53\w{3}|08\w{3})$/.test(code) || unreachablePattern.test(message);
}

/** pg's own errors have no code. */
const unreachablePattern = /timeout|terminated|connection error/i;

function toCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count)) throw new RangeError(`${text} does not fit 53 bits`);
  return count;
}
