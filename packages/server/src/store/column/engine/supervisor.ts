import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { StoreLog } from "#store/log.ts";
import { writeEngineConfig } from "./config-file.ts";
import type { EngineSettings, FromEngine, LostPart, ReadLimits, ToEngine } from "./protocol.ts";

const RESTART_DELAY_MS_MIN = 50;
const RESTART_DELAY_MS_MAX = 5_000;
/** A predecessor that was just killed frees the folder's lock within moments. */
const IN_USE_TRIES = 20;
const IN_USE_DELAY_MS = 250;

export interface EngineOptions {
  readonly dataDir: string;
  readonly memoryBytesMax: number;
  readonly limits: ReadLimits;
}

/** Where the running engine answers. A new one after each restart. */
export interface EngineAddress {
  readonly url: string;
  readonly readerPassword: string;
  readonly writerPassword: string;
}

export interface Engine {
  /** Undefined while the engine restarts. */
  address(): EngineAddress | undefined;
  /** Process id of the running child, for measurements and tests. */
  pid(): number | undefined;
  restarts(): number;
  quarantined(): readonly string[];
  lostParts(): readonly LostPart[];
  /** Finishes what runs, then closes the store. */
  stop(): Promise<void>;
}

export async function startEngine(options: EngineOptions, log: StoreLog): Promise<Engine> {
  const settings = prepare(options);
  const quarantined: string[] = [];
  let running = await openOrQuarantine(settings, options.dataDir, quarantined, log);
  let address: EngineAddress | undefined = toAddress(settings, running);
  let restarts = 0;
  let isStopping = false;
  const watch = (): void => {
    running.child.once("exit", (code, signal) => {
      address = undefined;
      if (isStopping) return;
      log.error({ code, signal }, "the column store's engine stopped; starting it again");
      void restart();
    });
  };
  const restart = async (): Promise<void> => {
    for (let delay = RESTART_DELAY_MS_MIN; !isStopping; delay = Math.min(delay * 2, RESTART_DELAY_MS_MAX)) {
      await sleep(delay);
      if (isStopping) return;
      restarts++;
      try {
        const next = await open(settings, log);
        if (isStopping) return void next.child.kill("SIGKILL");
        running = next;
        address = toAddress(settings, running);
        watch();
        log.warn({ restarts }, "the column store's engine is back");
        return;
      } catch (error) {
        log.error({ err: error, restarts }, "the column store's engine did not start; trying again");
      }
    }
  };
  watch();
  return {
    address: () => address,
    pid: () => (address ? running.child.pid : undefined),
    restarts: () => restarts,
    quarantined: () => quarantined,
    lostParts: () => running.lostParts,
    stop: async () => {
      isStopping = true;
      address = undefined;
      await stopChild(running.child);
    },
  };
}

function prepare(options: EngineOptions): EngineSettings {
  const path = join(options.dataDir, "columns");
  mkdirSync(path, { recursive: true });
  return {
    path,
    configFile: writeEngineConfig(options.dataDir, options),
    readerPassword: randomBytes(24).toString("base64url"),
    writerPassword: randomBytes(24).toString("base64url"),
    limits: options.limits,
  };
}

interface RunningChild {
  readonly child: ChildProcess;
  readonly port: number;
  readonly lostParts: readonly LostPart[];
}

function toAddress(settings: EngineSettings, running: RunningChild): EngineAddress {
  const { readerPassword, writerPassword } = settings;
  return { url: `http://127.0.0.1:${running.port}`, readerPassword, writerPassword };
}

class CannotOpen extends Error {
  override readonly name = "CannotOpen";
  readonly reason: "in-use" | "broken";

  constructor(reason: "in-use" | "broken", message: string) {
    super(message);
    this.reason = reason;
  }
}

async function openOrQuarantine(
  settings: EngineSettings,
  dataDir: string,
  quarantined: string[],
  log: StoreLog,
): Promise<RunningChild> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await open(settings, log);
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error;
      if (error.reason === "in-use") {
        if (attempt >= IN_USE_TRIES) {
          throw new Error(
            `The data folder ${dataDir} is in use by another Flamekeep. Stop it, or set DATA_DIR.`,
          );
        }
        await sleep(IN_USE_DELAY_MS);
        continue;
      }
      if (quarantined.length > 0) throw error;
      quarantined.push(quarantine(settings.path, dataDir));
      log.error(
        { err: error, movedTo: quarantined[0] },
        "THE COLUMN STORE DID NOT OPEN. It was moved aside, whole, and an empty one was started. Profiles stored before now are missing until it is repaired.",
      );
    }
  }
}

function quarantine(path: string, dataDir: string): string {
  const taken = readdirSync(dataDir).filter((name) => /^quarantine-\d+$/.test(name));
  const number = Math.max(0, ...taken.map((name) => Number(name.slice("quarantine-".length)))) + 1;
  const target = join(dataDir, `quarantine-${number}`);
  renameSync(path, target);
  mkdirSync(path);
  return target;
}

/** Starts one child and waits until it serves. */
function open(settings: EngineSettings, log: StoreLog): Promise<RunningChild> {
  const child = fork(new URL("child.ts", import.meta.url), {
    // Nothing of the parent's environment: the engine needs no secret. libuv's pool must exceed the sessions.
    env: { UV_THREADPOOL_SIZE: "8", TZ: "UTC" },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output.push(text);
      if (output.length > 50) output.shift();
      log.debug({ output: text.trimEnd() }, "engine output");
    });
  }
  child.send({ kind: "start", settings } satisfies ToEngine);
  return new Promise((resolve, reject) => {
    child.once("message", (message: FromEngine) => {
      if (message.kind === "ready") {
        child.removeAllListeners("exit");
        resolve({ child, port: message.port, lostParts: message.lostParts });
        return;
      }
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
      reject(new CannotOpen(message.reason, message.message));
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      reject(
        new CannotOpen("broken", `the engine exited (${signal ?? code}) while opening: ${output.join("")}`),
      );
    });
  });
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  if (child.connected) child.send({ kind: "stop" } satisfies ToEngine);
  await exited;
}
