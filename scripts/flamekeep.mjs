#!/usr/bin/env node
// The command `flamekeep` of the npm package, in which the server's files are JavaScript. Node 18 built-ins only; the server runs on
// this Node where it is new enough, else on the one that the package depends on.
import { createRequire } from "node:module";
import process from "node:process";
import { isNewEnough, nodePackage, oldestMajor } from "./bootstrap/node-versions.mjs";
import { inRoot } from "./bootstrap/paths.mjs";
import { checkPlatform } from "./bootstrap/platform.mjs";
import { Stop } from "./bootstrap/say.mjs";
import { operatorPrograms, serverFlags, serverMemory } from "./bootstrap/server-process.mjs";

// `npx` may be killed without a word to the server. Read by run.mjs, hence before its import.
if (process.env.npm_command === "exec") process.env.FLAMEKEEP_LAUNCHER ??= String(process.ppid);
const { become, runThrough } = await import("./bootstrap/run.mjs");

const cwd = process.cwd();
const env = {
  ...serverMemory,
  NODE_COMPILE_CACHE: inRoot("node_modules/.cache/flamekeep"),
  ...process.env,
};

/** @param {string} program its name in the sources */
const pathOf = (program) => inRoot("packages/server/src", program.replace(/ts$/, "js"));

function findNode() {
  if (isNewEnough) return process.execPath;
  try {
    return createRequire(import.meta.url).resolve(`${nodePackage}/bin/node`);
  } catch {
    throw new Stop(
      `Flamekeep needs Node ${oldestMajor} or newer; this is ${process.versions.node}, and the package ${nodePackage ?? "of Node for this platform"} is not installed.`,
    );
  }
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 */
async function run(name, args) {
  if (name === "health") {
    const { HOST = "127.0.0.1", PORT = "4040" } = process.env;
    return runThrough(findNode(), [pathOf("check-health.ts"), HOST, PORT], { cwd, env });
  }
  checkPlatform();
  if (name === "start") return become(findNode(), [...serverFlags, pathOf("main.ts")], { cwd, env });
  const program = Object.entries(operatorPrograms).find(([each]) => each === name)?.[1];
  if (program !== undefined) return runThrough(findNode(), [pathOf(program), name, ...args], { cwd, env });
  const names = ["start", "health", ...Object.keys(operatorPrograms)];
  throw new Stop(`flamekeep: there is no command ${name}. Commands: ${names.join(", ")}.`, 64);
}

try {
  process.exitCode = await run(process.argv[2] ?? "start", process.argv.slice(3));
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
