import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Flamekeep {
  readonly url: string;
  readonly dataDir: string;
  /** Process id of the process that the user started; the server is its child. */
  readonly pid: number;
  /** Everything printed so far, both streams. */
  output(): string;
  /** Its exit code, when all of its processes have ended. */
  readonly ended: Promise<number>;
  /** Sends Ctrl-C, or another signal, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number>;
  /** Stops it and removes the data folder, unless that was given. */
  [Symbol.asyncDispose](): Promise<void>;
}

interface StartOptions {
  /** Kept if given; otherwise a new folder that is removed at the end. */
  readonly dataDir?: string;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** By default what `npm start` runs, without npm. */
  readonly command?: readonly [string, ...string[]];
}

const withoutNpm = [process.execPath, "scripts/bootstrap.mjs", "start"] as const;

/** Starts the server as `npm start` does, on a free port. Resolves when it is ready. */
export async function startFlamekeep(options: StartOptions = {}): Promise<Flamekeep> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "flamekeep-e2e-"));
  const { url, running } = await launchOnPort({ ...options, dataDir });
  const flamekeep: Flamekeep = {
    url,
    dataDir,
    pid: running.pid,
    output: running.output,
    ended: running.ended,
    stop(signal = "SIGINT") {
      running.kill(signal);
      return running.ended;
    },
    async [Symbol.asyncDispose]() {
      await this.stop("SIGTERM");
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return flamekeep;
}

async function launchOnPort(options: StartOptions & { readonly dataDir: string }) {
  for (;;) {
    const port = options.port ?? (await freePort());
    const env = { ...options.env, PORT: String(port), DATA_DIR: options.dataDir };
    const running = launch(env, options.command);
    const url = `http://127.0.0.1:${port}`;
    try {
      await waitUntilReady(url, running);
      return { url, running };
    } catch (error) {
      // Another process may have taken the port since it was free.
      if (options.port !== undefined || !running.output().includes(`Port ${port} is in use`)) throw error;
    }
  }
}

/** Starts the server and waits until it exits. */
export async function failToStart(env: Readonly<Record<string, string>>) {
  const running = launch(env);
  const exitCode = await running.ended;
  return { exitCode, stderr: running.stderr() };
}

interface Running {
  readonly pid: number;
  readonly ended: Promise<number>;
  readonly hasEnded: () => boolean;
  readonly output: () => string;
  readonly stderr: () => string;
  kill(signal: NodeJS.Signals): void;
}

function launch(
  env: Readonly<Record<string, string>>,
  [command, ...args]: readonly [string, ...string[]] = withoutNpm,
): Running {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...withoutOurSettings(), LOG_LEVEL: "warn", STOP_DELAY_SECONDS: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    stderr += chunk.toString();
  });
  const ended = new Promise<number>((resolve) => {
    child.once("close", (code) => resolve(code ?? 1));
  });
  return {
    pid: child.pid ?? 0,
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    output: () => output,
    stderr: () => stderr,
    kill: (signal) => child.kill(signal),
  };
}

/** The environment without the settings of the test runner. */
function withoutOurSettings(): Record<string, string | undefined> {
  const { NODE_ENV: _, VITEST: __, NODE_OPTIONS: ___, ...env } = process.env;
  return env;
}

async function waitUntilReady(url: string, running: Running): Promise<void> {
  for (;;) {
    if (running.hasEnded()) throw new Error(`The server ended while starting:\n${running.output()}`);
    const reply = await fetch(`${url}/readyz`).catch(() => undefined);
    if (reply?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
