import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IngestedProfile, KeyScope, Role } from "@flamekeep/contract";
import { type Profile, writeProfile } from "@flamekeep/profile";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import { openKeyLookup } from "#auth/keys/key-lookup.ts";
import { openSessionLookup } from "#auth/sessions/session-lookup.ts";
import { type Config, readConfig } from "#config";
import type { Context } from "#context";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";
import { writeWithoutSync } from "#store/testing/backends.ts";
import { copyColumnStore, copyRowStore, sharedColumnStore } from "#store/testing/templates.ts";
import { type DescribedReplies, describedReplies } from "#testing/described-replies.ts";
import { organizationCheck } from "#testing/organization-check.ts";
import { createApp } from "../app.ts";
import { type OpenContext, openContext, openThreads, type SharedParts } from "../open-context.ts";

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly userId: string;
  readonly orgId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** `authorization` for `inject`. */
  readonly headers: { readonly authorization: string };
}

export interface TestKey {
  readonly id: string;
  readonly key: string;
  /** `x-api-key` for `inject`. */
  readonly headers: { readonly "x-api-key": string };
}

/** A profile as an upload: the model, which is then written as pprof, or bytes as they are. */
type SentProfile = Profile | Uint8Array;

interface SendOptions {
  /** The headers of a key, see `makeKey`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters of the upload; `service` is "s" where it is not given. */
  readonly query?: Readonly<Record<string, string>>;
  /** Another app over the same stores, see `createApp`. */
  readonly app?: FastifyInstance;
}

interface TestClock {
  now(): Date;
  /** Moves the server's clock forward. */
  advance(ms: number): void;
}

export interface TestApp {
  readonly app: FastifyInstance;
  /** Its row store refuses queries that do not bind the organization, see organization-check.ts. */
  readonly ctx: OpenContext;
  /** The row store without that check, for a test that looks at the rows of everybody. */
  readonly rows: RowStore;
  readonly clock: TestClock;
  /** Everything the server logged, one JSON line each. */
  readonly logged: readonly string[];
  /** Checks every reply to `app.inject` against the OpenAPI document. */
  readonly described: DescribedReplies;
  /** Registers a new user, with a new organization. Registrations from one address are limited. */
  signUp(email?: string, remoteAddress?: string): Promise<Person>;
  /** Gives the person another role in their organization. */
  setRole(person: Person, role: Role): Promise<void>;
  makeKey(person: Person, name?: string, scope?: KeyScope): Promise<TestKey>;
  /** Uploads a profile and returns the reply. Throws unless it was accepted. */
  send(profile: SentProfile, options: SendOptions): Promise<IngestedProfile>;
  /** Uploads a profile that may be refused. */
  trySend(profile: SentProfile, options: SendOptions): Promise<LightMyRequestResponse>;
  /** A second server over the same stores, with parts of the context replaced. Close it when done. */
  createApp(overrides?: Partial<Context>): Promise<FastifyInstance>;
  close(): Promise<void>;
}

export interface StartOptions {
  /** Settings as in the environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: Partial<Config>;
  /** The clock stops at this time until it is advanced; without it the real time runs. */
  readonly at?: string;
  /**
   * Whether the app has a separate column store: for tests that look into its folder, stop its engine, remove days or count
   * what all organizations have. By default it shares one with the apps of other tests, which have other organizations:
   * starting an engine takes a second of CPU.
   */
  readonly hasSeparateColumns?: boolean;
}

export const testPassword = "correct horse battery";

/** A hash at the usual cost takes longer than most tests. */
const passwordCost = { memoryCost: 1024, timeCost: 1, parallelism: 1 };

