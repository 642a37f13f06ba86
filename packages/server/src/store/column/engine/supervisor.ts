import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { StoreLog } from "#store/log.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { writeEngineConfig } from "./config-file.ts";
import { OpenFailure } from "./opening/open-failure.ts";
import { openStore } from "./opening/open-store.ts";
import { type EngineLaunch, openChild, type RunningChild, stopChild } from "./process.ts";
import type { LostPart, ReadLimits } from "./protocol.ts";
import { type EngineTiming, engineTimingDefault } from "./timing.ts";
import { type Watchdog, watchEngine } from "./watchdog.ts";

/** The store's folder in the data folder. */
export const columnsFolder = "columns";
const restartDelayMsMin = 50;
const restartDelayMsMax = 5_000;

export interface EngineOptions {
  readonly dataDir: string;
  readonly memoryBytesMax: number;
  readonly freeDiskBytesMin?: number;
  readonly limits: ReadLimits;
  readonly timing?: Partial<EngineTiming>;
  /** Name of the store's folder in the data folder. */
  readonly folder?: string;
  /** Whether a damaged store is moved aside; otherwise it is refused. Default true. */
  readonly movesDamaged?: boolean;
  /** The program of the engine process. */
  readonly program?: URL;
}

/** URL and passwords of the running engine. They change with each restart. */
export interface EngineAddress {
  readonly url: string;
  readonly readerPassword: string;
  readonly writerPassword: string;
}

export interface Engine {
  /** Undefined while the engine restarts. */
  address(): EngineAddress | undefined;
  /** Process id of the running child. */
  pid(): number | undefined;
  restarts(): number;
  /** How often a process was killed because it did not respond. */
  hangs(): number;
  /** Why nothing can be stored or read now; completes "The column store ...". Undefined while the engine responds. */
  outage(): string | undefined;
  /** Why the last attempt to start it again failed. May name files. */
  outageCause(): string | undefined;
  /** Whether the process responds within two seconds. */
  check(): Promise<boolean>;
  lostParts(): readonly LostPart[];
  /** Finishes running operations, then closes the store. */
  stop(): Promise<void>;
}

/** @param onSilence called when the engine stops responding: running requests may never get a reply */
export async function startEngine(
  options: EngineOptions,
  log: StoreLog,
  onSilence: () => void = () => {},
): Promise<Engine> {
  const timing = { ...engineTimingDefault, ...options.timing };
  const launch = prepare(options);
  const running = await openStore(launch, { ...options, timing }, log);
  return new Supervisor(launch, running, { timing, log, onSilence });
}

interface SupervisorOptions {
  readonly timing: EngineTiming;
  readonly log: StoreLog;
  readonly onSilence: () => void;
}

/** Keeps one engine process running until `stop`. */
class Supervisor implements Engine {
  readonly #launch: EngineLaunch;
  readonly #options: SupervisorOptions;
  #running: RunningChild;
  #address: EngineAddress | undefined;
  #watchdog!: Watchdog;
  #restarts = 0;
  #hangs = 0;
  #isStopping = false;
  /** Why the last attempt to start it again failed. */
  #lastFailure: string | undefined;

  constructor(launch: EngineLaunch, running: RunningChild, options: SupervisorOptions) {
    this.#launch = launch;
    this.#options = options;
    this.#running = running;
    this.#watch(running);
  }

  address(): EngineAddress | undefined {
    return this.#address;
  }

  pid(): number | undefined {
    return this.#address && this.#running.child.pid;
  }

  restarts(): number {
    return this.#restarts;
  }

  hangs(): number {
    return this.#hangs;
  }

  lostParts(): readonly LostPart[] {
    return this.#running.lostParts;
  }

