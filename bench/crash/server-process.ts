import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { minuteMs } from "@flamekeep/contract/durations";

const main = fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url));
const startMsMax = 3 * minuteMs;
/** A server that is stopping ends itself after half a minute; a busy machine makes that longer. */
const endMsMax = 2 * minuteMs;
const engineSearchMs = 2;
const errorTextLengthMax = 2000;

/** Which processes a kill ends. */
export type Victim = "server" | "engine" | "both";

/** A started server with the processes that it starts. */
export interface ServerProcess {
  readonly pid: number;
  /** Its address once it serves; rejects where it ends before. */
  readonly url: Promise<string>;
  /** Resolves when the server's own process, stopped or killed before, has ended. Its engine may live a moment longer. */
  ended(): Promise<void>;
  /** Resolves when the engine's process exists; undefined where the server ended without one. */
  enginePid(): Promise<number | undefined>;
  /** `kill -9`; false where the process was gone already. */
  kill(victim: Victim): Promise<boolean>;
  /** SIGTERM. */
  stop(): void;
}

export function startServer(dataDir: string, settings: Readonly<Record<string, string>> = {}): ServerProcess {
  const child = spawn(process.execPath, [main], {
    // In a separate process group, so that all of it can be killed at once.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PORT: "0",
      DATA_DIR: dataDir,
      DEMO: "off",
      LOG_LEVEL: "fatal",
      STOP_DELAY_SECONDS: "0",
      ...settings,
    },
  });
  const pid = child.pid!;
  let hasExited = false;
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => {
      hasExited = true;
      resolve();
    });
  });
  const url = withinLimit(servedUrl(child), startMsMax, "the server was started and did not serve");
  // A round that kills the starting server never awaits this promise.
  url.catch(() => undefined);
  const enginePid = async () => {
    while (!hasExited) {
      const engine = engineOf(pid);
      if (engine !== undefined) return engine;
      await sleep(engineSearchMs);
    }
    return undefined;
  };
  return {
    pid,
    url,
    ended: () => withinLimit(exited, endMsMax, "the server was stopped and did not end"),
    enginePid,
    kill: async (victim) => {
      if (victim === "engine") return signal(engineOf(pid), "SIGKILL");
      return signal(victim === "both" ? -pid : pid, "SIGKILL");
    },
    stop: () => void signal(pid, "SIGTERM"),
  };
}

/** Throws where the promise takes longer. A wait without a limit ends with the test, which cannot say what it waited for. */
async function withinLimit<T>(promise: Promise<T>, limitMs: number, complaint: string): Promise<T> {
  const settled = new AbortController();
  const late = sleep(limitMs, undefined, { signal: settled.signal }).then(() => {
    throw new Error(`${complaint} within ${limitMs / 1000} s`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    settled.abort();
    late.catch(() => undefined);
  }
}

function signal(pid: number | undefined, name: "SIGKILL" | "SIGTERM"): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

/** The child process that runs the engine, from Linux's /proc. */
function engineOf(pid: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    return children
      .filter((child) => child !== "")
      .map(Number)
      .find((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes("engine/child.ts"));
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

function servedUrl(child: ChildProcess): Promise<string> {
  let errors = "";
  child.stderr?.on("data", (text: Buffer) => {
    process.stderr.write(text);
    errors = (errors + text.toString()).slice(-errorTextLengthMax);
  });
  return new Promise((resolve, reject) => {
    // Unlike "exit", it comes after the last line of the error stream.
    child.once("close", (code, signal) =>
      reject(
        new Error(
          `the server ended (${signal ?? code}) instead of starting: ${errors.trim() || "without a word"}`,
        ),
      ),
    );
    child.stdout?.on("data", (text: Buffer) => {
      const port = /http:\/\/localhost:(\d+)/.exec(text.toString())?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    });
  });
}
