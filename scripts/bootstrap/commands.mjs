import process from "node:process";
import { installDependencies } from "./dependencies.mjs";
import { findNode, pinnedNode } from "./node.mjs";
import { inRoot } from "./paths.mjs";
import { checkPlatform } from "./platform.mjs";
import { become, runThrough } from "./run.mjs";
import { Stop } from "./say.mjs";
import { operatorPrograms, serverFlags, serverMemory } from "./server-process.mjs";
import { findTestTools } from "./test-tools.mjs";
import { buildWebApp } from "./web-app.mjs";

/** Where Node keeps compiled modules, sources without types among them. Read at the start of a process, hence here. */
const compiledModules = { NODE_COMPILE_CACHE: inRoot("node_modules/.cache/flamekeep") };

/** @typedef {(node: string, args: readonly string[]) => Promise<number>} Command */

/** @type {Record<string, Command>} */
const commands = {
  async start(node, args) {
    checkPlatform();
    await buildWebApp(node);
    const env = { ...serverMemory, ...compiledModules, ...process.env };
    return become(node, [...serverFlags, inRoot("packages/server/src/main.ts"), ...args], { env });
  },

  async build(node) {
    checkPlatform();
    await buildWebApp(node);
    return 0;
  },

  /** For images and archives: a folder that runs without npm, with its own Node. */
  async package(node, args) {
    checkPlatform();
    await buildWebApp(node);
    return runThrough(node, [inRoot("scripts/package.ts"), await pinnedNode(), ...args]);
  },

  /** The next version of the project, as a commit, its tag and archives. */
  async release(node, args) {
    checkPlatform();
    await buildWebApp(node);
    return runThrough(node, [inRoot("scripts/release.ts"), await pinnedNode(), ...args]);
  },

  ...Object.fromEntries(
    Object.entries(operatorPrograms).map(([name, program]) => [name, operate(program, name)]),
  ),

  async dev(node) {
    checkPlatform();
    return runThrough(node, [inRoot("scripts/dev.ts")]);
  },

  async test(node, args) {
    checkPlatform();
    const { chromium } = await findTestTools();
    await buildWebApp(node);
    const env = { ...process.env, CHROMIUM_PATH: chromium };
    return runThrough(node, [inRoot("scripts/test.ts"), ...args], { env });
  },

  async "test:near"(node) {
    return runThrough(node, [inRoot("scripts/test-near.ts")]);
  },

  async "test:senders"(node, args) {
    checkPlatform();
    await buildWebApp(node);
    return runThrough(node, [inRoot("e2e/test-senders.ts"), ...args]);
  },

  async mutate(node, args) {
    return runThrough(node, [inRoot("scripts/mutate.ts"), ...args]);
  },

  async verify(node) {
    return runThrough(node, [inRoot("scripts/verify.ts")]);
  },

  async screenshots(node, args) {
    checkPlatform();
    const { chromium } = await findTestTools();
    await buildWebApp(node);
    await runThrough(node, [inRoot("e2e/draw-flame-graphs.ts")]);
    const env = { ...process.env, CHROMIUM_PATH: chromium };
    return runThrough(node, [inRoot("e2e/take-screenshots.ts"), ...args], { env });
  },

  async bench(node, args) {
    checkPlatform();
    await buildWebApp(node);
    // Some benches run the server in their own process, and measure it as it is started.
    const flags = [...serverFlags, "--heap-growing-percent=50"];
    return runThrough(node, [...flags, inRoot("bench/main.ts"), ...args]);
  },
};

/**
 * A command of an operator, for the data folder.
 *
 * @param {string} program
 * @param {string} name
 * @returns {Command}
 */
function operate(program, name) {
  return async (node, args) => {
    checkPlatform();
    return runThrough(node, [inRoot("packages/server/src", program), name, ...args]);
  };
}

/**
 * Sets the project up and runs one of the commands above.
 *
 * @param {string | undefined} name
 * @param {readonly string[]} args handed on
 * @returns {Promise<number>} the exit code
 */
export async function runCommand(name, args) {
  const command = commands[name ?? ""];
  try {
    if (!command) throw new Stop(`Choose one of: ${Object.keys(commands).join(", ")}.`);
    const node = await findNode();
    await installDependencies();
    return await command(node, args);
  } catch (error) {
    if (error instanceof Stop) {
      process.stderr.write(`${error.message}\n`);
      return error.exitCode;
    }
    const { code, message, path } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === undefined) throw error;
    const line =
      code === "ENOSPC"
        ? "The disk is full: Flamekeep needs about 1.5 GB to set itself up."
        : `Setting up failed: ${message}`;
    process.stderr.write(`${line}${path && !line.includes(path) ? ` (${path})` : ""}\n`);
    return 1;
  }
}
