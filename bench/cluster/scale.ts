import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { signUp } from "@flamekeep/e2e/sign-up";
import { type Flamekeep, root, startFlamekeep } from "@flamekeep/e2e/start-flamekeep";
import { startClickHouse } from "@flamekeep/server/testing/clickhouse";
import type { RunningPostgres } from "@flamekeep/server/testing/postgres";
import { Random } from "#random";
import { startBalancer } from "./balancer.ts";
import { differencesOf } from "./differences.ts";
import { listsOf, type Reader } from "./figures.ts";
import { judge, type Verdict } from "./judge.ts";
import { lastingPort } from "./lasting-port.ts";
import { type PageCommand, pageCommands } from "./page-commands.ts";
import { startOne } from "./run.ts";
import { type Served, type Stage, underLoad } from "./stage.ts";
import { mixedSeries, periodAt } from "./uploads.ts";

/** A machine that is busy with other work may not answer the command in time. */
const runsMax = 3;

/** Beyond what the pages say: less waiting, and no work that the sequence is not about. */
const ownSettings = {
  DEMO: "off",
  ANALYSIS_DAILY: "off",
  // Longer than the time between two probes of the balancer.
  STOP_DELAY_SECONDS: "1",
};

export interface ScaleOptions {
  /** In which the servers get an empty database. */
  readonly postgres: RunningPostgres;
  readonly seed: number;
  /** How long the load goes on between two steps. */
  readonly restMs: number;
  /** Between two uploads of each of nine series. */
  readonly betweenMs: number;
  /** Called at the end of each step. */
  readonly onStep?: (what: string) => void;
}

/** A verdict for three servers, and one for the server that remains. */
export interface Scaled {
  readonly atThree: Verdict;
  readonly backAtOne: Verdict;
}

/** One server with the built-in stores, which becomes three, and one again, as docs/operate/cluster.md says. Uploads go on throughout. */
export async function scaleThereAndBack(options: ScaleOptions): Promise<Scaled> {
  const { postgres, seed } = options;
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "flamekeep-scale-"));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const clickHouse = await startClickHouse({ path: join(folder, "clickhouse"), remove() {} });
  started.defer(() => clickHouse.stop());
  const endpoint = await clickHouse.openEndpoint();
  const random = new Random(seed);
  const commands = await commandsHere(folder, {
    clickHouseUrl: endpoint.url,
    databaseUrl: await postgres.createDatabase(),
  });
  const servers: Flamekeep[] = [];
  started.defer(async () => {
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
  });
  servers.push(await start(commands.source));
  const balancer = started.use(await startBalancer(() => servers.map(({ url }) => url), random));
  const account = await signUp(balancer.url);
  const stage: Stage<Served> = {
    cluster: { url: balancer.url, endpoint, members: servers },
    account,
    orgId: account.registered.user.organization.id,
    period: periodAt(Date.now()),
    random,
    acknowledged: [],
  };
  const one = started.use(await startOne());
  return await new Scaling({ ...options, stage, servers, commands }).thereAndBack(one.url);
}

type Commands = Awaited<ReturnType<typeof commandsHere>>;

/** The commands of the pages, with the folders, addresses and ports of this machine. */
async function commandsHere(
  folder: string,
  stores: { readonly clickHouseUrl: string; readonly databaseUrl: string },
) {
  const here = {
    "/srv/": `${folder}/`,
    "http://user:password@clickhouse:8123/flamekeep": stores.clickHouseUrl,
    "postgres://user:password@postgres/flamekeep": stores.databaseUrl,
  };
  const ports: Record<string, string> = {};
  for (const written of ["PORT=4040", "PORT=4050", "PORT=4060"])
    ports[written] = `PORT=${await lastingPort()}`;
  const [move] = pageCommands("docs/operate/move.md", "npm run move", here);
  const [afterMove] = pageCommands("docs/operate/move.md", "npm start", here);
  const [first, ...others] = pageCommands("docs/operate/cluster.md", "npm start", { ...here, ...ports });
  if (move === undefined || afterMove === undefined || first === undefined || others.length !== 2)
    throw new Error("the pages have no command to move, or other than three servers");
  const settled = Object.entries(afterMove.settings).filter(
    ([name, value]) => first.settings[name] !== value,
  );
  if (settled.length > 0) throw new Error(`the two pages start the moved server with different ${settled}`);
  const source = { command: "npm start", settings: { DATA_DIR: move.settings.DATA_DIR! } };
  return { source, move, first, others };
}