  outage(): string | undefined {
    if (this.#isStopping) return "is closing";
    if (this.#address === undefined) return "is restarting";
    if (this.#watchdog.isResponding()) return undefined;
    const { silentMax } = this.#options.timing;
    const seconds = Math.round(this.#watchdog.silentMs() / 1000);
    const since = seconds === 0 ? "" : ` for ${seconds} s`;
    return `has not responded${since}; after ${Math.round(silentMax / 1000)} s it is ended and started again`;
  }

  outageCause(): string | undefined {
    return this.#address === undefined ? this.#lastFailure : undefined;
  }

  async check(): Promise<boolean> {
    if (this.#address === undefined) return false;
    return this.#watchdog.check();
  }

  async stop(): Promise<void> {
    const { timing, log } = this.#options;
    // One that does not respond would not respond to this either. Nothing that was acknowledged is lost.
    const isHung = this.outage() !== undefined;
    this.#isStopping = true;
    this.#address = undefined;
    this.#watchdog.stop();
    await stopChild(this.#running.child, isHung ? 0 : timing.stopMax, log);
  }

  #watch(running: RunningChild): void {
    const { timing, log, onSilence } = this.#options;
    const address = toAddress(this.#launch, running);
    const { url, readerPassword } = address;
    const watchdog = watchEngine(
      {
        url,
        authorization: `Basic ${Buffer.from(`reader:${readerPassword}`).toString("base64")}`,
        kill: () => {
          this.#hangs++;
          running.child.kill("SIGKILL");
        },
        onChange: () => {
          if (!watchdog.isResponding()) onSilence();
        },
      },
      timing,
      log,
    );
    running.child.once("exit", (code, signal) => {
      watchdog.stop();
      this.#address = undefined;
      if (this.#isStopping) return;
      log.error({ code, signal }, "the column store's engine stopped; starting it again");
      void this.#restart();
    });
    if (running.lostParts.length > 0) {
      log.error(
        { lostParts: running.lostParts },
        "THE COLUMN STORE HAS DAMAGED PARTS. It opened without them: their rows are missing from every answer.",
      );
    }
    this.#running = running;
    this.#watchdog = watchdog;
    this.#address = address;
  }

  async #restart(): Promise<void> {
    const { timing, log } = this.#options;
    this.#lastFailure = undefined;
    for (let delay = restartDelayMsMin; ; delay = Math.min(delay * 2, restartDelayMsMax)) {
      await sleep(delay);
      if (this.#isStopping) return;
      this.#restarts++;
      try {
        const next = await openChild(this.#launch, timing.openMax, log);
        if (this.#isStopping) return void next.child.kill("SIGKILL");
        this.#watch(next);
        log.warn({ restarts: this.#restarts }, "the column store's engine is back");
        return;
      } catch (error) {
        this.#lastFailure = error instanceof OpenFailure ? error.explanation : String(error);
        log.error(
          { err: error, restarts: this.#restarts },
          "the column store's engine did not start; trying again",
        );
      }
    }
  }
}

/** The engine's function `file` takes such a path for a pattern, so that files of inserts would match nothing. */
const patterns = /[*?{}]| :: /;

function prepare(options: EngineOptions): EngineLaunch {
  if (patterns.test(options.dataDir)) {
    throw new StoreRefused(
      `The column store takes a path with * ? { } or " :: " for a pattern, and the data folder is ${options.dataDir}. Set DATA_DIR to another folder.`,
    );
  }
  const { folder = columnsFolder } = options;
  const path = join(options.dataDir, folder);
  mkdirSync(path, { recursive: true });
  return {
    program: options.program ?? new URL("child.ts", import.meta.url),
    settings: {
      path,
      configFile: writeEngineConfig(options.dataDir, options),
      incomingFolder: incomingFolderOf(options.dataDir, folder),
      readerPassword: randomBytes(24).toString("base64url"),
      writerPassword: randomBytes(24).toString("base64url"),
      limits: options.limits,
    },
  };
}

/** The folder for rows of inserts until the engine has read them. */
export function incomingFolderOf(dataDir: string, folder: string): string {
  // The name must not begin like the name of a store that was moved aside.
  return join(dataDir, folder === columnsFolder ? "columns-incoming" : `incoming-${folder}`);
}

function toAddress({ settings }: EngineLaunch, running: RunningChild): EngineAddress {
  const { readerPassword, writerPassword } = settings;
  return { url: `http://127.0.0.1:${running.port}`, readerPassword, writerPassword };
}
