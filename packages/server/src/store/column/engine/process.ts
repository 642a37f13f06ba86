import { type ChildProcess, fork } from "node:child_process";
import type { StoreLog } from "#store/log.ts";
import { OpenFailure } from "./opening/open-failure.ts";
import type { EngineSettings, FromEngine, LostPart, ToEngine } from "./protocol.ts";

const OUTPUT_LINES_KEPT = 50;

/** What an engine process is started with. */
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
  const child = fork(program, {
    // Nothing of the parent's environment: the engine needs no secret.
    env: {
      // libuv's pool must exceed the sessions, each of which holds a thread while it works.
      UV_THREADPOOL_SIZE: "11",
      TZ: "UTC",
      // chDB's own allocator profiles itself, has an arena for each of many threads and gives large blocks back at
      // once, to be zeroed by the kernel for the next insert: a tenth of an insert's CPU.
      JE_MALLOC_CONF: "prof_active:false,narenas:2,oversize_threshold:0,dirty_decay_ms:500",
    },
    execArgv: [],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output.push(text.trimEnd());
      if (output.length > OUTPUT_LINES_KEPT) output.shift();
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
    // chDB's exception only says that it failed; why stands on standard error, complete once that is closed.
    child.once("close", (code, signal) => fail(String(signal ?? code)));
    // Kept while the child runs: a process that cannot be started or reached says so here, and must not end ours.
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

/** Asks the child to finish and end; kills it after the limit, which loses nothing that was acknowledged. */
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
