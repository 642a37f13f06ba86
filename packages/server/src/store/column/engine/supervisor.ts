import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { diskIsFull, notOurs } from "#store/data-folder.ts";
import type { StoreLog } from "#store/log.ts";
import { StoreRefused } from "#store/refused.ts";
import { writeEngineConfig } from "./config-file.ts";
import { CannotOpen, openChild, type RunningChild, stopChild } from "./process.ts";
import type { EngineSettings, LostPart, ReadLimits } from "./protocol.ts";

const RESTART_DELAY_MS_MIN = 50;
const RESTART_DELAY_MS_MAX = 5_000;
/** A predecessor that was just killed frees the folder's lock within moments. */
const IN_USE_WAIT_MS = 3_000;
const IN_USE_DELAY_MS = 200;

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
        const next = await openChild(settings, log);
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
  if (running.lostParts.length > 0) {
    log.error(
      { lostParts: running.lostParts },
      "THE COLUMN STORE HAS DAMAGED PARTS. It opened without them: their rows are missing from every answer.",
    );
  }
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

/** What the engine's `file` takes for more than a name: rows that come in by way of a file would match nothing. */
const patterns = /[*?{}]| :: /;

function prepare(options: EngineOptions): EngineSettings {
  if (patterns.test(options.dataDir)) {
    throw new StoreRefused(
      `The column store takes a path with * ? { } or " :: " for a pattern, and the data folder is ${options.dataDir}. Set DATA_DIR to another folder.`,
    );
  }
  const path = join(options.dataDir, "columns");
  mkdirSync(path, { recursive: true });
  return {
    path,
    configFile: writeEngineConfig(options.dataDir, options),
    incomingFolder: join(options.dataDir, "columns-incoming"),
    readerPassword: randomBytes(24).toString("base64url"),
    writerPassword: randomBytes(24).toString("base64url"),
    limits: options.limits,
  };
}

function toAddress(settings: EngineSettings, running: RunningChild): EngineAddress {
  const { readerPassword, writerPassword } = settings;
  return { url: `http://127.0.0.1:${running.port}`, readerPassword, writerPassword };
}

async function openOrQuarantine(
  settings: EngineSettings,
  dataDir: string,
  quarantined: string[],
  log: StoreLog,
): Promise<RunningChild> {
  const giveUpAt = Date.now() + IN_USE_WAIT_MS;
  for (;;) {
    try {
      return await openChild(settings, log);
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error;
      if (error.reason === "in-use" && Date.now() < giveUpAt) {
        await sleep(IN_USE_DELAY_MS);
        continue;
      }
      const refused = refusal(error, settings.path, dataDir);
      if (refused !== undefined) throw new StoreRefused(refused, { cause: error });
      if (error.reason === "no-room" || quarantined.length > 0) throw error;
      quarantined.push(quarantine(settings.path, dataDir));
      log.error(
        { err: error, movedTo: quarantined[0] },
        "THE COLUMN STORE DID NOT OPEN. It was moved aside, whole, and an empty one was started. Profiles stored before now are missing until it is repaired.",
      );
    }
  }
}

function refusal({ reason }: CannotOpen, path: string, dataDir: string): string | undefined {
  if (reason === "in-use") {
    return `The data folder ${dataDir} is in use by another Flamekeep. Stop it, or set DATA_DIR.`;
  }
  if (reason === "disk-full") return diskIsFull(path);
  return reason === "forbidden" ? notOurs(path, "permission denied or read-only") : undefined;
}

function quarantine(path: string, dataDir: string): string {
  const taken = readdirSync(dataDir).filter((name) => /^quarantine-\d+$/.test(name));
  const number = Math.max(0, ...taken.map((name) => Number(name.slice("quarantine-".length)))) + 1;
  const target = join(dataDir, `quarantine-${number}`);
  renameSync(path, target);
  mkdirSync(path);
  return target;
}
