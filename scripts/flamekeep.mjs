#!/usr/bin/env node
// The command `flamekeep` of the npm package, in which the server's files are JavaScript. Node 18 built-ins only.
import process from "node:process";
import { inRoot } from "./bootstrap/paths.mjs";
import { checkPlatform } from "./bootstrap/platform.mjs";
import { Stop } from "./bootstrap/say.mjs";
import { operatorPrograms, serverFlags, serverMemory } from "./bootstrap/server-process.mjs";

// `npx` may be killed without a word to the server. Read by run.mjs, hence before its import.
if (process.env.npm_command === "exec") process.env.FLAMEKEEP_LAUNCHER ??= String(process.ppid);
const [{ become, runThrough }, { findNode }] = await Promise.all([
  import("./bootstrap/run.mjs"),
  import("./bootstrap/node.mjs"),
]);

const cwd = process.cwd();
const env = {
  ...serverMemory,
  NODE_COMPILE_CACHE: inRoot("node_modules/.cache/flamekeep"),
  ...process.env,
};

/** @param {string} program its name in the sources */
const pathOf = (program) => inRoot("packages/server/src", program.replace(/ts$/, "js"));

/**
 * @param {string} name
 * @param {readonly string[]} args
 */
async function run(name, args) {
  if (name === "health") {
    const { HOST = "127.0.0.1", PORT = "4040" } = process.env;
    return runThrough(await findNode(), [pathOf("check-health.ts"), HOST, PORT], { cwd, env });
  }
  const program = Object.entries(operatorPrograms).find(([each]) => each === name)?.[1];
  if (name === "start" || program !== undefined) checkPlatform();
  if (name === "start") return become(await findNode(), [...serverFlags, pathOf("main.ts")], { cwd, env });
  if (program !== undefined)
    return runThrough(await findNode(), [pathOf(program), name, ...args], { cwd, env });
  const names = ["start", "health", ...Object.keys(operatorPrograms)];
  throw new Stop(`flamekeep: there is no command ${name}. Commands: ${names.join(", ")}.`, 64);
}

try {
  process.exitCode = await run(process.argv[2] ?? "start", process.argv.slice(3));
} catch (error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (!(error instanceof Stop) && code === undefined) throw error;
  process.stderr.write(`${error instanceof Stop ? message : `Setting up failed: ${message}`}\n`);
  process.exitCode = error instanceof Stop ? error.exitCode : 1;
}
