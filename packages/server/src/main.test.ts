import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterEach, describe, expect, it } from "vitest";
import { copyColumnStore } from "#store/testing/templates.ts";
import { pprofOf } from "./features/ingest/testing/pprof-of.ts";

const main = new URL("main.ts", import.meta.url).pathname;
const folders: string[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) {
    // The engine of a server that has just ended may still write.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "flamekeep-main-"));
  folders.push(folder);
  return folder;
}

/** A folder whose column store has its tables: creating them is most of a first start. */
async function folderWithTables(): Promise<string> {
  const folder = await newFolder();
  await copyColumnStore(folder);
  return folder;
}

interface Started {
  readonly child: ChildProcess;
  /** The URL it prints once it serves. */
  readonly url: Promise<string>;
  readonly ended: Promise<{ code: number | null; out: string; err: string }>;
}

function start(env: Record<string, string>): Started {
  const child = spawn(process.execPath, [main], {
    env: { LOG_LEVEL: "silent", NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let out = "";
  let err = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  const url = new Promise<string>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      const match = /Flamekeep serves (\S+)/.exec(out);
      if (match !== null) resolve(match[1] as string);
    });
  });
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, out, err }));
  });
  return { child, url, ended };
}

describe("the server's program", () => {
  /** JSON where nobody looks at a terminal. */
  const jsonLine = /^\{"level":30,.*"msg":"[^"]+"\}$/;
  const readableLine = /^\[\d\d:\d\d:\d\d\] INFO: \w[^{]*( \{.*\})?$/;

  it("serves, keeps its secret private, stops on a signal and starts again on the same data, logging JSON, or lines when asked to", async () => {
    const dataDir = await newFolder();
    // Enough for two calls on a busy machine.
    const env = { DATA_DIR: dataDir, PORT: "0", DEMO: "off", LOG_LEVEL: "info", STOP_DELAY_SECONDS: "20" };
    const account = {
      email: "ada@example.com",
      password: "correct horse",
      first_name: "Ada",
      last_name: "L",
    };
    const post = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(account),
    };

    // As the launcher starts it: Node would warn of the memory that an idle server gives back.
    const first = start({ ...env, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" });
    const registered = await fetch(`${await first.url}/auth/register`, post);
    expect(registered.status).toBe(201);
    const { tokens } = (await registered.json()) as { tokens: { access_token: string } };
    // The guide has the port that PORT=0 chose.
    expect(await (await fetch(`${await first.url}/docs/sending`)).text()).toContain(
      `${await first.url}/api/v1/ingest/profiles`,
    );
    const names = await readdir(dataDir, { recursive: true });
    expect(names).toEqual(expect.arrayContaining(["auth-secret", "flamekeep.sqlite", "uploads"]));
    const modes = await Promise.all(
      names.map(async (name) => [name, (await stat(join(dataDir, name))).mode]),
    );
    expect(modes.filter(([, mode]) => (Number(mode) & 0o077) !== 0)).toEqual([]);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const statusOf = async (path: string) => (await fetch(`${await first.url}${path}`, { headers })).status;
    const patience = { timeout: 60_000 };
    await expect.poll(() => statusOf("/readyz"), patience).toBe(200);
    first.child.kill("SIGTERM");
    // A load balancer sends requests until it has seen that the server is not ready.
    await expect.poll(() => statusOf("/readyz"), patience).toBe(503);
    expect(await statusOf("/api/v1/protected/user/profile")).toBe(200);
    expect(await first.ended).toMatchObject({ code: 0, err: expect.toSatisfy(hasOnly(jsonLine)) });

    const second = start({ ...env, LOG_FORMAT: "pretty" });
    const profile = await fetch(`${await second.url}/api/v1/protected/user/profile`, { headers });
    expect(profile.status).toBe(200);
    second.child.kill("SIGINT");
    expect(await second.ended).toMatchObject({ code: 0, err: expect.toSatisfy(hasOnly(readableLine)) });
  });

  it("stops on a signal that arrives while it replaces the listeners of signals", async () => {
    const hook = `process.on("removeListener", (name) => { if (name === "SIGTERM") process.kill(process.pid, name); });`;
    const { ended } = start({
      DATA_DIR: await folderWithTables(),
      PORT: "0",
      DEMO: "off",
      NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(hook)}"`,
    });
    expect(await ended).toMatchObject({ code: 0, out: expect.stringContaining("Stopping") });
  });

  it("holds the port that PORT=0 chose until it listens", async () => {
    const hook = `import net from "node:net";
      const { listen } = net.Server.prototype;
      let isSeen = false;
      net.Server.prototype.listen = function (...given) {
        if (!isSeen) {
          isSeen = true;
          this.once("listening", () => {
            const { port } = this.address();
            setTimeout(() => net.createServer().on("error", () => {}).listen(port, "127.0.0.1").unref(), 50);
          });
        }
        return listen.apply(this, given);
      };`;
    const { child, url, ended } = start({
      DATA_DIR: await folderWithTables(),
      PORT: "0",
      DEMO: "off",
      STOP_DELAY_SECONDS: "0",
      NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(hook)}"`,
    });
    const failed = ended.then(({ err }) => Promise.reject(new Error(err)));
    expect(await Promise.race([url, failed])).toMatch(/:\d+$/);
    child.kill("SIGTERM");
    await failed.catch(() => undefined);
  });

  it.runIf(isFullLength)("lists all wrong settings and exits with 78", async () => {
    const { code, out, err } = await start({ PORT: "x", SIGNUP: "no" }).ended;
    expect([code, out]).toEqual([78, ""]);
    expect(err).toContain("PORT must be a whole number from 0 to 65535");
    expect(err).toContain("SIGNUP must be one of open, invite");
    expect(err).not.toContain("at ");
  });

  describe("says in one line, before it opens a store, that", () => {
    it.runIf(isFullLength)("its port is in use", async () => {
      const first = start({ PORT: "0", DATA_DIR: await folderWithTables(), DEMO: "off" });
      const { port } = new URL(await first.url);
      expect(await refusal({ PORT: port })).toBe(
        `Port ${port} is in use. Stop the program that uses it, or set PORT to another.\n`,
      );
    });

    it("its socket is in use", async () => {
      const socket = join(await newFolder(), "socket");
      await using other = createServer();
      await once(other.listen(socket), "listening");
      expect(await refusal({ PORT: "0", UNIX_SOCKET: socket })).toBe(
        `UNIX_SOCKET=${socket} is in use. Stop the program that uses it, or name another path.\n`,
      );
    });

    /** The output of a server that cannot start: in a new folder its stores would log their migrations. */
    async function refusal(env: Record<string, string>): Promise<string> {
      const dataDir = await newFolder();
      const { code, out, err } = await start({
        LOG_LEVEL: "info",
        DATA_DIR: dataDir,
        DEMO: "off",
        ...env,
      }).ended;
      expect([code, out, await readdir(dataDir)]).toEqual([1, "", []]);
      return err;
    }
  });

  it("ends its jobs before its stores if the port is taken while it starts, and says so in one line", async () => {
    const dataDir = await folderWithTables();
    await leaveUpload(dataDir);
    const hook = `
      import net from "node:net";
      const { listen } = net.Server.prototype;
      net.Server.prototype.listen = function (place, ...rest) {
        if (place?.host !== "127.0.0.1") return listen.call(this, place, ...rest);
        process.nextTick(() => this.emit("error", Object.assign(new Error("in use"), { code: "EADDRINUSE" })));
        return this;
      };`;
    const { code, out, err } = await start({
      LOG_LEVEL: "warn",
      DATA_DIR: dataDir,
      PORT: "0",
      DEMO: "off",
      NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import "data:text/javascript,${encodeURIComponent(hook)}"`,
    }).ended;
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^Port \d+ is in use\. Stop the program that uses it, or set PORT to another\.\n$/);
  });

  it.runIf(isFullLength)("says in one line that its data folder cannot be written", async () => {
    const file = join(await newFolder(), "file");
    await writeFile(file, "");
    const { code, err } = await start({ PORT: "0", DATA_DIR: join(file, "data") }).ended;
    expect(code).toBe(1);
    expect(err.trim()).toMatch(/^The data folder \S+ cannot be written \(ENOTDIR\)\. .*DATA_DIR\.$/);
    if (process.platform === "linux") {
      const refused = await start({ PORT: "0", DATA_DIR: "/proc/flamekeep/data" }).ended;
      expect([refused.code, refused.err.trim()]).toEqual([
        1,
        expect.stringMatching(/cannot be written \(ENOENT\)/),
      ]);
    }
  });

  const hosts = [
    ["192.0.2.1", "EADDRNOTAVAIL"],
    ["999.1.1.1", "ENOTFOUND|EAI_AGAIN"],
  ] as const;

  it.each(shortened(hosts, 1))(
    "says in one line that HOST=%s is no address of the machine",
    async (host, code) => {
      const env = { HOST: host, PORT: "0", DATA_DIR: await folderWithTables(), DEMO: "off" };
      const { code: exitCode, err } = await start(env).ended;
      expect(exitCode).toBe(1);
      expect(err.trim()).toMatch(
        new RegExp(`^HOST=${host} is not an address of this machine \\((${code})\\)\\. Set HOST .*\\.$`),
      );
    },
  );

  const places = [
    ["uploads", "must be a folder", asFile],
    ["flamekeep.sqlite", "is damaged, or no database of Flamekeep", asFile],
    ["auth-secret", "must be a file", asFolder],
    ["columns", "must be a folder", asFile],
    ["flamekeep.sqlite", "must be a file", asFolder],
    ["auth-secret", "is damaged", asFile],
  ] as const;

  it.each(shortened(places, 3))("says in one line that %s %s", async (name, words, place) => {
    const dataDir = name === "columns" ? await newFolder() : await folderWithTables();
    const path = join(dataDir, name);
    await place(path);
    const { code, err } = await start({ PORT: "0", DATA_DIR: dataDir, DEMO: "off" }).ended;
    expect(code).toBe(1);
    expect(err.trim()).toMatch(/^.*\. (Move|Put|Remove) .*\.$/);
    expect(err).toContain(`${path} ${words}`);
  });
});

/** Each case starts a process, which takes two seconds of CPU. Some others are in e2e/start-up.test.ts too, and here at full length. */
function shortened<T>(cases: readonly T[], count: number): readonly T[] {
  return isFullLength ? cases : cases.slice(0, count);
}

/** Leaves an upload whose rows the next start has to make: its server is killed. */
async function leaveUpload(dataDir: string): Promise<void> {
  const { child, url, ended } = start({ PORT: "0", DATA_DIR: dataDir, DEMO: "off" });
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    const sent = { ...headers, "content-type": "application/json" };
    const reply = await fetch(`${await url}${path}`, {
      method: "POST",
      headers: sent,
      body: JSON.stringify(body),
    });
    return (await reply.json()) as { tokens: { access_token: string }; api_key: { key: string } };
  };
  const person = { email: "ada@example.com", password: "correct horse", first_name: "Ada", last_name: "L" };
  const { tokens } = await post("/auth/register", person, {});
  const authorization = `Bearer ${tokens.access_token}`;
  const { api_key } = await post("/api/v1/protected/api-keys", { name: "test" }, { authorization });
  const reply = await fetch(`${await url}/api/v1/ingest/profiles?service=left`, {
    method: "POST",
    headers: { "x-api-key": api_key.key },
    body: new Uint8Array(pprofOf({ sampleTypes: ["cpu/nanoseconds"], samples: [["main;work", 1]] })),
  });
  expect(reply.status).toBe(200);
  child.kill("SIGKILL");
  await ended;
}

/** Whether a text has lines, and each is like this one. */
function hasOnly(line: RegExp): (text: string) => boolean {
  return (text) =>
    text
      .trim()
      .split("\n")
      .every((each) => line.test(each));
}

function asFile(path: string): Promise<void> {
  return writeFile(path, "not what belongs here\n");
}

async function asFolder(path: string): Promise<void> {
  await mkdir(path);
}
