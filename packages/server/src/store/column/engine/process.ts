import { type ChildProcess, fork } from "node:child_process";
import type { StoreLog } from "#store/log.ts";
import type { EngineSettings, FromEngine, LostPart, ToEngine } from "./protocol.ts";

const OUTPUT_LINES_KEPT = 50;

export interface RunningChild {
  readonly child: ChildProcess;
  readonly port: number;
  readonly lostParts: readonly LostPart[];
}

/** All but `broken` say nothing about the store itself; `no-room`: memory or open files. */
export type CannotOpenReason = "in-use" | "disk-full" | "forbidden" | "no-room" | "broken";

export class CannotOpen extends Error {
  override readonly name = "CannotOpen";
  readonly reason: CannotOpenReason;

  constructor(message: string) {
    super(message);
    this.reason = reasonOf(message);
  }
}

function reasonOf(message: string): CannotOpenReason {
  if (/Cannot lock file/.test(message)) return "in-use";
  if (/Code: 243\b|No space left/.test(message)) return "disk-full";
  if (/Permission denied|Read-only file system/.test(message)) return "forbidden";
  return /Code: 241\b|Too many open files/.test(message) ? "no-room" : "broken";
}

/** Starts one child and waits until it serves. */
export function openChild(settings: EngineSettings, log: StoreLog): Promise<RunningChild> {
  const child = fork(new URL("child.ts", import.meta.url), {
    // Nothing of the parent's environment: the engine needs no secret.
    env: {
      // libuv's pool must exceed the sessions, each of which holds a thread while it works.
      UV_THREADPOOL_SIZE: "10",
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
  child.send({ kind: "start", settings } satisfies ToEngine);
  return new Promise((resolve, reject) => {
    // chDB's exception only says that it failed; why stands on standard error, complete once that is closed.
    child.once("close", (code, signal) => {
      reject(new CannotOpen(`The engine did not open (${signal ?? code}): ${output.join("\n")}`));
    });
    child.once("error", reject);
    child.once("message", (message: FromEngine) => {
      if (message.kind === "cannot-open") {
        output.unshift(message.message);
        return;
      }
      child.removeAllListeners("close");
      resolve({ child, port: message.port, lostParts: message.lostParts });
    });
  });
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  if (child.connected) child.send({ kind: "stop" } satisfies ToEngine);
  await exited;
}
