/** Checks of what the settings name: databases, object storage, the mail server, the provider of sign-ins, the language model. */
import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { Pool } from "pg";
import type { OidcConfig } from "#config";
import { trySmtp } from "#mail/mailer.ts";
import { connectColumns } from "#store/column/client/client.ts";
import { readLimitsDefault } from "#store/column/client/client-source.ts";
import { checkCluster } from "#store/column/client/cluster.ts";
import { openObjects, parseObjectUrl } from "#store/objects/open-objects.ts";
import { placeOf } from "#store/reach.ts";
import { type Check, type Finding, failed, note, ok, reasonOf, request, skipped } from "./finding.ts";

/** Access tokens and second factors allow a minute. */
const clockErrorMsMax = 30_000;
const connectMsMax = 10_000;

/** The finding of the work; a failure names the place and the setting. */
async function at(place: string, setting: string, work: () => Promise<Finding>): Promise<Finding[]> {
  try {
    return [await work()];
  } catch (error) {
    return [failed(`${place}: ${reasonOf(error)}. Start it, or correct ${setting}.`)];
  }
}

export const postgres: Check = {
  title: "PostgreSQL",
  async run({ config: { rows } }) {
    if (rows.kind !== "postgres")
      return [skipped("DATABASE_URL is not set: accounts are in SQLite, in the data folder.")];
    const place = placeOf(rows.url);
    return at(place, "DATABASE_URL", async () => {
      const pool = new Pool({ connectionString: rows.url, max: 1, connectionTimeoutMillis: connectMsMax });
      const found = await pool.query<{ now: Date }>("SELECT now()").finally(() => pool.end());
      return comparedClock(place, found.rows[0]!.now.getTime());
    });
  },
};

export const clickHouse: Check = {
  title: "ClickHouse",
  async run({ config: { columns } }) {
    if (columns.kind !== "url")
      return [skipped("CLICKHOUSE_URL is not set: profiles are in the built-in column store.")];
    const place = placeOf(columns.url);
    const clock = await at(place, "CLICKHOUSE_URL", async () =>
      comparedClock(place, await timeOfClickHouse(columns.url)),
    );
    return clock.some(({ state }) => state === "failed") ? clock : [...clock, await examinedTables(columns)];
  },
};

async function examinedTables(columns: {
  readonly url: string;
  readonly cluster?: string;
}): Promise<Finding> {
  const login = { url: columns.url };
  const client = connectColumns({ kind: "server", reader: login, writer: login, limits: readLimitsDefault });
  try {
    await checkCluster(client, columns);
    const { cluster } = columns;
    return ok(
      cluster === undefined
        ? "CLICKHOUSE_CLUSTER is not set: all tables are on this one server."
        : `The cluster ${cluster} has one shard, and its servers have the same tables.`,
    );
  } catch (error) {
    return failed(reasonOf(error));
  } finally {
    await client.close();
  }
}

/** Milliseconds since 1970. */
async function timeOfClickHouse(url: string): Promise<number> {
  const { origin, username, password, pathname } = new URL(url);
  const query = new URLSearchParams({
    query: "SELECT toUnixTimestamp64Milli(now64(3))",
    ...(pathname.length > 1 && { database: pathname.slice(1) }),
  });
  const headers = {
    ...(username !== "" && { "x-clickhouse-user": decodeURIComponent(username) }),
    ...(password !== "" && { "x-clickhouse-key": decodeURIComponent(password) }),
  };
  const reply = await request(`${origin}/?${query}`, { headers });
  const text = (await reply.text()).trim();
  if (!reply.ok) throw new Error(`it answered ${reply.status}: ${text.slice(0, 200)}`);
  return Number(text);
}

function comparedClock(place: string, thereMs: number): Finding {
  const aheadMs = thereMs - Date.now();
  if (Math.abs(aheadMs) <= clockErrorMsMax) return ok(`${place} answers. Its clock and this one agree.`);
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const error = `${seconds} s ${aheadMs > 0 ? "ahead" : "behind"}`;
  return failed(`The clock of ${place} is ${error}. Let both machines follow a time server.`);
}

export const originals: Check = {
  title: "Object storage",
  async run({ config: { originals, objectStorage } }) {
    if (originals === undefined)
      return [skipped("ORIGINALS_URL is not set: original bytes stay in the data folder.")];
    return at(originals.url, "ORIGINALS_URL or the settings S3_", async () => {
      using objects = await openObjects(objectStorage, parseObjectUrl(originals.url));
      const key = `doctor-${randomUUID()}`;
      await objects.put(key, Buffer.from(key));
      const read = await objects.get(key);
      const isSame = read !== undefined && (await text(read)) === key;
      await objects.remove(key);
      if (!isSame)
        return failed(`${originals.url} does not give back what it stores. Correct ORIGINALS_URL.`);
      return ok(`${originals.url} stores, gives back and removes an object.`);
    });
  },
};

export const mail: Check = {
  title: "Mail",
  async run({ config: { smtpUrl, mailFrom, dataDir } }) {
    if (smtpUrl === undefined)
      return [
        note(`SMTP_URL is not set: mail is written into ${dataDir}/outbox, and somebody must forward it.`),
      ];
    const place = placeOf(smtpUrl);
    return at(place, "SMTP_URL", async () => {
      await trySmtp(smtpUrl);
      return ok(`${place} accepts the login. Mail comes from ${mailFrom}.`);
    });
  },
};

/** @param discover reads the metadata of the provider */
export const signIn = (discover: (provider: OidcConfig) => Promise<unknown>): Check => ({
  title: "Single sign-on",
  async run({ config: { oidc, publicUrl } }) {
    if (oidc === undefined) return [skipped("OIDC_ISSUER is not set.")];
    return at(oidc.issuer, "OIDC_ISSUER", async () => {
      await discover(oidc);
      return ok(`${oidc.issuer} answers. Its redirect address must be ${publicUrl}/single-sign-on.`);
    });
  },
});

/** @param baseUrls addresses of the providers */
export const model = (baseUrls: Readonly<Record<"anthropic" | "openai", string>>): Check => ({
  title: "Language model",
  async run({ config: { llm } }) {
    if (llm.provider === "builtin")
      return [skipped("LLM_PROVIDER is builtin: recommendations need no model.")];
    const { apiKey = "" } = llm;
    const headers = {
      authorization: `Bearer ${apiKey}`,
      "x-api-key": apiKey,
      "anthropic-version": "2023-06-01",
    };
    const base = llm.baseUrl ?? baseUrls[llm.provider];
    const { host } = new URL(base);
    return at(host, "LLM_BASE_URL", async () => {
      const reply = await request(`${base}/models`, { headers });
      if (reply.status === 401 || reply.status === 403)
        return failed(`${host} rejects the key (${reply.status}). Correct LLM_API_KEY.`);
      // Some compatible servers have no list.
      if (!reply.ok) return note(`${host} answers, but gives no list of models (${reply.status}).`);
      return ok(`${host} accepts the key.`);
    });
  },
});
