import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { inRoot } from "./paths.mjs";
import { runQuietly } from "./run.mjs";
import { Stop, say, step } from "./say.mjs";

/** Chromium without windows, which nobody sees in tests: opening a page takes half of the CPU time outside of the page itself. */
const headlessShell = "chromium-headless-shell";

/**
 * Finds a Chromium for the browser tests, PostgreSQL for the store tests and nginx. On Debian, as root, installs what is missing.
 *
 * @returns {Promise<{ chromium: string }>} path of the executable
 */
export async function findTestTools() {
  if (canInstall()) await installTestTools();
  const chromium = findChromium();
  if (!chromium) {
    throw new Stop(
      "The browser tests need Chromium: install `chromium` or Google Chrome, or set CHROMIUM_PATH.",
    );
  }
  if (!hasPostgres()) say("PostgreSQL is not installed: the store tests run on SQLite only.");
  return { chromium };
}

async function installTestTools() {
  const missing = [
    ...(findChromium() ? [] : ["chromium"]),
    ...(hasPostgres() ? [] : ["postgresql"]),
    ...(onPath("nginx") ? [] : ["nginx"]),
  ];
  if (missing.length > 0) {
    await step(`Installing Debian's ${missing.join(", ")} for the tests`, () => aptInstall(missing));
  }
  if (process.env.CHROMIUM_PATH || onPath(headlessShell) || !onPath("chromium")) return;
  // The version of the installed Chromium, so that nothing else changes. Where Debian has it no more, the tests take Chromium.
  const { output } = await runQuietly("dpkg-query", ["-W", "chromium"], { log });
  const wanted = `${headlessShell}=${output.split("\t")[1]?.trim()}`;
  if ((await runQuietly("apt-cache", ["show", wanted], { log })).code !== 0) return;
  await step("Installing Debian's Chromium without windows for the tests", () =>
    runQuietly("apt-get", [...aptArgs, wanted], { env: aptEnv, log }),
  );
}

function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!existsSync(named)) throw new Stop(`CHROMIUM_PATH names ${named}, which does not exist.`);
    return named;
  }
  const onMac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
  return (
    onPath(headlessShell) ??
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

const log = inRoot(".cache", "apt-get.log");
/** At run level 1, Debian's packages start no service. */
const aptEnv = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
const aptArgs = ["install", "-y", "-qq", "--no-install-recommends"];

/** @param {readonly string[]} packages */
async function aptInstall(packages) {
  await runQuietly("apt-get", ["update", "-qq"], { env: aptEnv, log });
  const { code, output } = await runQuietly("apt-get", [...aptArgs, ...packages], { env: aptEnv, log });
  if (code === 0) return;
  const reason = /^E: (.+)$/m.exec(output)?.[1] ?? `exit code ${code}`;
  throw new Stop(
    `apt-get could not install ${packages.join(" and ")}: ${reason} (all of its output: ${log})`,
  );
}
