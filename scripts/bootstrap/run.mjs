import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { constants, totalmem } from "node:os";
import { dirname } from "node:path";
import process from "node:process";
import { root } from "./paths.mjs";
import { Stop } from "./say.mjs";

/** @typedef {{ cwd?: string, env?: Record<string, string | undefined> }} RunOptions */

/**
 * Process id of the npm that runs `npm start`, from its shell. npm forwards neither SIGHUP nor its own death, so this process
 * and the server look whether it is still their parent. Undefined if bootstrap was started in another way: then its parent may
 * end, as a shell does.
 */
const launcher = Number(process.env.FLAMEKEEP_LAUNCHER) || undefined;
const launcherCheckMs = 500;

/**
 * Runs a command without showing its output, and keeps the output in a file.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions & { log: string, memoryNeeded?: string }} options memoryNeeded: for the case that it is killed, such as `1 GiB`
 * @returns {Promise<{ code: number, output: string }>} code 127: the command does not exist
 */
export async function runQuietly(command, args, { cwd = root, env = process.env, log, memoryNeeded }) {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  /** @type {Buffer[]} */
  const chunks = [];
  child.stdout.on("data", (chunk) => chunks.push(chunk));
  child.stderr.on("data", (chunk) => chunks.push(chunk));
  const { code, signal, isAsked } = await finished(child);
  const output = Buffer.concat(chunks).toString();
  const isOutOfHeap = signal === constants.signals.SIGABRT && output.includes("heap out of memory");
  if (!isAsked && (signal === constants.signals.SIGKILL || isOutOfHeap)) throw outOfMemory(memoryNeeded);
  if (signal) throw new Stop("Stopped. Run the same command again to go on from here.", 128 + signal);
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, output);
  return { code, output };
}

/** @param {string} [needed] */
function outOfMemory(needed) {
  const limit = process.constrainedMemory?.() ?? 0;
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const need = needed === undefined ? "" : ` This step needs ${needed}.`;
  return new Stop(
    `Killed, as the system does where memory runs out: this container or machine has ${Math.floor(bytes / 2 ** 20)} MiB.${need} Give it more, then run the same command again.`,
    137,
  );
}

/**
 * Hands the terminal to a command: its output, our signals, its exit code.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions & { countsTwiceAsOne?: boolean }} [options] countsTwiceAsOne: the command expects to get one Ctrl-C twice
 * @returns {Promise<number>} the exit code
 */
export async function runThrough(
  command,
  args,
  { cwd = root, env = process.env, countsTwiceAsOne = false } = {},
) {
  const child = spawn(command, args, { cwd, env, stdio: "inherit" });
  const { code, signal } = await finished(child, { forwardsAll: true, countsTwiceAsOne });
  return signal ? 128 + signal : code;
}

/**
 * As `runThrough`, without a second process that waits (65 MB, and a hand every signal goes through), where this Node
 * can become another program: from 22.15 on, not on Windows.
 *
 * @param {string} command a path
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>} the exit code, where it returns
 */
export async function become(command, args, { cwd = root, env = process.env } = {}) {
  if (typeof process.execve === "function" && process.platform !== "win32") {
    process.chdir(cwd);
    process.execve(command, [command, ...args], env);
  }
  return runThrough(command, args, {
    cwd,
    env: { ...env, FLAMEKEEP_LAUNCHER: String(process.pid) },
    countsTwiceAsOne: true,
  });
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {{ forwardsAll?: boolean, countsTwiceAsOne?: boolean }} [options] forwardsAll: a set-up step stops with us; the server
 *   decides itself how it stops
 * @returns {Promise<{ code: number, signal: number | undefined, isAsked: boolean }>} signal: the one that ended it, or that asked
 *   us to stop
 */
function finished(child, { forwardsAll = false, countsTwiceAsOne = false } = {}) {
  /** @type {number | undefined} */
  let asked;
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    asked = constants.signals[signal];
    // A terminal sends Ctrl-C to every process of the group: the child has it already, unless `kill` sent it to us alone.
    if (signal !== "SIGINT" || !process.stdin.isTTY || countsTwiceAsOne) child.kill(signal);
  };
  /** @type {NodeJS.Signals[]} */
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, pass);
  const watch = setInterval(() => {
    if (launcher === undefined || process.ppid === launcher) return;
    clearInterval(watch);
    pass("SIGTERM");
  }, launcherCheckMs);
  return new Promise((resolve) => {
    /** @param {number} code @param {NodeJS.Signals | null} signal */
    const end = (code, signal) => {
      clearInterval(watch);
      for (const name of signals) process.off(name, pass);
      const ending = signal ? constants.signals[signal] : undefined;
      resolve({ code, signal: ending ?? (forwardsAll ? undefined : asked), isAsked: asked !== undefined });
    };
    child.once("error", () => end(127, null));
    child.once("close", (code, signal) => end(code ?? 1, signal));
  });
}