async function start({ settings }: PageCommand): Promise<Flamekeep> {
  const { DATA_DIR: dataDir, PORT: port, ...env } = settings;
  return startFlamekeep({
    dataDir: dataDir!,
    ...(port !== undefined && { port: Number(port) }),
    env: { ...ownSettings, ...env },
  });
}

interface Parts extends ScaleOptions {
  readonly stage: Stage<Served>;
  /** Those that run, which the balancer sends to. */
  readonly servers: Flamekeep[];
  readonly commands: Commands;
}

class Scaling {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async thereAndBack(oneUrl: string): Promise<Scaled> {
    const lists = await this.#withLists();
    const judged = async (steps: readonly (() => Promise<void>)[]) => {
      const verdict = await judge(() => this.#underLoad(steps), this.#parts.stage, oneUrl);
      const differences = [...verdict.differences, ...differencesOf(lists, await listsOf(this.#reader))];
      return { ...verdict, differences };
    };
    const atThree = await judged([() => this.#move(), () => this.#startOthers()]);
    const backAtOne = await judged([() => this.#stopOthers()]);
    return { atThree, backAtOne };
  }

  get #reader(): Reader {
    const { cluster, account } = this.#parts.stage;
    return { url: cluster.url, headers: account.headers };
  }

  /** A rule and a dashboard, which move with the profiles. */
  async #withLists() {
    const { url, headers } = this.#reader;
    const make = async (path: string, body: object) => {
      const reply = await fetch(`${url}/api/v1/protected/${path}`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    };
    await make("dashboards", { name: "Till", panels: [{ kind: "note", id: "n", text: "Look" }] });
    await make("alerts/rules", {
      name: "Many requests",
      service: "checkout",
      signal: "http_request_rate",
      comparison: "above",
      threshold: 1000,
      minutes: 5,
    });
    return listsOf(this.#reader);
  }

  /** The load goes on for some time before, between and after the steps. */
  async #underLoad(steps: readonly (() => Promise<void>)[]): Promise<void> {
    const { stage, restMs, betweenMs } = this.#parts;
    const sent = stage.acknowledged.length;
    const series = mixedSeries(stage.period).map((upload) => (number: number) => upload(number + sent));
    await underLoad(
      stage,
      async () => {
        await sleep(restMs);
        for (const step of steps) {
          await step();
          await sleep(restMs);
        }
      },
      series,
      betweenMs,
    );
  }

  async #move(): Promise<void> {
    const { commands, servers, stage } = this.#parts;
    const before = stage.acknowledged.length;
    await run(commands.move);
    const meanwhile = stage.acknowledged.length - before;
    if (meanwhile === 0) throw new Error("no upload was acknowledged during the first move");
    this.#done(`moved, and took ${meanwhile} uploads meanwhile`);
    await end(servers.pop()!);
    await run(commands.move);
    servers.push(await start(commands.first));
    this.#done("one server on the new stores");
  }

  async #startOthers(): Promise<void> {
    const { commands, servers } = this.#parts;
    for (const command of commands.others) servers.push(await start(command));
    this.#done("three servers");
  }

  /** Those that the page starts last, one after the other. Nothing may be in their folders alone. */
  async #stopOthers(): Promise<void> {
    const { servers } = this.#parts;
    while (servers.length > 1) {
      const server = servers.at(-1)!;
      await end(server);
      servers.pop();
      rmSync(server.dataDir, { recursive: true });
    }
    this.#done("one server again");
  }

  #done(what: string): void {
    this.#parts.onStep?.(what);
  }
}

/** SIGTERM. A server that leaves acknowledged uploads in its folder says so. */
async function end(server: Flamekeep): Promise<void> {
  const code = await server.stop("SIGTERM");
  if (code !== 0 || server.output().includes("only in the log of this data folder"))
    throw new Error(`a server ended with code ${code}: ${server.output()}`);
}

/** Runs a command, again where it fails: the page says that the next run goes on with an interrupted one. */
async function run(command: PageCommand): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const failure = await runOnce(command);
    if (failure === undefined) return;
    if (attempt === runsMax) throw new Error(failure);
  }
}

/** Why it failed; undefined if it did not. */
async function runOnce({ command, settings }: PageCommand): Promise<string | undefined> {
  const name = command.replace("npm run ", "");
  const { NODE_ENV: _, VITEST: __, NODE_OPTIONS: ___, ...env } = process.env;
  const child = spawn(process.execPath, ["scripts/bootstrap.mjs", name], {
    cwd: root,
    env: { ...env, LOG_LEVEL: "warn", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  const output = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return code === 0 ? undefined : `${command} ended with code ${code}: ${output.join("")}`;
}
