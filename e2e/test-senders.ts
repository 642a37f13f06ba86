// Runs unmodified clients in their newest versions against a server, and prints what arrived as a table in Markdown.
import process from "node:process";
import { hasTool, Workshop } from "./harness/run-code.ts";
import { signUp } from "./harness/sign-up.ts";
import { freePort, startFlamekeep } from "./harness/start-flamekeep.ts";
import type { Expected, Sender } from "./senders/sender.ts";
import { senders } from "./senders/table.ts";

/** Some clients send once a minute. */
const patienceMs = 180_000;

interface Server {
  readonly url: string;
  readonly grpcAddress: string;
}

interface Outcome {
  readonly version: string;
  readonly result: string;
  readonly isRight: boolean;
}

const wanted = process.argv.slice(2);
const chosen = senders.filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
if (chosen.length === 0)
  throw new Error(`No sender has such a name: ${senders.map(({ name }) => name).join(", ")}`);

const grpcPort = await freePort();
await using flamekeep = await startFlamekeep({ env: { DEMO: "off", GRPC_PORT: String(grpcPort) } });
const server = { url: flamekeep.url, grpcAddress: `127.0.0.1:${grpcPort}` };

console.log("| sender | version | what was run | result |\n|---|---|---|---|");
let areRight = true;
for (const sender of chosen) {
  const { version, result, isRight } = await tried(sender, server);
  console.log(`| \`${sender.name}\` | ${version} | ${sender.run} | ${result} |`);
  areRight &&= isRight;
}
process.exitCode = areRight ? 0 : 1;

async function tried(sender: Sender, { url, grpcAddress }: Server): Promise<Outcome> {
  const missing = sender.needs.find(([name, ...args]) => !hasTool(name, ...args));
  if (missing !== undefined)
    return { version: "", result: `not run: ${missing[0]} is missing`, isRight: true };
  const account = await signUp(url);
  await using shop = new Workshop({ FLAMEKEEP_KEY: account.key });
  let version = "";
  try {
    const { key, makeKey } = account;
    version = await sender.start({ shop, url, grpcAddress, key, makeKey });
    // Building may take longer than a session lasts.
    const reader = { url, headers: await account.signIn(url) };
    return { version, result: await arrival(sender.expected, reader), isRight: true };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    console.error(`${sender.name}: ${text}\n${shop.output()}`);
    return { version, result: `failed: ${text.split("\n")[0]}`, isRight: false };
  }
}

interface Reader {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Waits until all that is expected is stored; resolves with a sentence that says what is. Throws what is missing after a time. */
async function arrival(expected: Expected, reader: Reader): Promise<string> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const missing = await missingOf(expected, reader);
    if (missing.length === 0) return resultOf(expected);
    if (performance.now() > deadline) throw new Error(missing.join("; "));
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function missingOf(
  { service, tags, functions, totals = {} }: Expected,
  reader: Reader,
): Promise<string[]> {
  const missing: string[] = [];
  for (const [type, name] of Object.entries(functions)) {
    const graph = await get(reader, `flamegraph/service/${service}/${type}?since=1h`);
    if (!JSON.stringify(graph.root ?? {}).includes(name)) missing.push(`no ${name} in ${type} of ${service}`);
    const total = totals[type as keyof typeof totals];
    if (total !== undefined && graph.total_samples !== total)
      missing.push(`${graph.total_samples} in ${type} instead of ${total}`);
  }
  const { profiles = [] } = await get(reader, `profiles?service=${service}&since=1h&limit=100`);
  for (const { type, tags: stored } of profiles as { type: string; tags: Record<string, string> }[]) {
    const wrong = Object.entries(tags).filter(([tag, value]) => stored[tag] !== value);
    if (wrong.length > 0)
      missing.push(`a profile of type ${type} lacks ${wrong.map((pair) => pair.join("="))}`);
  }
  return missing;
}

async function get({ url, headers }: Reader, path: string): Promise<Record<string, unknown>> {
  const reply = await fetch(`${url}/api/v1/protected/${path}`, { headers });
  if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as Record<string, unknown>;
}

function resultOf({ tags, functions, totals }: Expected): string {
  const types = Object.keys(functions).join(", ");
  const values = totals === undefined ? "" : ", exact values";
  return `${types} with the program's functions${values}, tags ${Object.keys(tags).join(", ")}`;
}
