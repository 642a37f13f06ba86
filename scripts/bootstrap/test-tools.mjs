import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { inRoot } from "./paths.mjs";
import { runQuietly } from "./run.mjs";
import { Stop, say, step } from "./say.mjs";

/**
 * Finds a Chromium for the browser tests and PostgreSQL for the store tests. On Debian, as root, installs what is missing.
 *
 * @returns {Promise<{ chromium: string }>} path of the executable
 */
export async function findTestTools() {
  const wanted = [...(findChromium() ? [] : ["chromium"]), ...(hasPostgres() ? [] : ["postgresql"])];
  if (wanted.length > 0 && canInstall()) {
    await step(`Installing Debian's ${wanted.join(" and ")} for the tests`, () => aptInstall(wanted));
  }
  const chromium = findChromium();
  if (!chromium) {
    throw new Stop(
      "The browser tests need Chromium: install `chromium` or Google Chrome, or set CHROMIUM_PATH.",
    );
  }
  if (!hasPostgres()) say("PostgreSQL is not installed: the store tests run on SQLite only.");
  return { chromium };
}

function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!existsSync(named)) throw new Stop(`CHROMIUM_PATH names ${named}, which does not exist.`);
    return named;
  }
  const onMac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
  return (
    onPath("chromium") ??
    onPath("google-chrome") ??
    onPath("chromium-browser") ??
    (existsSync(onMac) ? onMac : undefined)
  );
}

/** Debian keeps the server's programs off the PATH. */
function hasPostgres() {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  return (
    onPath("initdb") !== undefined ||
    versions.some((version) => existsSync(join(debian, version, "bin/initdb")))
  );
}

/** @param {string} program */
function onPath(program) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

function canInstall() {
  return process.getuid?.() === 0 && existsSync("/etc/debian_version") && onPath("apt-get") !== undefined;
}

/** @param {readonly string[]} packages */
async function aptInstall(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const log = inRoot(".cache", "apt-get.log");
  await runQuietly("apt-get", ["update", "-qq"], { env, log });
  const args = ["install", "-y", "-qq", "--no-install-recommends", ...packages];
  const { code, output } = await runQuietly("apt-get", args, { env, log });
  if (code === 0) return;
  const reason = /^E: (.+)$/m.exec(output)?.[1] ?? `exit code ${code}`;
  throw new Stop(
    `apt-get could not install ${packages.join(" and ")}: ${reason} (all of its output: ${log})`,
  );
}
