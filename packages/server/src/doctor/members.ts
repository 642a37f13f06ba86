/** Checks of the servers that share the stores, as they call each other. */
import { request as sendRequest } from "node:http";
import { Pool } from "pg";
import { subkey } from "#auth/auth-secret.ts";
import { Caller } from "#cluster/call.ts";
import { clockMsMax } from "#cluster/signature.ts";
import { type Check, type Finding, failed, note, ok, reasonOf, skipped } from "./finding.ts";

const connectMsMax = 5_000;
/** Half of what calls between servers allow. */
const clockNoteMs = clockMsMax / 2;
/** The code of PostgreSQL for a table that does not exist. */
const noTable = "42P01";

interface Row {
  readonly id: string;
  readonly address: string;
  readonly version: string;
  readonly joined: number;
  /** When it wrote its last heartbeat, by the clock of the database. */
  readonly seenAt: string;
  /** The clock of the database now. */
  readonly now: Date;
}

export const members: Check = {
  title: "Servers",
  async run({ config: { cluster, rows: store, authSecret = "", authSecretPrevious: previous } }) {
    if (cluster === undefined || store.kind !== "postgres")
      return [skipped("One server, because DATABASE_URL and CLICKHOUSE_URL are not both set.")];
    let rows: readonly Row[];
    try {
      rows = await readRows(store.url);
    } catch (error) {
      return [skipped(`PostgreSQL does not list them: ${reasonOf(error)}.`)];
    }
    const caller = new Caller("doctor", [
      subkey(authSecret, "cluster"),
      // During a change of the secret, some servers know the former one alone.
      ...(previous === undefined ? [] : [subkey(previous, "cluster")]),
    ]);
    try {
      const isSilent = (row: Row) => silentSeconds(row) * 1000 > cluster.deadMs;
      const found = await Promise.all(
        rows.map((row) => (isSilent(row) ? silence(row) : examine(row, caller))),
      );
      const running = rows.filter((row) => !isSilent(row));
      if (running.length === 0) return [...found, skipped("No server runs. Start one, and run this again.")];
      return [...found, ...differences(running)];
    } finally {
      caller.close();
    }
  },
};

async function readRows(url: string): Promise<readonly Row[]> {
  const pool = new Pool({ connectionString: url, max: 1, connectionTimeoutMillis: connectMsMax });
  try {
    const found = await pool.query<Row>(
      `SELECT id, address, version, joined, seen_at AS "seenAt", clock_timestamp() AS now
       FROM cluster_members ORDER BY started_at, id`,
    );
    return found.rows;
  } catch (error) {
    if ((error as { readonly code?: string }).code === noTable) return [];
    throw error;
  } finally {
    await pool.end();
  }
}

function silentSeconds({ seenAt, now }: Row): number {
  return (now.getTime() - Date.parse(seenAt)) / 1000;
}

function silence(row: Row): Finding {
  const { id, address } = row;
  return note(
    `${id} at ${address} has sent no heartbeat for ${Math.round(silentSeconds(row))} s: it counts as gone, and others have its services. If it should run, start it with its DATA_DIR, whose log may have uploads that no store has.`,
  );
}

async function examine(row: Row, caller: Caller): Promise<Finding> {
  const { id, address, version, joined } = row;
  const named = `${id} at ${address}`;
  try {
    const aheadMs = await clockAheadMs(address);
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    if (seconds * 1000 > clockNoteMs) {
      const difference = `${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the one here`;
      const effect = `servers refuse each other's calls from ${clockMsMax / 1000} s on`;
      return failed(
        `The clock of ${named} is ${difference}: ${effect}. Let all machines follow a time server.`,
      );
    }
  } catch (error) {
    return failed(
      `${named} cannot be reached from here: ${reasonOf(error)}. Set its CLUSTER_ADDRESS to an address that all servers reach, and open its CLUSTER_PORT between them.`,
    );
  }
  try {
    const signal = AbortSignal.timeout(connectMsMax);
    await caller.call({ head: null }, { name: "ping", to: { id, address, version }, signal });
  } catch (error) {
    return failed(
      `${named} refuses a call: ${reasonOf(error)}. Give all servers and this command the same AUTH_SECRET; if two servers have one address, give each its own CLUSTER_ADDRESS or CLUSTER_PORT.`,
    );
  }
  if (joined === 0)
    return failed(
      `${named} takes no uploads of its own yet: the others do not reach it. Open its CLUSTER_PORT to them; their logs say why.`,
    );
  return ok(
    `${named}, version ${version}, answers; its last heartbeat was ${silentSeconds(row).toFixed(1)} s ago.`,
  );
}

/** The clock of the server there, by the date of its reply, compared with the one here. */
function clockAheadMs(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(`http://${address}/`, { agent: false, timeout: connectMsMax });
    request.once("timeout", () => request.destroy(new Error(`no answer within ${connectMsMax / 1000} s`)));
    request.once("error", reject);
    request.once("response", (response) => {
      response.resume();
      const thereMs = Date.parse(response.headers.date ?? "");
      if (Number.isNaN(thereMs)) reject(new Error("another program answers"));
      else resolve(thereMs - Date.now());
    });
    request.end();
  });
}

function differences(running: readonly Row[]): readonly Finding[] {
  const byAddress = Map.groupBy(running, ({ address }) => address);
  const shared = [...byAddress].filter(([, rows]) => rows.length > 1);
  const versions = [...new Set(running.map(({ version }) => version))].toSorted();
  return [
    ...shared.map(([address, rows]) =>
      failed(
        `${rows.length} servers say that they are at ${address}. Set CLUSTER_ADDRESS of each to an address that only it has.`,
      ),
    ),
    ...(versions.length > 1
      ? [note(`The servers have the versions ${versions.join(" and ")}. Update all of them to the same.`)]
      : []),
  ];
}
