import { type Context, createApp, openContext, readConfig } from "@flamekeep/server";

export interface Reader {
  readonly orgId: string;
  /** Signs in again: a session ends a quarter of an hour later. */
  renew(): Promise<void>;
  get(
    path: string,
    accept?: string,
  ): Promise<{ readonly status: number; readonly bytes: number; json(): unknown }>;
}

/** The server in this process with a fixed clock, and one person in a separate organization. */
export interface BenchServer extends Reader, AsyncDisposable {
  readonly ctx: Context;
  /** Another person, in a separate organization. */
  readerIn(name: string): Promise<Reader>;
  isServed(path: string): boolean;
  /** As the background does every few minutes; returns how many hours of series it summed. */
  rollUp(): Promise<number>;
  /** Sends one recorded profile the way senders do. */
  send(body: Buffer, query: Record<string, string>): Promise<void>;
}

const ignore = () => undefined;
const report = (...facts: unknown[]) => console.error(...facts);
/** Says what goes wrong and nothing else. */
const log: Context["log"] = {
  level: "warn",
  silent: ignore,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: report,
  error: report,
  fatal: report,
  child: () => log,
};

/** `name` is a person in a separate organization, the same one where the folder was used before. A clock may go on. */
export async function startServer(
  dataDir: string,
  at: Date | (() => Date),
  name: string,
): Promise<BenchServer> {
  const config = readConfig({ DATA_DIR: dataDir, DEMO: "off", LOG_LEVEL: "warn" });
  const ctx = await openContext(config, log, { now: typeof at === "function" ? at : () => at });
  // In a folder that is used again, the clock begins where it did in the last run, whose sign-ins still count then.
  await ctx.rows.deleteFrom("tokenBuckets").execute();
  const app = await createApp(ctx);
  await app.ready();
  const { headers, ...reader } = await readerIn(app, name);
  const keyReply = await app.inject({
    method: "POST",
    url: "/api/v1/protected/api-keys",
    headers,
    payload: { name: "bench" },
  });
  const key: string = keyReply.json().api_key.key;
  return {
    ...reader,
    ctx,
    readerIn: (other) => readerIn(app, other),
    isServed: (path) => app.hasRoute({ method: "GET", url: path.replace(/\{(\w+)\}/g, ":$1") }),
    rollUp: () => ctx.columns.maintenance.rollUp(ctx.now()),
    async send(body, query) {
      const url = "/api/v1/ingest/profiles";
      const reply = await app.inject({
        method: "POST",
        url,
        query,
        headers: { "x-api-key": key },
        payload: body,
      });
      if (reply.statusCode !== 200) throw new Error(`ingestion answered ${reply.body}`);
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await ctx[Symbol.asyncDispose]();
    },
  };
}

type App = Awaited<ReturnType<typeof createApp>>;

async function readerIn(app: App, name: string) {
  const { orgId, headers } = await signIn(app, name);
  const made = await app.inject({
    method: "POST",
    url: "/api/v1/protected/api-keys",
    headers,
    payload: { name: "bench", scope: "read" },
  });
  const withKey = { authorization: `Bearer ${made.json().api_key.key}` };
  return {
    orgId,
    headers,
    async renew() {
      headers.authorization = (await signIn(app, name)).headers.authorization;
    },
    async get(path: string, accept = "application/json") {
      const own = path.startsWith("/api/") ? headers : withKey;
      const reply = await app.inject({ url: path, headers: { ...own, accept } });
      return { status: reply.statusCode, bytes: reply.rawPayload.length, json: () => reply.json() };
    },
  };
}

async function signIn(app: App, name: string) {
  const person = {
    email: `${name}@example.com`,
    password: "correct horse battery staple",
    first_name: "Bench",
    last_name: "Mark",
  };
  const post = (url: string) => app.inject({ method: "POST", url, payload: person });
  const registered = await post("/auth/register");
  const reply = registered.statusCode === 201 ? registered : await post("/auth/login");
  const { user, tokens } = reply.json();
  return {
    orgId: user.organization.id as string,
    headers: { authorization: `Bearer ${tokens.access_token}` },
  };
}
