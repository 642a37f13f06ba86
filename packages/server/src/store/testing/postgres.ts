import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { testStoresFolder } from "./test-stores-folder.ts";

export interface RunningPostgres {
  readonly folder: string;
  /** Makes an empty database, or a copy of one that nobody is connected to, and returns its URL. */
  createDatabase(copied?: string): Promise<string>;
  /** Ends it at once, as a crash does, with all connections, and starts it again over the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

let shared: Promise<RunningPostgres | undefined> | undefined;

/** The PostgreSQL of this worker, which scripts/test-stores.ts stops after the last test; undefined if it is not installed. */
export function sharedPostgres(): Promise<RunningPostgres | undefined> {
  shared ??= startShared();
  return shared;
}

async function startShared(): Promise<RunningPostgres | undefined> {
  const postgres = await startPostgres();
  if (postgres)
    writeFileSync(join(testStoresFolder(), `${basename(postgres.folder)}.running`), postgres.folder);
  return postgres;
}

/** A private PostgreSQL on a free loopback port; undefined if PostgreSQL is not installed. */
export async function startPostgres(): Promise<RunningPostgres | undefined> {
  const bin = findPrograms();
  if (!bin) return undefined;
  const identity = unprivilegedIdentity();
  if (identity === "none") return undefined;
  const folder = mkdtempSync(join(tmpdir(), "flamekeep-postgres-"));
  if (identity) chownSync(folder, identity.uid, identity.gid);
  const options = { ...identity, cwd: folder, stdio: "ignore" as const };
  const data = join(folder, "data");
  execFileSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--no-locale", "--encoding=UTF8"],
    options,
  );
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "fsync=off"];
  const launch = () => {
    const server = spawn(
      join(bin, "postgres"),
      ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
      options,
    );
    const exited = new Promise<void>((resolve) => server.once("exit", () => resolve()));
    // The worker does not wait for it.
    server.unref();
    return async (signal: "SIGINT" | "SIGQUIT") => {
      server.ref();
      server.kill(signal);
      await exited;
    };
  };
  let end = launch();
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  await waitUntilOpen(url("postgres"));
  let databases = 0;
  return {
    folder,
    createDatabase: async (copied = url("template1")) => {
      const name = `store_${++databases}`;
      const template = new URL(copied).pathname.slice(1);
      await runOnce(url("postgres"), `CREATE DATABASE ${name} TEMPLATE ${template}`);
      return url(name);
    },
    restart: async () => {
      await end("SIGQUIT");
      end = launch();
      await waitUntilOpen(url("postgres"));
    },
    stop: async () => {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findPrograms(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, "bin")), "/usr/bin", "/usr/local/bin"];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

/** PostgreSQL refuses to run as root; the Debian package brings a user for it. */
function unprivilegedIdentity(): { uid: number; gid: number } | "none" | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  try {
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return "none";
  }
}

async function waitUntilOpen(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await runOnce(url, "SELECT 1");
      return;
    } catch (error) {
      if (attempt >= 200) throw error;
      await sleep(50);
    }
  }
}

async function runOnce(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