/** Starts the whole server over real stores in a temporary folder, for requests with `app.inject`. Close it when done. */
export async function startApp(options: StartOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), "flamekeep-"));
  const env = { NODE_ENV: "test", DEMO: "off", GRPC_PORT: "off", DATA_DIR: dataDir, ...options.env };
  const config = { ...readConfig(env), passwordCost, ...options.config };
  const logged: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
  const clock = startClock(options.at);
  const shared = await sharedParts(options, config);
  if (shared?.columns === undefined && config.columns.kind === "embedded")
    await copyColumnStore(config.columns.dataDir);
  if (config.rows.kind === "sqlite") await copyRowStore(config.rows.file);
  const opened = await openContext(config, log, { now: clock.now, ...(shared && { shared }) });
  if (config.rows.kind === "sqlite") await writeWithoutSync(opened.rows);
  const ctx = checkOrganizations(opened);
  const app = await createApp(ctx);
  await app.ready();
  const described = checkReplies(app);
  let people = 0;

  async function signUp(
    email = `person${++people}@example.com`,
    remoteAddress = "127.0.0.1",
  ): Promise<Person> {
    const body = { email, password: testPassword, first_name: "Ada", last_name: "Lovelace" };
    const reply = await app.inject({ method: "POST", url: "/auth/register", payload: body, remoteAddress });
    if (reply.statusCode !== 201) throw new Error(`signing up failed: ${reply.body}`);
    const { user, tokens } = reply.json();
    return {
      email,
      password: testPassword,
      userId: user.id,
      orgId: user.organization.id,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      headers: { authorization: `Bearer ${tokens.access_token}` },
    };
  }

  function trySend(profile: SentProfile, { headers, query, app: to = app }: SendOptions) {
    const payload = Buffer.from(profile instanceof Uint8Array ? profile : writeProfile(profile));
    const url = "/api/v1/ingest/profiles";
    return to.inject({ method: "POST", url, query: { service: "s", ...query }, headers, payload });
  }

  return {
    app,
    ctx,
    rows: acrossOrganizations(ctx.rows),
    clock,
    logged,
    described,
    signUp,
    async setRole(person, role) {
      const { orgId, userId } = person;
      const change = ctx.rows.updateTable("memberships").set({ role });
      await change.where("orgId", "=", orgId).where("userId", "=", userId).execute();
      // Otherwise the look-up would return the former role for ten more seconds.
      const claims = JSON.parse(Buffer.from(person.accessToken.split(".")[1] ?? "", "base64url").toString());
      ctx.sessions.forget(claims.sid);
    },
    trySend,
    async send(profile, options) {
      const reply = await trySend(profile, options);
      if (reply.statusCode !== 200) throw new Error(`sending a profile failed: ${reply.body}`);
      return reply.json();
    },
    createApp: (overrides) => createApp({ ...ctx, ...overrides }),
    async makeKey(person, name = "test", scope = "ingest") {
      const url = "/api/v1/protected/api-keys";
      const reply = await app.inject({
        method: "POST",
        url,
        headers: person.headers,
        payload: { name, scope },
      });
      if (reply.statusCode !== 201) throw new Error(`creating a key failed: ${reply.body}`);
      const { id, key } = reply.json().api_key;
      return { id, key, headers: { "x-api-key": key } };
    },
    async close() {
      await app.close();
      await ctx[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

let threads: ReturnType<typeof openThreads> | undefined;

/**
 * Parts that the apps of a worker share; they end with the worker. Starting the threads of one app would take half a second of CPU.
 * The demo's organization has the same id everywhere, and a copied folder has the organizations of another app: they share nothing.
 */
async function sharedParts(options: StartOptions, config: Config): Promise<SharedParts | undefined> {
  if (config.demo || options.env?.DATA_DIR !== undefined) return undefined;
  threads ??= openThreads(pino({ level: "silent" }), readConfig({}).threads);
  return { ...threads, ...(mayShareColumns(options, config) && { columns: await sharedColumnStore() }) };
}

/** Settings of the engine need a separate one. */
function mayShareColumns({ hasSeparateColumns = false, config }: StartOptions, { columns }: Config): boolean {
  return !hasSeparateColumns && columns.kind === "embedded" && config?.columns === undefined;
}

function checkOrganizations(ctx: OpenContext): OpenContext {
  const rows = ctx.rows.withPlugin(organizationCheck);
  const keys = openKeyLookup(rows, ctx.log, ctx.now, ctx.audit);
  return { ...ctx, rows, keys, sessions: openSessionLookup(rows, ctx.now) };
}

/** Replaces `inject`: it fails if the OpenAPI document does not describe the reply. */
function checkReplies(app: FastifyInstance): DescribedReplies {
  const described = describedReplies();
  const inject = app.inject.bind(app);
  const checked = async (sent: InjectOptions | string) => {
    const reply = await inject(sent);
    described.check(sent, reply);
    return reply;
  };
  app.inject = checked as typeof app.inject;
  return described;
}

function startClock(at: string | undefined): TestClock {
  let offset = 0;
  const start = at === undefined ? undefined : Date.parse(at);
  return {
    now: () => new Date((start ?? Date.now()) + offset),
    advance(ms) {
      offset += ms;
    },
  };
}
