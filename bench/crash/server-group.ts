import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url));
const startMsMax = 60_000;

/** A server with the processes it starts, as one group that can be killed at once. */
export interface ServerGroup {
  readonly url: string;
  /** `kill -9` of everything; resolves when the server is gone. */
  kill(): Promise<void>;
}

export async function startServerGroup(dataDir: string): Promise<ServerGroup> {
  const child = spawn(process.execPath, [main], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, PORT: "0", DATA_DIR: dataDir, DEMO: "off", LOG_LEVEL: "fatal" },
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const kill = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    await exited;
  };
  try {
    return { url: await servedUrl(child), kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

function servedUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the server did not start")), startMsMax);
    child.once("exit", (code) => reject(new Error(`the server ended (${code}) instead of starting`)));
    child.stdout?.on("data", (text: Buffer) => {
      const port = /http:\/\/localhost:(\d+)/.exec(text.toString())?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(`http://127.0.0.1:${port}`);
    });
  });
}
