import { type ChildProcess, fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import type { StoreLog } from "#store/log.ts";
import { OpenFailure } from "./opening/open-failure.ts";
import type { EngineSettings, FromEngine, LostPart, ToEngine } from "./protocol.ts";

const outputLinesMax = 50;
/**
 * Its young generation is small, because chDB's memory is not in this heap: Node would let it grow to 96 MB. `node:ffi`
 * (program-pages.ts) would print a warning.
 */
export const engineFlags = ["--max-semi-space-size=4", "--disable-warning=ExperimentalWarning"];

/** The program and the settings of an engine process. */
export interface EngineLaunch {
  readonly program: URL;
  readonly settings: EngineSettings;
}

export interface RunningChild {
  readonly child: ChildProcess;
  readonly port: number;
  readonly lostParts: readonly LostPart[];
}

/** Starts one child and waits until it serves. Throws an OpenFailure. */
export function openChild(
  { program, settings }: EngineLaunch,
  openMsMax: number,
  log: StoreLog,
): Promise<RunningChild> {
  const child = forkEngine(program);
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output.push(text.trimEnd());
      if (output.length > outputLinesMax) output.shift();
      log.debug({ output: text.trimEnd() }, "engine output");
    });
  }
  return new Promise((resolve, reject) => {
    let hasTried = false;
    let report: string | undefined;
    let isOverdue = false;
    const timer = setTimeout(() => {
      isOverdue = true;
      child.kill("SIGKILL");
    }, openMsMax);
    const fail = (end: string): void => {
      clearTimeout(timer);
      reject(
        new OpenFailure({ hasTried, report, output: output.join("\n"), end: isOverdue ? undefined : end }),
      );
    };
    // chDB's exception only says that it failed; the reason is on standard error, which is complete once it is closed.
    child.once("close", (code, signal) => fail(String(signal ?? code)));
    // Stays registered while the child runs: an unhandled error of a child that cannot be started would end this process.
    child.on("error", (error) => {
      output.push(error.message);
      log.debug({ err: error }, "engine process");
      if (child.pid === undefined) fail("not started");
    });
    child.on("message", (message: FromEngine) => {
      if (message.kind === "opening") hasTried = true;
      if (message.kind === "cannot-open") report = message.message;
      if (message.kind !== "ready") return;
      clearTimeout(timer);
      child.removeAllListeners("close");
      resolve({ child, port: message.port, lostParts: message.lostParts });
    });
    child.send({ kind: "start", settings } satisfies ToEngine, () => {});
  });
}

function forkEngine(program: URL): ChildProcess {
  const compiledModules = getCompileCacheDir();
  return fork(program, {
    // Without the parent's environment: the engine needs no secret.
    env: {
      // libuv's pool must exceed the sessions, because each holds a thread while it works.
      UV_THREADPOOL_SIZE: "11",
      TZ: "UTC",
      // By default chDB's allocator profiles itself, has an arena for each of many threads and frees large blocks at
      // once, so that the kernel zeroes them for the next insert: a tenth of the CPU time of an insert.
      JE_MALLOC_CONF: "prof_active:false,narenas:2,oversize_threshold:0,dirty_decay_ms:500",
      // Node's own memory, rows on their way to chDB, comes from the C library: by default it keeps what each thread freed.
      MALLOC_ARENA_MAX: "2",
      MALLOC_MMAP_THRESHOLD_: String(1024 * 1024),
      ...(compiledModules === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiledModules) }),
    },
    execArgv: engineFlags,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
}

/** Asks the child to stop; kills it after the limit, which loses nothing that was acknowledged. */
export async function stopChild(child: ChildProcess, stopMsMax: number, log: StoreLog): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const timer = setTimeout(() => {
    log.error({ seconds: stopMsMax / 1000 }, "the column store's engine did not stop in time; ending it");
    child.kill("SIGKILL");
  }, stopMsMax);
  if (child.connected) child.send({ kind: "stop" } satisfies ToEngine, () => {});
  await exited;
  clearTimeout(timer);
}
