import { existsSync, readFileSync, rmSync } from "node:fs";
import process from "node:process";
import { npm } from "./npm.mjs";
import { inRoot } from "./paths.mjs";
import { isMusl } from "./platform.mjs";
import { step } from "./say.mjs";

/**
 * @typedef {{ version?: string, link?: boolean, optional?: boolean, devOptional?: boolean,
 *   optionalDependencies?: Record<string, string> }} LockedPackage
 * @typedef {Record<string, LockedPackage>} LockedPackages
 */

/** Installs what the lockfile names, unless it is installed already. */
export async function installDependencies() {
  const wanted = readPackages(inRoot("package-lock.json"));
  // npm writes this file last: an install that was interrupted has none.
  const installedPath = inRoot("node_modules", ".package-lock.json");
  const installed = existsSync(installedPath) ? readPackages(installedPath) : {};
  if (!isInstalled(wanted, installed, (path) => existsSync(inRoot(path)))) {
    // npm trusts this file, even if packages that it names are gone.
    rmSync(installedPath, { force: true });
    const count = Object.keys(wanted).filter((path) => path.startsWith("node_modules/")).length;
    await step(`Installing ${count} packages, a minute or two the first time`, () =>
      npm(["install", "--no-save", "--ignore-scripts"], "install the dependencies"),
    );
  }
  const missing = missingForPlatform(wanted, platformWords(), (path) => existsSync(inRoot(path)));
  if (missing.length === 0) return;
  await step(`Installing ${missing.length} packages for ${process.platform}-${process.arch}`, () =>
    npm(["install", "--no-save", "--ignore-scripts", ...missing], "install this platform's packages"),
  );
}

/**
 * @param {LockedPackages} wanted
 * @param {LockedPackages} installed
 * @param {(path: string) => boolean} exists
 */
export function isInstalled(wanted, installed, exists) {
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith("node_modules/") || entry.link || entry.optional || entry.devOptional) return true;
    return installed[path]?.version === entry.version && exists(path);
  });
}

/**
 * Native packages of a platform that are not installed: npm leaves an optional package out without a word if the
 * download fails, and also if an older installation lacked it (npm/cli#4828).
 *
 * @param {LockedPackages} locked
 * @param {{ includes: string, excludes: RegExp }} words
 * @param {(path: string) => boolean} exists
 * @returns {string[]} `name@version`
 */
export function missingForPlatform(locked, words, exists) {
  return Object.values(locked)
    .flatMap((entry) => Object.entries(entry.optionalDependencies ?? {}))
    .filter(([name]) => name.includes(words.includes) && !words.excludes.test(name))
    .filter(([name]) => !exists(`node_modules/${name}`))
    .map(([name, version]) => `${name}@${version}`);
}

function platformWords() {
  if (process.platform !== "linux")
    return { includes: `${process.platform}-${process.arch}`, excludes: /^$/ };
  return { includes: `linux-${process.arch}`, excludes: isMusl() ? /(gnu|glibc)$/ : /musl$/ };
}

/**
 * @param {string} path
 * @returns {LockedPackages}
 */
function readPackages(path) {
  return JSON.parse(readFileSync(path, "utf8")).packages;
}
