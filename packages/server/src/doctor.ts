// `npm run doctor`: examines the settings, this machine, what the settings name, and the running server, and says what to do.
import process from "node:process";
import { discover } from "#accounts/single-sign-on/provider.ts";
import { baseUrls } from "#analysis/model/providers.ts";
import { readCallerKeys, readConfig } from "#config";
import { ConfigError } from "./context/environment.ts";
import { type Check, type Finding, failed, reasonOf, type State, type Task } from "./doctor/finding.ts";
import { dataFolder, leftovers, memory, uploadLog } from "./doctor/machine.ts";
import { members } from "./doctor/members.ts";
import { publicAddress, readiness, roundTrip } from "./doctor/server.ts";
import { clickHouse, mail, model, originals, postgres, signIn } from "./doctor/services.ts";

const usage = `Usage: npm run doctor

Examines an installation, before its first start or while the server runs. The command needs the server's settings. With
FLAMEKEEP_KEY (an API key) it sends a profile, and reads it back with FLAMEKEEP_READ_KEY (a key for coding agents).
Exits with 1 if a check failed.`;

const checks: readonly Check[] = [
  memory,
  dataFolder,
  leftovers,
  uploadLog,
  postgres,
  clickHouse,
  members,
  originals,
  mail,
  signIn(discover),
  model(baseUrls),
  readiness,
  publicAddress,
  roundTrip,
];

const marks: Readonly<Record<State, string>> = { ok: "ok", note: "note", failed: "FAILED", skipped: "-" };

process.exitCode = await run(process.argv.slice(3));

async function run(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    console.log(usage);
    return args[0] === "--help" || args[0] === "-h" ? 0 : 1;
  }
  let task: Task;
  try {
    task = taskOf(readConfig());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    report("Settings", [failed(error.message)]);
    return 1;
  }
  const findings: Finding[] = [];
  for (const check of checks) {
    const found = await check.run(task).catch((error: unknown) => [failed(reasonOf(error))]);
    report(check.title, found);
    findings.push(...found);
  }
  return findings.some(({ state }) => state === "failed") ? 1 : 0;
}

function taskOf(config: Task["config"]): Task {
  const { host, port, basePath } = config;
  const isAny = host === "0.0.0.0" || host === "::";
  const name = isAny ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return { config, keys: readCallerKeys(), localUrl: `http://${name}:${port}${basePath}` };
}

function report(title: string, findings: readonly Finding[]): void {
  for (const [index, { state, text }] of findings.entries())
    console.log(`${marks[state].padEnd(8)}${(index === 0 ? title : "").padEnd(16)}${text}`);
}
