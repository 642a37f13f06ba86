import process from "node:process";
import { inRoot } from "./paths.mjs";
import { runQuietly } from "./run.mjs";
import { Stop } from "./say.mjs";

/** npm's error codes that need no more than a sentence. */
const explanations = new Map(
  /** @type {[RegExp, string][]} */ ([
    [
      /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EHOSTUNREACH|ENETUNREACH|FETCH_ERROR|E5\d\d)$/,
      "npm cannot reach its package registry: check the network, the proxy, and `npm config get registry`.",
    ],
    [
      /^(E401|E403|ENEEDAUTH)$/,
      "npm's package registry refused access: check `npm config get registry` and its login.",
    ],
    [/^ENOSPC$/, "The disk is full: Flamekeep needs about 1.5 GB to set itself up."],
    [/^(EACCES|EPERM|EROFS)$/, "npm may not write here: check who owns this folder and npm's cache folder."],
    [/CERT|SSL|SIGNATURE/, "npm does not trust the registry's certificate: set its `cafile`."],
  ]),
);

/**
 * Runs npm and says in one line what went wrong when it fails.
 *
 * @param {readonly string[]} args
 * @param {string} purpose completes the sentence "npm could not ..."
 */
export async function npm(args, purpose) {
  const log = inRoot(".cache", `npm-${args[0]}.log`);
  // As `npm start --silent` would have it, npm would not say what went wrong.
  const flags = [
    "--loglevel=error",
    "--no-audit",
    "--no-fund",
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=1000",
  ];
  // npm names its own program to whatever it starts; on a terminal without npm around us it is on the PATH.
  const program = process.env.npm_execpath;
  const isNpm = program?.endsWith("npm-cli.js") === true;
  const { code, output } = await runQuietly(
    isNpm ? process.execPath : "npm",
    [...(isNpm && program ? [program] : []), ...args, ...flags],
    { log },
  );
  if (code === 0) return;
  if (code === 127) throw new Stop("npm is not on this machine: install Node together with npm.");
  throw new Stop(
    explain(output) ?? `npm could not ${purpose}: ${lastError(output)} (all of its output: ${log})`,
  );
}

/** @param {string} output */
export function explain(output) {
  const code = /npm (?:error|ERR!) code (\S+)/.exec(output)?.[1];
  if (code === undefined) return undefined;
  for (const [pattern, sentence] of explanations) if (pattern.test(code)) return `${sentence} (${code})`;
  return undefined;
}

/** @param {string} output */
function lastError(output) {
  const lines = [...output.matchAll(/npm (?:error|ERR!) (?!code|A complete log)(.+)/g)];
  return lines[0]?.[1]?.trim() ?? "it said nothing";
}
