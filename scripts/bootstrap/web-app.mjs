import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache, inRoot } from "./paths.mjs";
import { runQuietly } from "./run.mjs";
import { Stop, step } from "./say.mjs";

/** Everything that can change what the bundle contains. */
const sources = [
  "package-lock.json",
  "packages/web/package.json",
  "packages/web/index.html",
  "packages/web/docs.html",
  "packages/web/vite.config.ts",
  "packages/web/shared-files.ts",
  "packages/web/public",
  "packages/web/src",
  "docs/guide",
  "packages/contract/package.json",
  "packages/contract/src",
  "packages/flame/package.json",
  "packages/flame/src",
  "packages/profile/package.json",
  "packages/profile/src",
];

/**
 * Bundles the web app when its sources changed since the last time.
 *
 * @param {string} node
 */
export async function buildWebApp(node) {
  const fingerprint = fingerprintOf(sources);
  const stamp = join(cache, "web-app.sha256");
  const isBuilt = existsSync(inRoot("packages/web/dist/index.html")) && existsSync(stamp);
  if (isBuilt && readFileSync(stamp, "utf8") === fingerprint) return;
  await step("Building the web app", () => bundle(node));
  mkdirSync(cache, { recursive: true });
  writeFileSync(stamp, fingerprint);
}

/** Measured: with 640 MiB it is killed, with 700 it is not. */
const memoryNeeded = "700 MiB; an image that is built with `npm run build` starts without it";

/** @param {string} node */
async function bundle(node) {
  const log = join(cache, "vite.log");
  const vite = inRoot("node_modules/vite/bin/vite.js");
  const { code, output } = await runQuietly(node, [vite, "build"], {
    cwd: inRoot("packages/web"),
    // The bundler's allocator returns memory at once: the second of two builds needs what the first one used.
    env: { ...process.env, MIMALLOC_PURGE_DELAY: "0" },
    log,
    memoryNeeded,
  });
  if (code === 0) return;
  if (/ENOSPC/.test(output)) throw new Stop("The disk is full: the web app could not be written.");
  throw new Stop(`The web app could not be built. Vite's output, also in ${log}:\n${output.trim()}`);
}

/**
 * Contents rather than times: a checkout touches files without changing them. A few hundred files take 20 ms.
 *
 * @param {readonly string[]} paths relative to the root; files, folders, or nothing
 */
function fingerprintOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of filesUnder(path)) {
      hash.update(`${file}\0`);
      hash.update(readFileSync(inRoot(file)));
    }
  }
  return hash.digest("hex");
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesUnder(path) {
  const full = inRoot(path);
  if (!existsSync(full)) return [];
  try {
    const entries = readdirSync(full, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    return entries.flatMap((entry) => {
      const child = `${path}/${entry.name}`;
      if (entry.isDirectory()) return filesUnder(child);
      return /\.test\.tsx?$/.test(entry.name) ? [] : [child];
    });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOTDIR") return [path];
    throw error;
  }
}
