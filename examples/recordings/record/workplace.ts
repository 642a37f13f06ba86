import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const recordings = fileURLToPath(new URL("../", import.meta.url));
/** Programs are built, installed and run here: a fixed path, because profiles contain it. */
export const workplace = "/tmp/recordings";
export const port = Number(process.env.PORT ?? 6061);
export const address = `127.0.0.1:${port}`;

type Environment = Readonly<Record<string, string>>;

/** Runs a command to its end. */
export function run(folder: string, environment: Environment, command: string, ...args: string[]): string {
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, ...environment };
  return execFileSync(command, args, { cwd: folder, env, encoding: "utf8", maxBuffer: 2 ** 28 });
}

/** Starts a program, calls `use` while it runs, and stops it. */
export async function whileRunning(
  environment: Environment,
  command: readonly [string, ...string[]],
  use: (program: ChildProcess) => Promise<void>,
): Promise<void> {
  const [name, ...args] = command;
  const env = { PATH: process.env.PATH ?? "", HOME: workplace, ...environment };
  const program = spawn(name, args, { cwd: workplace, env, stdio: ["ignore", "ignore", "inherit"] });
  const exited = once(program, "exit");
  try {
    await use(program);
  } finally {
    program.kill("SIGKILL");
    await exited;
  }
}

export async function untilAnswering(url: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const reply = await fetch(url).catch(() => undefined);
    if (reply?.ok) return;
    if (Date.now() > deadline) throw new Error(`${url} does not answer`);
    await wait(100);
  }
}

export function store(path: string, body: Uint8Array | string): void {
  mkdirSync(dirname(`${recordings}${path}`), { recursive: true });
  writeFileSync(`${recordings}${path}`, body);
  console.info(`${path}: ${body.length} bytes`);
}
